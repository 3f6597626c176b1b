//! One external body, its box in the tree, and queries about it while it is not in the debris world.

use glam::Vec3;
use rapier3d::geometry::{Aabb, Ray, RayIntersection};
use rapier3d::math::Pose;
use rapier3d::parry::query::{cast_shapes, intersection_test, ShapeCastHit, ShapeCastOptions};
use rapier3d::parry::shape::SharedShape;
use rapier3d::prelude::BoundingVolume;

use super::bvh::{BvhLeaf, KeyedBvh};
use super::grid::{CellOccupancy, PREDICTION_TIME};
use crate::debris::{BodyType, ColliderDesc, ExternalBody};
use crate::types::Motion;

/// Margin around the box of a body that moves, metres, so that the box does not change in each step.
const MOVING_MARGIN: f32 = 0.5;

/// Steps for which a motion by poses alone is predicted: [`PREDICTION_TIME`] at 60 Hz.
const PREDICTION_STEPS: f32 = PREDICTION_TIME * 60.0;

/// Greatest predicted way, metres.
const MAX_PREDICTED_WAY: f32 = 50.0;

/// An external body, and where it is.
pub(super) struct ExternalEntry {
    pub body: ExternalBody,
    /// Its box in the tree, world space: where it is and soon will be.
    pub bounds: Aabb,
    /// Whether it is in the deactivation queue.
    pub is_queued: bool,
    /// The cells that it occupies while debris touches it.
    pub occupancy: CellOccupancy,
    local_bounds: Aabb,
    leaf: Option<BvhLeaf>,
}

impl ExternalEntry {
    pub fn new(body: ExternalBody) -> Self {
        let local_bounds = body.desc.local_bounds();
        Self {
            bounds: local_bounds.transform_by(&body.motion.pose),
            is_queued: false,
            occupancy: CellOccupancy::new(local_bounds),
            local_bounds,
            leaf: None,
            body,
        }
    }

    /// Whether it only holds what touches it.
    pub fn is_anchor(&self) -> bool {
        matches!(self.body.desc.body_type, BodyType::Anchor)
    }

    /// Inserts its box into a tree.
    pub fn insert_into(&mut self, bvh: &mut KeyedBvh, key: u64) {
        let way = self.body.motion.linear * PREDICTION_TIME;
        self.bounds = self.with_margin(&self.predicted_bounds(way));
        self.leaf = Some(bvh.insert(key, &self.bounds));
    }

    /// Removes its box from the tree.
    pub fn remove_from(&mut self, bvh: &mut KeyedBvh) {
        if let Some(leaf) = self.leaf.take() {
            bvh.remove(leaf);
        }
    }

    /// Takes its new motion. Returns whether its box in the tree has changed.
    pub fn set_motion(&mut self, bvh: &mut KeyedBvh, motion: Motion) -> bool {
        let moved = motion.pose.translation - self.body.motion.pose.translation;
        let by_velocity = motion.linear * PREDICTION_TIME;
        let by_poses = moved * PREDICTION_STEPS;
        let is_longer = by_velocity.length().total_cmp(&by_poses.length()).is_gt();
        let way = if is_longer { by_velocity } else { by_poses };
        self.body.motion = motion;
        let bounds = self.predicted_bounds(way);
        if self.bounds.contains(&bounds) {
            return false;
        }
        self.bounds = self.with_margin(&bounds);
        if let Some(leaf) = self.leaf {
            bvh.update(leaf, &self.bounds);
        }
        true
    }

    fn predicted_bounds(&self, way: Vec3) -> Aabb {
        let here = self.local_bounds.transform_by(&self.body.motion.pose);
        here.merged(&here.translated(way.clamp_length_max(MAX_PREDICTED_WAY)))
    }

    fn with_margin(&self, bounds: &Aabb) -> Aabb {
        match self.body.desc.body_type {
            BodyType::Fixed | BodyType::Anchor => *bounds,
            BodyType::Kinematic | BodyType::Dynamic(_) => bounds.loosened(MOVING_MARGIN),
        }
    }

    /// The colliders with their poses in world space.
    fn colliders(&self) -> impl Iterator<Item = (&ColliderDesc, Pose)> {
        let pose = self.body.motion.pose;
        let colliders = self.body.desc.colliders.iter();
        colliders.map(move |collider| (collider, pose * collider.pose))
    }

    pub fn cast_ray(&self, ray: &Ray, max_distance: f32) -> Option<RayIntersection> {
        let hits = self.colliders().filter_map(|(collider, pose)| {
            let shape = &collider.shape;
            shape.cast_ray_and_get_normal(&pose, ray, max_distance, true)
        });
        hits.min_by(|a, b| a.time_of_impact.total_cmp(&b.time_of_impact))
    }

    /// Casts a shape at the colliders. The hit is in world space with the own shape as the first, as in
    /// the debris world; two shapes that parry cannot cast onto each other do not meet.
    pub fn cast_shape(
        &self,
        shape: &SharedShape,
        pose: &Pose,
        direction: Vec3,
        options: ShapeCastOptions,
    ) -> Option<ShapeCastHit> {
        let hits = self.colliders().filter_map(|(collider, own_pose)| {
            let own = &*collider.shape;
            let cast = cast_shapes(
                &own_pose,
                Vec3::ZERO,
                own,
                pose,
                direction,
                &**shape,
                options,
            );
            Some(cast.ok()??.transform1_by(&own_pose))
        });
        hits.min_by(|a, b| a.time_of_impact.total_cmp(&b.time_of_impact))
    }

    pub fn overlaps(&self, shape: &SharedShape, pose: &Pose) -> bool {
        self.colliders().any(|(collider, own_pose)| {
            intersection_test(pose, &**shape, &own_pose, &*collider.shape).unwrap_or(false)
        })
    }
}
