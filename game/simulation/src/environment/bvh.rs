//! Boxes, found by place.

use glam::Vec3;
use rapier3d::geometry::{Aabb, Ray};
use rapier3d::parry::partitioning::{Bvh, BvhWorkspace};

/// Nothing is farther away than this, metres: volumes of boxes have to be numbers.
const FARTHEST: f32 = 1e6;

/// After so many changes, and as many as a half of all boxes, the tree is put in order.
const CHANGES: u32 = 256;

/// The place of a box in a [`KeyedBvh`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BvhLeaf(u32);

/// A tree of boxes, each with a key.
#[derive(Default)]
pub(crate) struct KeyedBvh {
    bvh: Bvh,
    keys: Vec<u64>,
    free: Vec<BvhLeaf>,
    changes: u32,
    workspace: BvhWorkspace,
}

impl KeyedBvh {
    pub fn insert(&mut self, key: u64, bounds: &Aabb) -> BvhLeaf {
        let leaf = self.free.pop().unwrap_or(BvhLeaf(self.keys.len() as u32));
        match self.keys.get_mut(leaf.0 as usize) {
            Some(own) => *own = key,
            None => self.keys.push(key),
        }
        self.update(leaf, bounds);
        leaf
    }

    pub fn update(&mut self, leaf: BvhLeaf, bounds: &Aabb) {
        self.bvh.insert(bounded(bounds), leaf.0);
        self.note_change();
    }

    pub fn remove(&mut self, leaf: BvhLeaf) {
        self.bvh.remove(leaf.0);
        self.free.push(leaf);
        self.note_change();
    }

    /// The keys of boxes that a box meets.
    pub fn touched<'a>(&'a self, bounds: &'a Aabb) -> impl Iterator<Item = u64> + 'a {
        let leaves = self.bvh.intersect_aabb(bounds);
        leaves.filter_map(|leaf| self.keys.get(leaf as usize).copied())
    }

    /// The nearest that a ray meets; `distance` tells how far it is, for a key and a distance that it
    /// may be at most.
    pub fn cast_ray(
        &self,
        ray: &Ray,
        longest: f32,
        distance: impl Fn(u64, f32) -> Option<f32>,
    ) -> Option<(u64, f32)> {
        let distance = |leaf: u32, longest| distance(*self.keys.get(leaf as usize)?, longest);
        let (leaf, distance) = self.bvh.cast_ray(ray, longest, distance)?;
        Some((*self.keys.get(leaf as usize)?, distance))
    }

    /// A tree keeps what was removed, and boxes only grow, until it is put in order.
    fn note_change(&mut self) {
        self.changes += 1;
        if self.changes > CHANGES.max(self.bvh.leaf_count() / 2) {
            self.bvh.refit(&mut self.workspace);
            self.changes = 0;
        }
    }
}

/// A box of numbers that are no numbers is everywhere.
fn bounded(bounds: &Aabb) -> Aabb {
    let (low, high) = (Vec3::splat(-FARTHEST), Vec3::splat(FARTHEST));
    let inside = |point: Vec3, otherwise: Vec3| {
        Vec3::select(point.is_nan_mask(), otherwise, point).clamp(low, high)
    };
    Aabb::new(inside(bounds.mins, low), inside(bounds.maxs, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A box among 1,000, by a number.
    fn place(number: u64) -> Aabb {
        let [x, y, z] = [0, 10, 20].map(|shift| (crate::seeds::mix(7, number) >> shift) & 255);
        let center = Vec3::new(x as f32, y as f32, z as f32);
        Aabb::from_half_extents(center, Vec3::splat(1.0 + (number % 9) as f32))
    }

    #[test]
    fn it_finds_what_a_search_through_all_finds() {
        use rapier3d::prelude::BoundingVolume;
        let (mut tree, mut all) = (KeyedBvh::default(), BTreeMap::new());
        for step in 0..6000u64 {
            let key = crate::seeds::mix(step, 3) % 500;
            let bounds = place(step);
            match all.remove(&key) {
                Some((leaf, _)) if step % 3 == 0 => tree.remove(leaf),
                Some((leaf, _)) => {
                    tree.update(leaf, &bounds);
                    all.insert(key, (leaf, bounds));
                }
                None => {
                    let leaf = tree.insert(key, &bounds);
                    all.insert(key, (leaf, bounds));
                }
            }
            if step % 50 != 0 {
                continue;
            }
            let asked = place(step + 1_000_000);
            let mut found: Vec<u64> = tree.touched(&asked).collect();
            found.sort_unstable();
            let meets = |(key, (_, bounds)): (&u64, &(BvhLeaf, Aabb))| {
                bounds.intersects(&asked).then_some(*key)
            };
            let expected: Vec<u64> = all.iter().filter_map(meets).collect();
            assert_eq!(found, expected, "step {step}");
        }
        for (_, (leaf, _)) in all {
            tree.remove(leaf);
        }
        assert_eq!(tree.touched(&place(1)).count(), 0);
        let leaf = tree.insert(9, &Aabb::from_half_extents(Vec3::ZERO, Vec3::INFINITY));
        assert_eq!(tree.touched(&place(1)).collect::<Vec<_>>(), [9]);
        tree.remove(leaf);
    }
}
