//! One mirror of the embedding layer's world.

use glam::Vec3;
use rapier3d::geometry::Aabb;
use rapier3d::prelude::BoundingVolume;

use crate::body::Motion;
use crate::debris::{BodyType, ExternalBody};
use crate::near::{Haunt, Leaf, Tree, AHEAD};

/// The box of what moves is larger by this all around, metres, so that it does not change in each step.
const SLACK: f32 = 0.5;

/// What moves by poses alone has no velocity; it goes so far within [`AHEAD`], in steps.
const STEPS_AHEAD: f32 = AHEAD * 60.0;

/// The farthest that is looked ahead, metres.
const FARTHEST: f32 = 50.0;

/// A mirror, and where it is.
pub(super) struct Entry {
    pub surrounding: ExternalBody,
    /// Its box in the tree, world space: where it is and soon will be.
    pub bounds: Aabb,
    /// Whether someone is going to see if it is far from everything.
    pub doubted: bool,
    /// Where it is among debris, when debris touches it.
    pub haunt: Haunt,
    local: Aabb,
    leaf: Option<Leaf>,
}

impl Entry {
    pub fn new(surrounding: ExternalBody) -> Self {
        let local = surrounding.mirror.local_bounds();
        Self {
            bounds: local.transform_by(&surrounding.motion.pose),
            doubted: false,
            haunt: Haunt::new(local),
            local,
            leaf: None,
            surrounding,
        }
    }

    /// Puts its box into a tree.
    pub fn place(&mut self, tree: &mut Tree, key: u64) {
        let way = self.surrounding.motion.linear * AHEAD;
        self.bounds = self.enlarged(&self.soon(way));
        self.leaf = Some(tree.insert(key, &self.bounds));
    }

    /// Takes its box out again.
    pub fn unplace(&mut self, tree: &mut Tree) {
        if let Some(leaf) = self.leaf.take() {
            tree.remove(leaf);
        }
    }

    /// Takes note of where it is now; whether it has another box.
    pub fn follow(&mut self, tree: &mut Tree, motion: Motion) -> bool {
        let moved = motion.pose.translation - self.surrounding.motion.pose.translation;
        let way = [motion.linear * AHEAD, moved * STEPS_AHEAD];
        let way = way
            .into_iter()
            .max_by(|a, b| a.length().total_cmp(&b.length()));
        self.surrounding.motion = motion;
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
        let here = self.local.transform_by(&self.surrounding.motion.pose);
        here.merged(&here.translated(way.clamp_length_max(FARTHEST)))
    }

    fn enlarged(&self, bounds: &Aabb) -> Aabb {
        match self.surrounding.mirror.moves {
            BodyType::Fixed => *bounds,
            BodyType::Kinematic | BodyType::Dynamic(_) => bounds.loosened(SLACK),
        }
    }
}
