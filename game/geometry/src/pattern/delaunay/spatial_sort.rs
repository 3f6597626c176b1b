//! Order of insertion: along a Hilbert curve, so that the next site is found in a few steps.
//!
//! Sites are inserted in rounds, each four times as large as the last and drawn at random, so that no
//! arrangement of sites creates long slivers that the next site would remove again (Amenta, Choi and
//! Rote, "Incremental Constructions con BRIO", 2003).

use crate::math::split_mix_64;
use crate::pattern::GRID_BITS;

/// Bits of a curve cell's coordinate.
const CELL_BITS: u32 = 8;
/// Mean number of sites in the first round.
const FIRST_ROUND: usize = 64;

/// The sites in biased randomised insertion order, given their order along the curve.
pub fn brio_order(curve: &[u32]) -> impl Iterator<Item = u32> + '_ {
    let rounds = (curve.len() / FIRST_ROUND).checked_ilog2().unwrap_or(0) / 2;
    let round = move |id: u32| (split_mix_64(u64::from(id)).trailing_zeros() / 2).min(rounds);
    (0..=rounds).rev().flat_map(move |now| {
        let ids = curve.iter().copied();
        ids.filter(move |id| round(*id) == now)
    })
}

/// The sites in the order of their cells along a Hilbert curve.
pub fn hilbert_order(sites: &[[i32; 3]]) -> Vec<u32> {
    let key = |(id, site): (usize, &[i32; 3])| hilbert_index(curve_cell(*site)) << 32 | id as u64;
    let mut keys: Vec<u64> = sites.iter().enumerate().map(key).collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| key as u32).collect()
}

/// The cell of the curve in which a site lies.
fn curve_cell(site: [i32; 3]) -> [u32; 3] {
    let shift = GRID_BITS + 1 - CELL_BITS;
    site.map(|x| ((x + (1 << GRID_BITS)) as u32 >> shift).min((1 << CELL_BITS) - 1))
}

/// A cell's index along the Hilbert curve (after Skilling, "Programming the Hilbert curve", 2004).
fn hilbert_index(mut cell: [u32; 3]) -> u64 {
    // Undo the rotations of the cubes around the cell, from the largest down.
    for level in (1..CELL_BITS).rev() {
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
    // Then the cubes of each level are visited in the order of a Gray code.
    cell[1] ^= cell[0];
    cell[2] ^= cell[1];
    let mut flip = 0;
    for level in (1..CELL_BITS).rev() {
        if cell[2] >> level & 1 != 0 {
            flip ^= (1 << level) - 1;
        }
    }
    let mut index = 0;
    for level in (0..CELL_BITS).rev() {
        for axis in cell {
            index = index << 1 | u64::from((axis ^ flip) >> level & 1);
        }
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_visits_neighbouring_cells() {
        let side = 8;
        let mut cells: Vec<[u32; 3]> = (0..side * side * side)
            .map(|k| [k % side, k / side % side, k / side / side])
            .collect();
        cells.sort_unstable_by_key(|cell| hilbert_index(*cell));
        for pair in cells.windows(2) {
            let steps = (0..3).map(|k| pair[0][k].abs_diff(pair[1][k]));
            assert_eq!(steps.sum::<u32>(), 1, "{pair:?}");
        }
    }
}
