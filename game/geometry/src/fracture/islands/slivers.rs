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

/// Memory for joining slivers.
#[derive(Default)]
pub struct SliverScratch {
    /// Caps seen from one of their components: the other one, the area, and the next of the list.
    beside: Vec<(u32, f64, u32)>,
    /// By component: the first and the last of its list.
    ends: Vec<[u32; 2]>,
    heap: BinaryHeap<Reverse<(i64, u32)>>,
    areas: Vec<(u32, f64)>,
}

const NONE: u32 = u32::MAX;

/// Joins small components to their neighbours.
pub struct SliverMerger<'a> {
    joined: &'a mut [u32],
    volumes: &'a mut [f64],
    lists: &'a mut SliverScratch,
}

impl<'a> SliverMerger<'a> {
    /// `joined` and `volumes` are by component and get changed.
    pub fn new(
        joined: &'a mut [u32],
        volumes: &'a mut [f64],
        lists: &'a mut SliverScratch,
    ) -> Self {
        Self {
            joined,
            volumes,
            lists,
        }
    }

    /// Joins every component below the volume that has a neighbour; returns how many. `caps` are
    /// pairs of components and the area between them.
    pub fn join_below(&mut self, least: f64, caps: &[(u32, u32, f64)]) -> u32 {
        self.lists.heap.clear();
        for component in 0..self.joined.len() as u32 {
            if self.root(component) == component && self.volumes[component as usize] < least {
                let order = self.order(component);
                self.lists.heap.push(Reverse((order, component)));
            }
        }
        if self.lists.heap.is_empty() {
            return 0;
        }
        self.list(caps);
        let mut count = 0;
        while let Some(Reverse((order, sliver))) = self.lists.heap.pop() {
            if self.root(sliver) != sliver || self.order(sliver) != order {
                continue; // has joined another, or grown
            }
            let Some(neighbor) = self.largest_neighbor(sliver) else {
                continue;
            };
            let whole = self.join(sliver, neighbor);
            count += 1;
            if self.volumes[whole as usize] < least {
                let order = self.order(whole);
                self.lists.heap.push(Reverse((order, whole)));
            }
        }
        count
    }

    fn list(&mut self, caps: &[(u32, u32, f64)]) {
        self.lists.beside.clear();
        self.lists.ends.clear();
        self.lists.ends.resize(self.joined.len(), [NONE; 2]);
        for &(one, other, area) in caps {
            let (one, other) = (self.root(one), self.root(other));
            for (own, neighbor) in [(one, other), (other, one)] {
                let at = self.lists.beside.len() as u32;
                self.lists.beside.push((neighbor, area, NONE));
                self.append(own, [at, at]);
            }
        }
    }

    /// Appends a list to that of a component.
    fn append(&mut self, component: u32, list: [u32; 2]) {
        let SliverScratch { beside, ends, .. } = &mut *self.lists;
        let own = &mut ends[component as usize];
        match (*own, list) {
            (_, [NONE, _]) => {}
            ([NONE, _], _) => *own = list,
            ([_, last], [first, end]) => {
                beside[last as usize].2 = first;
                own[1] = end;
            }
        }
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
        let list = self.lists.ends[from as usize];
        self.append(into, list);
        into
    }

    /// The component with which another shares the most cap area.
    fn largest_neighbor(&mut self, of: u32) -> Option<u32> {
        let mut areas = std::mem::take(&mut self.lists.areas);
        areas.clear();
        let mut at = self.lists.ends[of as usize][0];
        while at != NONE {
            let (neighbor, area, next) = self.lists.beside[at as usize];
            let neighbor = self.root(neighbor);
            if neighbor != of {
                areas.push((neighbor, area));
            }
            at = next;
        }
        areas.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let sums = areas.chunk_by(|a, b| a.0 == b.0).map(|same| {
            let area: f64 = same.iter().map(|s| s.1).sum();
            (same[0].0, area)
        });
        let largest = sums.reduce(|best, next| if next.1 > best.1 { next } else { best });
        self.lists.areas = areas;
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
        let count = SliverMerger::new(&mut joined, &mut volumes, &mut SliverScratch::default())
            .join_below(1.0, &caps);
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
        let count = SliverMerger::new(&mut joined, &mut volumes, &mut SliverScratch::default())
            .join_below(0.5, &[(0, 1, 1.0)]);
        assert_eq!((count, joined), (1, [0, 0, 2]));
    }
}
