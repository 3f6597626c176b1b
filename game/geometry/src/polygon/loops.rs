//! Linking of directed segments into closed loops by the keys of their ends.

use std::ops::Range;

/// Number of segments up to which a single loop is looked for: the time grows with its square.
const FEW_SEGMENTS: usize = 16;

/// Directed segment of an outline, with data of the caller.
#[derive(Clone, Copy)]
pub struct Segment<K, T> {
    pub from: K,
    pub to: K,
    pub data: T,
}

/// Closed loops of segments; reused from one outline to the next.
pub struct Loops<K> {
    /// Segment indices, loop after loop.
    pub order: Vec<u32>,
    /// By loop: its range in `order`.
    pub loops: Vec<Range<u32>>,
    /// Start, end and index of each segment, sorted.
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

/// Whether a few segments follow each other as one loop that visits no key twice, as the edges of a face do.
fn is_single_loop<K: Eq, T>(segments: &[Segment<K, T>]) -> bool {
    let mut last = segments.last();
    segments.len() <= FEW_SEGMENTS
        && segments.iter().enumerate().all(|(at, segment)| {
            let before = last.replace(segment);
            let is_new = !segments[..at]
                .iter()
                .any(|other| other.from == segment.from);
            is_new && before.is_some_and(|before| before.to == segment.from)
        })
        && !segments.is_empty()
}

impl<K: Ord + Copy> Loops<K> {
    /// Links segments of which as many start as end at every key. Loops start with their smallest segments,
    /// by the keys of the ends, and come in the order of these.
    pub fn link<T>(&mut self, segments: &[Segment<K, T>]) {
        self.order.clear();
        self.loops.clear();
        if is_single_loop(segments) {
            let count = segments.len() as u32;
            let first = (0..count).min_by_key(|at| segments[*at as usize].from);
            let first = first.unwrap_or(0);
            self.order.extend((first..count).chain(0..first));
            self.loops.push(0..count);
        } else {
            self.link_any(segments);
        }
    }

    fn link_any<T>(&mut self, segments: &[Segment<K, T>]) {
        self.sorted.clear();
        let segments = (0..).zip(segments);
        self.sorted
            .extend(segments.map(|(at, segment)| (segment.from, segment.to, at)));
        self.sorted.sort_unstable();
        self.used.clear();
        self.used.resize(self.sorted.len(), false);
        for first in 0..self.sorted.len() {
            let start = self.order.len() as u32;
            let mut next = Some(first);
            while let Some(at) = next.filter(|at| !self.used[*at]) {
                self.used[at] = true;
                let (_, to, segment) = self.sorted[at];
                self.order.push(segment);
                let begin = self.sorted.partition_point(|(from, ..)| *from < to);
                next = (begin..self.sorted.len())
                    .take_while(|at| self.sorted[*at].0 == to)
                    .find(|at| !self.used[*at]);
            }
            if self.order.len() as u32 > start {
                self.loops.push(start..self.order.len() as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Segments from each key to the next.
    fn chain(keys: &[u32]) -> Vec<Segment<u32, ()>> {
        let next = keys.iter().cycle().skip(1);
        let ends = keys.iter().zip(next);
        ends.map(|(&from, &to)| Segment { from, to, data: () })
            .collect()
    }

    #[test]
    fn a_loop_in_order_is_linked_as_by_sorting() {
        // The last ones meet themselves: two loops, and one that is too long to be looked through.
        let long: Vec<u32> = (0..40).map(|k| (k + 13) % 40).collect();
        for keys in [&[4, 9, 2, 7][..], &[1, 2, 3], &[5], &[3, 1, 3, 2], &long] {
            let segments = chain(keys);
            let (mut linked, mut sorted) = (Loops::default(), Loops::default());
            linked.link(&segments);
            sorted.link_any(&segments);
            assert_eq!(linked.order, sorted.order, "{keys:?}");
            assert_eq!(linked.loops, sorted.loops, "{keys:?}");
        }
    }
}
