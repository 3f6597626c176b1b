//! Directed segments, joined to loops by what made their ends.

use std::ops::Range;

/// A directed part of an outline, with whatever belongs to it.
pub struct Segment<K, T> {
    pub from: K,
    pub to: K,
    pub data: T,
}

/// The loops of a set of segments in which every node is entered as often as it is left: the order
/// of the segments, and each loop's range in that order. Sorts the segments.
pub fn link<K: Ord + Copy, T>(segments: &mut [Segment<K, T>]) -> (Vec<u32>, Vec<Range<u32>>) {
    segments.sort_by_key(|s| s.from);
    let mut used = vec![false; segments.len()];
    let mut order = Vec::with_capacity(segments.len());
    let mut loops = Vec::new();
    for first in 0..segments.len() {
        let start = order.len() as u32;
        let mut at = Some(first);
        while let Some(here) = at.filter(|at| !used[*at]) {
            used[here] = true;
            order.push(here as u32);
            let to = segments[here].to;
            let begin = segments.partition_point(|s| s.from < to);
            at = (begin..segments.len())
                .take_while(|next| segments[*next].from == to)
                .find(|next| !used[*next]);
        }
        if order.len() as u32 > start {
            loops.push(start..order.len() as u32);
        }
    }
    (order, loops)
}
