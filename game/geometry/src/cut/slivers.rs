//! Slivers join the neighbour with which they share the largest cap, the smallest sliver first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The component that stands for what a component has joined.
pub fn root(joined: &[u32], mut component: u32) -> u32 {
    while joined[component as usize] != component {
        component = joined[component as usize];
    }
    component
}

/// Joins small components to their neighbours.
pub struct Slivers<'a> {
    joined: &'a mut [u32],
    volumes: &'a mut [f64],
    /// By component: neighbours and the cap area shared with them.
    beside: Vec<Vec<(u32, f64)>>,
}

impl<'a> Slivers<'a> {
    /// `caps` are pairs of components and the area between them; `joined` and `volumes` are by
    /// component and get changed.
    pub fn new(caps: &[(u32, u32, f64)], joined: &'a mut [u32], volumes: &'a mut [f64]) -> Self {
        let mut beside = vec![Vec::new(); joined.len()];
        let mut slivers = Self {
            joined,
            volumes,
            beside: Vec::new(),
        };
        for &(one, other, area) in caps {
            let (one, other) = (slivers.root(one), slivers.root(other));
            beside[one as usize].push((other, area));
            beside[other as usize].push((one, area));
        }
        slivers.beside = beside;
        slivers
    }

    /// Joins every component below the volume that has a neighbour; returns how many.
    pub fn join_below(&mut self, least: f64) -> u32 {
        let roots = (0..self.joined.len() as u32).filter(|&c| self.root(c) == c);
        let small = roots.filter(|&c| self.volumes[c as usize] < least);
        let mut heap: BinaryHeap<_> = small.map(|c| Reverse((self.order(c), c))).collect();
        let mut count = 0;
        while let Some(Reverse((order, sliver))) = heap.pop() {
            if self.root(sliver) != sliver || self.order(sliver) != order {
                continue; // has joined another, or grown
            }
            let Some(neighbor) = self.largest_neighbor(sliver) else {
                continue;
            };
            let whole = self.join(sliver, neighbor);
            count += 1;
            if self.volumes[whole as usize] < least {
                heap.push(Reverse((self.order(whole), whole)));
            }
        }
        count
    }

    /// Joins two components; the larger gives its name to both.
    fn join(&mut self, one: u32, other: u32) -> u32 {
        let volume = |c: u32| self.volumes[c as usize];
        let (from, into) = match volume(other) >= volume(one) {
            true => (one, other),
            false => (other, one),
        };
        self.joined[from as usize] = into;
        self.volumes[into as usize] += self.volumes[from as usize];
        let list = std::mem::take(&mut self.beside[from as usize]);
        self.beside[into as usize].extend(list);
        into
    }

    /// The component with which another shares the most cap area.
    fn largest_neighbor(&self, of: u32) -> Option<u32> {
        let around = self.beside[of as usize].iter();
        let mut areas: Vec<(u32, f64)> = around
            .map(|&(neighbor, area)| (self.root(neighbor), area))
            .filter(|(neighbor, _)| *neighbor != of)
            .collect();
        areas.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let sums = areas.chunk_by(|a, b| a.0 == b.0).map(|same| {
            let area: f64 = same.iter().map(|s| s.1).sum();
            (same[0].0, area)
        });
        let largest = sums.reduce(|best, next| if next.1 > best.1 { next } else { best });
        largest.map(|(neighbor, _)| neighbor)
    }

    fn root(&self, component: u32) -> u32 {
        root(self.joined, component)
    }

    /// The volume as a key with a total order.
    fn order(&self, component: u32) -> i64 {
        let bits = self.volumes[component as usize].to_bits() as i64;
        bits ^ (((bits >> 63) as u64) >> 1) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slivers_join_the_largest_neighbour_and_grow_until_they_are_none() {
        let mut joined = [0, 1, 2, 3];
        let mut volumes = [10.0, 0.2, 0.3, 5.0];
        let caps = [(0, 1, 1.0), (1, 2, 2.0), (2, 3, 0.5), (0, 2, 0.6)];
        let count = Slivers::new(&caps, &mut joined, &mut volumes).join_below(1.0);
        // 1 joins 2 (0.5 together), which joins 0 (1.6 of area) and not 3.
        assert_eq!(count, 2);
        let roots: Vec<u32> = (0..4).map(|c| root(&joined, c)).collect();
        assert_eq!(roots, [0, 0, 0, 3]);
        assert_eq!(volumes[0], 10.5);
    }

    #[test]
    fn negative_slivers_come_first_and_lonely_ones_stay() {
        let mut joined = [0, 1, 2];
        let mut volumes = [1.0, -0.1, 0.1];
        let count = Slivers::new(&[(0, 1, 1.0)], &mut joined, &mut volumes).join_below(0.5);
        assert_eq!((count, joined), (1, [0, 0, 2]));
    }
}
