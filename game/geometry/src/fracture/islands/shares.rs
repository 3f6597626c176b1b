//! Which triangles of a block hang together, as sets of bits: one for each triangle of the block.

use crate::solid::{Solid, CLUSTER_SIZE};

// A block is a word.
const _: () = assert!(CLUSTER_SIZE == u32::BITS);

/// The triangles of a set.
pub fn triangles(block: u32, set: u32) -> impl Iterator<Item = u32> {
    let mut left = set;
    std::iter::from_fn(move || {
        let bit = (left != 0).then(|| left.trailing_zeros())?;
        left &= left - 1;
        Some(block * CLUSTER_SIZE + bit)
    })
}

/// Calls back with the connected parts of a set, least triangle first.
pub fn each(solid: &Solid, block: u32, set: u32, mut f: impl FnMut(u32)) {
    let start = block * CLUSTER_SIZE;
    let mut beside = [0u32; CLUSTER_SIZE as usize];
    for triangle in triangles(block, set) {
        let own = (triangle - start) as usize;
        for half_edge in 3 * triangle..3 * triangle + 3 {
            let other = (solid.twin(half_edge) / 3).wrapping_sub(start);
            let at = (other % CLUSTER_SIZE) as usize;
            let is_inside = u32::from(other < CLUSTER_SIZE);
            beside[own] |= is_inside << at;
            // In a shell not every triangle knows those that know it.
            beside[at] |= is_inside << own;
        }
    }
    let mut left = set;
    while left != 0 {
        let mut part = left & left.wrapping_neg();
        let mut todo = part;
        while todo != 0 {
            let found = beside[todo.trailing_zeros() as usize] & set & !part;
            todo = todo & (todo - 1) | found;
            part |= found;
        }
        left &= !part;
        f(part);
    }
}
