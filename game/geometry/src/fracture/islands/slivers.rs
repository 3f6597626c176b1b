//! Merging of slivers: each joins the neighbour with which it shares the largest cap, the smallest sliver
//! first.

use crate::fracture::ids::ComponentId;
use crate::fracture::islands::contacts::ComponentContact;
use crate::math::{UnionFind, NONE};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Scratch memory for merging slivers.
#[derive(Default)]
pub struct SliverScratch {
    /// Contacts as linked lists, one list for each component.
    contacts: Vec<ListedContact>,
    /// By component: first and last contact of its list.
    lists: Vec<[u32; 2]>,
    /// Slivers by volume, the smallest first.
    heap: BinaryHeap<Reverse<(i64, ComponentId)>>,
    areas: Vec<(ComponentId, f64)>,
}

/// Contact, seen from one of its components.
struct ListedContact {
    neighbor: ComponentId,
    area: f64,
    /// Next contact of the list, or [`NONE`].
    next: u32,
}

/// Merges small components into their neighbours.
pub struct SliverMerger<'a> {
    merged: &'a UnionFind,
    volumes: &'a mut [f64],
    scratch: &'a mut SliverScratch,
}

impl<'a> SliverMerger<'a> {
    /// Prepares the merging. `merged` has the merged components, `volumes` the sum of each at its root; both
    /// are updated.
    pub fn new(
        merged: &'a UnionFind,
        volumes: &'a mut [f64],
        scratch: &'a mut SliverScratch,
    ) -> Self {
        Self {
            merged,
            volumes,
            scratch,
        }
    }

    /// Merges every component below a volume that has a neighbour; returns their number.
    pub fn merge_below(&mut self, min_volume: f64, contacts: &[ComponentContact]) -> u32 {
        self.scratch.heap.clear();
        for component in (0..self.volumes.len() as u32).map(ComponentId) {
            if self.root(component) == component && self.volumes[component.index()] < min_volume {
                self.push(component);
            }
        }
        if self.scratch.heap.is_empty() {
            return 0;
        }
        self.list_contacts(contacts);
        let mut count = 0;
        while let Some(Reverse((key, sliver))) = self.scratch.heap.pop() {
            if self.root(sliver) != sliver || self.volume_key(sliver) != key {
                continue; // merged, or grown
            }
            let Some(neighbor) = self.largest_neighbor(sliver) else {
                continue;
            };
            let merged = self.merge(sliver, neighbor);
            count += 1;
            if self.volumes[merged.index()] < min_volume {
                self.push(merged);
            }
        }
        count
    }

    fn push(&mut self, sliver: ComponentId) {
        let key = self.volume_key(sliver);
        self.scratch.heap.push(Reverse((key, sliver)));
    }

    fn list_contacts(&mut self, contacts: &[ComponentContact]) {
        self.scratch.contacts.clear();
        self.scratch.lists.clear();
        self.scratch.lists.resize(self.volumes.len(), [NONE; 2]);
        for contact in contacts {
            let [one, other] = contact.components.map(|component| self.root(component));
            for (own, neighbor) in [(one, other), (other, one)] {
                let at = self.scratch.contacts.len() as u32;
                self.scratch.contacts.push(ListedContact {
                    neighbor,
                    area: contact.area,
                    next: NONE,
                });
                self.append(own, [at, at]);
            }
        }
    }

    /// Appends a list to that of a component.
    fn append(&mut self, component: ComponentId, list: [u32; 2]) {
        let SliverScratch {
            contacts, lists, ..
        } = &mut *self.scratch;
        let own = &mut lists[component.index()];
        match (*own, list) {
            (_, [NONE, _]) => {}
            ([NONE, _], _) => *own = list,
            ([_, last], [first, end]) => {
                contacts[last as usize].next = first;
                own[1] = end;
            }
        }
    }

    /// Merges two roots; the larger one stays a root.
    fn merge(&mut self, one: ComponentId, other: ComponentId) -> ComponentId {
        let volume = |component: ComponentId| self.volumes[component.index()];
        let (from, into) = if volume(other) >= volume(one) {
            (one, other)
        } else {
            (other, one)
        };
        self.merged.attach(from.0, into.0);
        self.volumes[into.index()] += self.volumes[from.index()];
        self.append(into, self.scratch.lists[from.index()]);
        into
    }

    /// Component that shares the largest cap area with another one.
    fn largest_neighbor(&mut self, component: ComponentId) -> Option<ComponentId> {
        let mut areas = std::mem::take(&mut self.scratch.areas);
        areas.clear();
        let mut at = self.scratch.lists[component.index()][0];
        while at != NONE {
            let contact = &self.scratch.contacts[at as usize];
            let neighbor = self.root(contact.neighbor);
            if neighbor != component {
                areas.push((neighbor, contact.area));
            }
            at = contact.next;
        }
        areas.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let sums = areas.chunk_by(|a, b| a.0 == b.0).map(|same| {
            let area: f64 = same.iter().map(|(_, area)| area).sum();
            (same[0].0, area)
        });
        let largest = sums.reduce(|best, next| if next.1 > best.1 { next } else { best });
        self.scratch.areas = areas;
        largest.map(|(neighbor, _)| neighbor)
    }

    fn root(&self, component: ComponentId) -> ComponentId {
        ComponentId(self.merged.find(component.0))
    }

    /// Volume as an integer of the same order.
    fn volume_key(&self, component: ComponentId) -> i64 {
        let bits = self.volumes[component.index()].to_bits() as i64;
        bits ^ (((bits >> 63) as u64) >> 1) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of merged slivers, and the root of each component.
    fn merge(
        min_volume: f64,
        volumes: &mut [f64],
        contacts: &[(u32, u32, f64)],
    ) -> (u32, Vec<u32>) {
        let merged = UnionFind::new(volumes.len());
        let contacts: Vec<ComponentContact> = contacts
            .iter()
            .map(|&(a, b, area)| ComponentContact::new(ComponentId(a), ComponentId(b), area))
            .collect();
        let count = SliverMerger::new(&merged, volumes, &mut SliverScratch::default())
            .merge_below(min_volume, &contacts);
        let components = 0..volumes.len() as u32;
        (count, components.map(|c| merged.find(c)).collect())
    }

    #[test]
    fn slivers_join_the_largest_neighbour_and_grow_until_they_are_none() {
        let mut volumes = [10.0, 0.2, 0.3, 5.0];
        let contacts = [(0, 1, 1.0), (1, 2, 2.0), (2, 3, 0.5), (0, 2, 0.6)];
        // 1 joins 2 (0.5 together), which joins 0 (1.6 of area) and not 3.
        let (count, roots) = merge(1.0, &mut volumes, &contacts);
        assert_eq!(count, 2);
        assert_eq!(roots, [0, 0, 0, 3]);
        assert_eq!(volumes[0], 10.5);
    }

    #[test]
    fn negative_slivers_come_first_and_lonely_ones_stay() {
        let mut volumes = [1.0, -0.1, 0.1];
        let (count, roots) = merge(0.5, &mut volumes, &[(0, 1, 1.0)]);
        assert_eq!((count, roots), (1, vec![0, 0, 2]));
    }
}
