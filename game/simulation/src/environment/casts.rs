//! Questions about what the debris world does not have.

use std::collections::BTreeSet;

use glam::Vec3;
use rapier3d::geometry::{Aabb, Ray, RayIntersection};
use rapier3d::math::Pose;
use rapier3d::parry::query::{cast_shapes, intersection_test, ShapeCastHit, ShapeCastOptions};
use rapier3d::parry::shape::SharedShape;
use rapier3d::prelude::BoundingVolume;

use super::entry::ExternalEntry;
use super::streaming::EnvironmentStreaming;
use crate::debris::{BodyRef, ColliderDesc, RayHit};

/// No shape is moved farther than this, metres.
const FARTHEST: f32 = 1e6;

impl EnvironmentStreaming {
    /// What a ray of unit direction meets first.
    pub fn cast_ray(&self, origin: Vec3, direction: Vec3, longest: f32) -> Option<RayHit> {
        let ray = Ray::new(origin, direction);
        let meets = |key: u64, longest: f32| self.absent(key)?.cast_ray(&ray, longest);
        let distance = |key, longest| Some(meets(key, longest)?.time_of_impact);
        let (key, _) = self.tree.cast_ray(&ray, longest, distance)?;
        let hit = meets(key, longest)?;
        let point = origin + hit.time_of_impact * direction;
        let owner = Some(BodyRef::External(key));
        Some(RayHit::of(owner, point, hit.normal, hit.time_of_impact))
    }

    /// What a shape that moves in a unit direction meets first.
    pub fn cast_shape(
        &self,
        shape: &SharedShape,
        pose: &Pose,
        direction: Vec3,
        options: ShapeCastOptions,
    ) -> Option<RayHit> {
        let start = shape.compute_aabb(pose);
        let longest = options.max_time_of_impact.min(FARTHEST);
        let way = start.merged(&start.translated(direction * longest));
        let meets = |key: u64| {
            let hit = self
                .absent(key)?
                .cast_shape(shape, pose, direction, options)?;
            Some((key, hit))
        };
        let hits = self.near(&way).into_iter().filter_map(meets);
        let first = hits.min_by(|(_, a), (_, b)| a.time_of_impact.total_cmp(&b.time_of_impact));
        let (key, hit) = first?;
        let owner = Some(BodyRef::External(key));
        Some(RayHit::of(
            owner,
            hit.witness1,
            hit.normal1,
            hit.time_of_impact,
        ))
    }

    /// Everything that a shape touches.
    pub fn overlaps(&self, shape: &SharedShape, pose: &Pose) -> BTreeSet<BodyRef> {
        let touches = |key: &u64| {
            let entry = self.absent(*key);
            entry.is_some_and(|entry| entry.touches(shape, pose))
        };
        let near = self.near(&shape.compute_aabb(pose));
        let touched = near.into_iter().filter(touches);
        touched.map(BodyRef::External).collect()
    }

    fn absent(&self, key: u64) -> Option<&ExternalEntry> {
        let entry = self.entries.get(&key);
        entry.filter(|_| !self.present.contains(&key))
    }

    /// The keys of what is at a box, sorted: of what is equally far the first counts.
    fn near(&self, bounds: &Aabb) -> BTreeSet<u64> {
        self.tree.touched(bounds).collect()
    }
}

impl ExternalEntry {
    fn colliders(&self) -> impl Iterator<Item = (&ColliderDesc, Pose)> {
        let pose = self.external.motion.pose;
        let colliders = self.external.desc.colliders.iter();
        colliders.map(move |part| (part, pose * part.pose))
    }

    fn cast_ray(&self, ray: &Ray, longest: f32) -> Option<RayIntersection> {
        let hits = self.colliders().filter_map(|(part, pose)| {
            let shape = &part.shape;
            shape.cast_ray_and_get_normal(&pose, ray, longest, true)
        });
        hits.min_by(|a, b| a.time_of_impact.total_cmp(&b.time_of_impact))
    }

    /// The hit is told in world space, the first shape being the own, as in the debris world.
    fn cast_shape(
        &self,
        shape: &SharedShape,
        pose: &Pose,
        direction: Vec3,
        options: ShapeCastOptions,
    ) -> Option<ShapeCastHit> {
        let hits = self.colliders().filter_map(|(part, own)| {
            // Two shapes that nobody can cast onto each other do not meet.
            let still = Vec3::ZERO;
            let cast = cast_shapes(
                &own,
                still,
                &*part.shape,
                pose,
                direction,
                &**shape,
                options,
            );
            Some(cast.ok()??.transform1_by(&own))
        });
        hits.min_by(|a, b| a.time_of_impact.total_cmp(&b.time_of_impact))
    }

    fn touches(&self, shape: &SharedShape, pose: &Pose) -> bool {
        let mut colliders = self.colliders();
        colliders.any(|(part, own)| {
            intersection_test(pose, &**shape, &own, &*part.shape).unwrap_or(false)
        })
    }
}
