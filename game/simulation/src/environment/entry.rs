//! One mirror of the embedding layer's world.

use glam::Vec3;
use rapier3d::geometry::Aabb;
use rapier3d::prelude::BoundingVolume;

use super::bvh::{BvhLeaf, KeyedBvh};
use super::occupancy::{CellOccupancy, AHEAD};
use crate::debris::{BodyType, ExternalBody};
use crate::types::Motion;

/// The box of what moves is larger by this all around, metres, so that it does not change in each step.
const SLACK: f32 = 0.5;

/// What moves by poses alone has no velocity; it goes so far within [`AHEAD`], in steps.
const STEPS_AHEAD: f32 = AHEAD * 60.0;

/// The farthest that is looked ahead, metres.
const FARTHEST: f32 = 50.0;

/// A mirror, and where it is.
pub(super) struct ExternalEntry {
    pub external: ExternalBody,
    /// Its box in the tree, world space: where it is and soon will be.
    pub bounds: Aabb,
    /// Whether someone is going to see if it is far from everything.
    pub doubted: bool,
    /// Where it is among debris, when debris touches it.
    pub haunt: CellOccupancy,
    local: Aabb,
    leaf: Option<BvhLeaf>,
}

impl ExternalEntry {
    pub fn new(external: ExternalBody) -> Self {
        let local = external.desc.local_bounds();
        Self {
            bounds: local.transform_by(&external.motion.pose),
            doubted: false,
            haunt: CellOccupancy::new(local),
            local,
            leaf: None,
            external,
        }
    }

    /// Puts its box into a tree.
    pub fn place(&mut self, tree: &mut KeyedBvh, key: u64) {
        let way = self.external.motion.linear * AHEAD;
        self.bounds = self.enlarged(&self.soon(way));
        self.leaf = Some(tree.insert(key, &self.bounds));
    }

    /// Takes its box out again.
    pub fn unplace(&mut self, tree: &mut KeyedBvh) {
        if let Some(leaf) = self.leaf.take() {
            tree.remove(leaf);
        }
    }

    /// Takes note of where it is now; whether it has another box.
    pub fn follow(&mut self, tree: &mut KeyedBvh, motion: Motion) -> bool {
        let moved = motion.pose.translation - self.external.motion.pose.translation;
        let way = [motion.linear * AHEAD, moved * STEPS_AHEAD];
        let way = way
            .into_iter()
            .max_by(|a, b| a.length().total_cmp(&b.length()));
        self.external.motion = motion;
        let bounds = self.soon(way.unwrap_or_default());
        if self.bounds.contains(&bounds) {
            return false;
        }
        self.bounds = self.enlarged(&bounds);
        if let Some(leaf) = self.leaf {
            tree.update(leaf, &self.bounds);
        }
        true
    }

    fn soon(&self, way: Vec3) -> Aabb {
        let here = self.local.transform_by(&self.external.motion.pose);
        here.merged(&here.translated(way.clamp_length_max(FARTHEST)))
    }

    fn enlarged(&self, bounds: &Aabb) -> Aabb {
        match self.external.desc.body_type {
            BodyType::Fixed => *bounds,
            BodyType::Kinematic | BodyType::Dynamic(_) => bounds.loosened(SLACK),
        }
    }
}
