//! A bounding volume hierarchy of boxes with keys.

use glam::Vec3;
use rapier3d::geometry::{Aabb, Ray};
use rapier3d::parry::partitioning::{Bvh, BvhWorkspace};

/// Greatest coordinate of a box, metres: volumes of boxes have to be finite.
const MAX_COORDINATE: f32 = 1e6;

/// Number of changes after which the tree is refitted, or half the number of boxes if that is more: a
/// refit costs time, and without one queries become slow.
const REFIT_CHANGES: u32 = 256;

/// A box in a [`KeyedBvh`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BvhLeaf(u32);

/// A tree of boxes, each with a key.
#[derive(Default)]
pub(super) struct KeyedBvh {
    bvh: Bvh,
    /// By leaf.
    keys: Vec<u64>,
    free: Vec<BvhLeaf>,
    /// Changes since the last refit.
    changes: u32,
    workspace: BvhWorkspace,
}

impl KeyedBvh {
    pub fn insert(&mut self, key: u64, bounds: &Aabb) -> BvhLeaf {
        let new = BvhLeaf(self.keys.len() as u32);
        let leaf = self.free.pop().unwrap_or(new);
        match self.keys.get_mut(leaf.0 as usize) {
            Some(slot) => *slot = key,
            None => self.keys.push(key),
        }
        self.update(leaf, bounds);
        leaf
    }

    pub fn update(&mut self, leaf: BvhLeaf, bounds: &Aabb) {
        self.bvh.insert(finite(bounds), leaf.0);
        self.count_change();
    }

    pub fn remove(&mut self, leaf: BvhLeaf) {
        self.bvh.remove(leaf.0);
        self.free.push(leaf);
        self.count_change();
    }

    /// Keys of the boxes that intersect a box.
    pub fn intersecting<'a>(&'a self, bounds: &'a Aabb) -> impl Iterator<Item = u64> + 'a {
        let leaves = self.bvh.intersect_aabb(bounds);
        leaves.filter_map(|leaf| self.keys.get(leaf as usize).copied())
    }

    /// The key of the nearest hit of a ray. `cast` casts it at the contents of one box, for a key and a
    /// greatest distance, and returns the distance of the hit.
    pub fn cast_ray(
        &self,
        ray: &Ray,
        max_distance: f32,
        cast: impl Fn(u64, f32) -> Option<f32>,
    ) -> Option<u64> {
        let cast = |leaf: u32, max_distance| {
            let key = self.keys.get(leaf as usize)?;
            cast(*key, max_distance)
        };
        let (leaf, _) = self.bvh.cast_ray(ray, max_distance, cast)?;
        self.keys.get(leaf as usize).copied()
    }

    /// Counts a change, and refits the tree after many: until then it keeps removed boxes, and boxes only
    /// grow.
    fn count_change(&mut self) {
        self.changes += 1;
        if self.changes > REFIT_CHANGES.max(self.bvh.leaf_count() / 2) {
            self.bvh.refit(&mut self.workspace);
            self.changes = 0;
        }
    }
}

/// Clamps a box, and replaces NaN bounds by the farthest ones: a box that is not a number is found by
/// every query instead of none.
fn finite(bounds: &Aabb) -> Aabb {
    let (low, high) = (Vec3::splat(-MAX_COORDINATE), Vec3::splat(MAX_COORDINATE));
    let clamp = |point: Vec3, replacement: Vec3| {
        Vec3::select(point.is_nan_mask(), replacement, point).clamp(low, high)
    };
    Aabb::new(clamp(bounds.mins, low), clamp(bounds.maxs, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// One of 1,000 boxes, by a number.
    fn numbered_box(number: u64) -> Aabb {
        let [x, y, z] = [0, 10, 20].map(|shift| (crate::seeds::mix(7, number) >> shift) & 255);
        let center = Vec3::new(x as f32, y as f32, z as f32);
        Aabb::from_half_extents(center, Vec3::splat(1.0 + (number % 9) as f32))
    }

    #[test]
    fn it_finds_what_a_search_through_all_finds() {
        use rapier3d::prelude::BoundingVolume;
        let (mut bvh, mut all) = (KeyedBvh::default(), BTreeMap::new());
        for step in 0..6000u64 {
            let key = crate::seeds::mix(step, 3) % 500;
            let bounds = numbered_box(step);
            match all.remove(&key) {
                Some((leaf, _)) if step % 3 == 0 => bvh.remove(leaf),
                Some((leaf, _)) => {
                    bvh.update(leaf, &bounds);
                    all.insert(key, (leaf, bounds));
                }
                None => {
                    let leaf = bvh.insert(key, &bounds);
                    all.insert(key, (leaf, bounds));
                }
            }
            if step % 50 != 0 {
                continue;
            }
            let query = numbered_box(step + 1_000_000);
            let mut found: Vec<u64> = bvh.intersecting(&query).collect();
            found.sort_unstable();
            let intersects = |(key, (_, bounds)): (&u64, &(BvhLeaf, Aabb))| {
                bounds.intersects(&query).then_some(*key)
            };
            let expected: Vec<u64> = all.iter().filter_map(intersects).collect();
            assert_eq!(found, expected, "step {step}");
        }
        for (_, (leaf, _)) in all {
            bvh.remove(leaf);
        }
        assert_eq!(bvh.intersecting(&numbered_box(1)).count(), 0);
        let leaf = bvh.insert(9, &Aabb::from_half_extents(Vec3::ZERO, Vec3::INFINITY));
        assert_eq!(bvh.intersecting(&numbered_box(1)).collect::<Vec<_>>(), [9]);
        bvh.remove(leaf);
    }
}
