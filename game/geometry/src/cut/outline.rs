//! Directed segments, joined to loops by what made their ends.

use std::ops::Range;

/// A directed part of an outline, with whatever belongs to it.
#[derive(Clone, Copy)]
pub struct Segment<K, T> {
    pub from: K,
    pub to: K,
    pub data: T,
}

/// Loops of segments, found anew for every outline in the same memory.
#[derive(Default)]
pub struct Loops {
    /// The segments, loop after loop.
    pub order: Vec<u32>,
    /// Each loop's range in that order.
    pub loops: Vec<Range<u32>>,
    used: Vec<bool>,
}

impl Loops {
    /// Links a set of segments in which every node is entered as often as it is left. Sorts the
    /// segments.
    pub fn link<K: Ord + Copy, T>(&mut self, segments: &mut [Segment<K, T>]) {
        segments.sort_unstable_by_key(|s| (s.from, s.to));
        self.used.clear();
        self.used.resize(segments.len(), false);
        self.order.clear();
        self.loops.clear();
        for first in 0..segments.len() {
            let start = self.order.len() as u32;
            let mut at = Some(first);
            while let Some(here) = at.filter(|at| !self.used[*at]) {
                self.used[here] = true;
                self.order.push(here as u32);
                let to = segments[here].to;
                let begin = segments.partition_point(|s| s.from < to);
                at = (begin..segments.len())
                    .take_while(|next| segments[*next].from == to)
                    .find(|next| !self.used[*next]);
            }
            if self.order.len() as u32 > start {
                self.loops.push(start..self.order.len() as u32);
            }
        }
    }
}
