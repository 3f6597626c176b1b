//! All bodies together as of the last step: free pieces, anchored remainders, intact bodies and external bodies.

use glam::Vec3;
use rapier3d::geometry::Aabb;
use rapier3d::math::Pose;
use rapier3d::parry::query::ShapeCastOptions;
use rapier3d::parry::shape::SharedShape;

use super::streaming::EnvironmentStreaming;
use crate::debris::{BodyRef, DebrisWorld, RayHit};
use crate::types::{is_in_range, is_pose, BodyId};

/// The bodies in the debris world and the inactive external bodies, for queries. Anything that is not finite meets
/// none of them.
pub(crate) struct AllBodies<'a> {
    pub world: &'a DebrisWorld,
    pub streaming: &'a EnvironmentStreaming,
}

impl AllBodies<'_> {
    /// The first body on a ray that is none of `except`; see
    /// [`Simulation::cast_ray`](crate::Simulation::cast_ray).
    pub fn cast_ray(
        &self,
        origin: Vec3,
        direction: Vec3,
        max_distance: f32,
        except: &[BodyRef],
    ) -> Option<RayHit> {
        let direction = direction.try_normalize()?;
        let is_valid = is_in_range(origin) && max_distance > 0.0;
        if !is_valid {
            return None;
        }
        nearest(
            self.world.cast_ray(origin, direction, max_distance, except),
            self.streaming
                .cast_ray(origin, direction, max_distance, except),
        )
    }

    /// The first body that a moving shape meets; see [`Simulation::cast_shape`](crate::Simulation::cast_shape).
    pub fn cast_shape(
        &self,
        shape: &SharedShape,
        pose: Pose,
        direction: Vec3,
        max_distance: f32,
    ) -> Option<RayHit> {
        let direction = direction.try_normalize()?;
        let is_valid = is_pose(&pose) && max_distance > 0.0;
        if !is_valid {
            return None;
        }
        let options = ShapeCastOptions {
            max_time_of_impact: max_distance,
            compute_impact_geometry_on_penetration: true,
            ..ShapeCastOptions::default()
        };
        nearest(
            self.world.cast_shape(shape, &pose, direction, options),
            self.streaming.cast_shape(shape, &pose, direction, options),
        )
    }

    /// All bodies that a shape overlaps, in order.
    pub fn overlap_shape(&self, shape: &SharedShape, pose: Pose) -> Vec<BodyRef> {
        if !is_pose(&pose) {
            return Vec::new();
        }
        let mut bodies = self.world.overlap_shape(shape, pose);
        bodies.extend(self.streaming.overlap_shape(shape, &pose));
        bodies.into_iter().collect()
    }

    /// The nearest surface of a body; see [`Simulation::nearest_surface`](crate::Simulation::nearest_surface).
    pub fn nearest_surface(&self, body: BodyId, point: Vec3) -> Option<[Vec3; 2]> {
        if !is_in_range(point) {
            return None;
        }
        self.world.nearest_surface(body, point)
    }

    /// A box around the colliders of a body, world space; `None` if it has none.
    pub fn bounds(&self, body: BodyRef) -> Option<Aabb> {
        let active = self.world.bounds(body);
        active.or_else(|| self.streaming.bounds(body.external()?))
    }
}

/// The nearer of two hits: on a body in the debris world, and on an inactive external body.
fn nearest(active: Option<RayHit>, inactive: Option<RayHit>) -> Option<RayHit> {
    let hits = active.into_iter().chain(inactive);
    hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
}
