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
pub struct Loops<K> {
    /// The segments, loop after loop.
    pub order: Vec<u32>,
    /// Each loop's range in that order.
    pub loops: Vec<Range<u32>>,
    /// Where each segment starts and ends, and its index, in this order.
    sorted: Vec<(K, K, u32)>,
    used: Vec<bool>,
}

impl<K> Default for Loops<K> {
    fn default() -> Self {
        Self {
            order: Vec::new(),
            loops: Vec::new(),
            sorted: Vec::new(),
            used: Vec::new(),
        }
    }
}

impl<K: Ord + Copy> Loops<K> {
    /// Links a set of segments in which every node is entered as often as it is left.
    pub fn link<T>(&mut self, segments: &[Segment<K, T>]) {
        self.sorted.clear();
        let indexed = segments.iter().enumerate();
        self.sorted
            .extend(indexed.map(|(at, segment)| (segment.from, segment.to, at as u32)));
        self.sorted.sort_unstable();
        self.used.clear();
        self.used.resize(segments.len(), false);
        self.order.clear();
        self.loops.clear();
        for first in 0..self.sorted.len() {
            let start = self.order.len() as u32;
            let mut at = Some(first);
            while let Some(here) = at.filter(|at| !self.used[*at]) {
                self.used[here] = true;
                let (_, to, segment) = self.sorted[here];
                self.order.push(segment);
                let begin = self.sorted.partition_point(|(from, ..)| *from < to);
                at = (begin..self.sorted.len())
                    .take_while(|next| self.sorted[*next].0 == to)
                    .find(|next| !self.used[*next]);
            }
            if self.order.len() as u32 > start {
                self.loops.push(start..self.order.len() as u32);
            }
        }
    }
}
