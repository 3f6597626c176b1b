//! The order in which sites are put in.
//!
//! Near after near, so that the next site is found in a few steps; but in rounds, each four times as
//! large as the last and drawn at random, so that no arrangement of sites makes long slivers that the
//! next site would take out again (Amenta, Choi and Rote, "Incremental Constructions con BRIO", 2003).

use crate::math::split_mix_64;
use crate::pattern::GRID_BITS;

/// Of a curve's cell, per axis.
const BITS: u32 = 8;
/// Sites of the first round, on average.
const FIRST_ROUND: usize = 64;

/// The ids of the sites in the order in which to put them in.
pub fn in_rounds(curve: &[u32]) -> impl Iterator<Item = u32> + '_ {
    let rounds = (curve.len() / FIRST_ROUND).checked_ilog2().unwrap_or(0) / 2;
    let round = move |id: u32| (split_mix_64(u64::from(id)).trailing_zeros() / 2).min(rounds);
    (0..=rounds).rev().flat_map(move |now| {
        let ids = curve.iter().copied();
        ids.filter(move |id| round(*id) == now)
    })
}

/// The ids of the sites, near after near.
pub fn along_curve(sites: &[[i32; 3]]) -> Vec<u32> {
    let key = |(id, site): (usize, &[i32; 3])| place(cell(*site)) << 32 | id as u64;
    let mut keys: Vec<u64> = sites.iter().enumerate().map(key).collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| key as u32).collect()
}

fn cell(site: [i32; 3]) -> [u32; 3] {
    let shift = GRID_BITS + 1 - BITS;
    site.map(|x| ((x + (1 << GRID_BITS)) as u32 >> shift).min((1 << BITS) - 1))
}

/// A cell's place on Hilbert's curve (after Skilling, "Programming the Hilbert curve", 2004).
fn place(mut cell: [u32; 3]) -> u64 {
    // Undo the turns of the larger cubes around it, from the largest down.
    for level in (1..BITS).rev() {
        let bit = 1 << level;
        let low = bit - 1;
        for axis in 0..3 {
            if cell[axis] & bit != 0 {
                cell[0] ^= low;
            } else {
                let swap = (cell[0] ^ cell[axis]) & low;
                cell[0] ^= swap;
                cell[axis] ^= swap;
            }
        }
    }
    // Then the cubes of each level are passed in the order of a Gray code.
    cell[1] ^= cell[0];
    cell[2] ^= cell[1];
    let mut flip = 0;
    for level in (1..BITS).rev() {
        if cell[2] >> level & 1 != 0 {
            flip ^= (1 << level) - 1;
        }
    }
    let mut place = 0;
    for level in (0..BITS).rev() {
        for axis in cell {
            place = place << 1 | u64::from((axis ^ flip) >> level & 1);
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_goes_to_a_cell_beside_the_last() {
        let side = 8;
        let mut cells: Vec<[u32; 3]> = (0..side * side * side)
            .map(|k| [k % side, k / side % side, k / side / side])
            .collect();
        cells.sort_unstable_by_key(|cell| place(*cell));
        for pair in cells.windows(2) {
            let steps = (0..3).map(|k| pair[0][k].abs_diff(pair[1][k]));
            assert_eq!(steps.sum::<u32>(), 1, "{pair:?}");
        }
    }
}
