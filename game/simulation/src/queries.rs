//! Queries about all bodies together as of the last step: free pieces, anchored remainders, intact bodies
//! and external bodies. They wait for a running debris step.

use glam::Vec3;
use rapier3d::geometry::Aabb;
use rapier3d::math::Pose;
use rapier3d::parry::query::ShapeCastOptions;
use rapier3d::parry::shape::SharedShape;

use crate::debris::{BodyRef, RayHit};
use crate::pieces::components::Debris;
use crate::simulation::Simulation;
use crate::types::BodyId;

impl Simulation {
    /// The first body on a ray within `max_distance` metres. The direction has any length but 0; `None`
    /// as well for numbers that are not finite.
    pub fn cast_ray(&self, origin: Vec3, direction: Vec3, max_distance: f32) -> Option<RayHit> {
        self.cast_ray_except(origin, direction, max_distance, &[])
    }

    /// As [`Simulation::cast_ray`], through some bodies as if they were not there.
    pub(crate) fn cast_ray_except(
        &self,
        origin: Vec3,
        direction: Vec3,
        max_distance: f32,
        except: &[BodyRef],
    ) -> Option<RayHit> {
        let direction = direction.try_normalize()?;
        let is_valid = origin.is_finite() && max_distance > 0.0;
        if !is_valid {
            return None;
        }
        let world = self.debris.wait();
        let streaming = &self.environment.streaming;
        nearest(
            world.cast_ray(origin, direction, max_distance, except),
            streaming.cast_ray(origin, direction, max_distance, except),
        )
    }

    /// A box around the colliders of a body, world space; `None` if it has none.
    pub(crate) fn collider_bounds(&self, body: BodyRef) -> Option<Aabb> {
        let active = self.debris.wait().bounds(body);
        active.or_else(|| self.environment.streaming.bounds(body.external()?))
    }

    /// The first body that a shape meets while it moves by at most `max_distance` metres. The distance is
    /// 0 if it starts inside a body.
    pub fn cast_shape(
        &self,
        shape: &SharedShape,
        pose: Pose,
        direction: Vec3,
        max_distance: f32,
    ) -> Option<RayHit> {
        let direction = direction.try_normalize()?;
        let is_valid = pose.is_finite() && max_distance > 0.0;
        if !is_valid {
            return None;
        }
        let options = ShapeCastOptions {
            max_time_of_impact: max_distance,
            compute_impact_geometry_on_penetration: true,
            ..ShapeCastOptions::default()
        };
        let world = self.debris.wait();
        let streaming = &self.environment.streaming;
        nearest(
            world.cast_shape(shape, &pose, direction, options),
            streaming.cast_shape(shape, &pose, direction, options),
        )
    }

    /// All bodies that a shape overlaps, in order.
    pub fn overlap_shape(&self, shape: &SharedShape, pose: Pose) -> Vec<BodyRef> {
        if !pose.is_finite() {
            return Vec::new();
        }
        let mut bodies = self.debris.wait().overlap_shape(shape, pose);
        bodies.extend(self.environment.streaming.overlap_shape(shape, &pose));
        bodies.into_iter().collect()
    }

    /// The point of a breakable body's surface nearest to a point, and the outward unit vector there.
    /// `None` for a body without colliders, and for a point on the surface.
    pub fn nearest_surface(&self, body: BodyId, point: Vec3) -> Option<[Vec3; 2]> {
        if !point.is_finite() {
            return None;
        }
        self.debris.wait().nearest_surface(body, point)
    }

    /// Pushes a free piece without breaking it. `impulse` computes the impulse, N s, from the piece's
    /// mass, kg. `false` if the body is no free piece.
    pub fn push(&mut self, body: BodyId, point: Vec3, impulse: impl FnOnce(f32) -> Vec3) -> bool {
        if !(self.world.satisfies::<&Debris>(body.0) && point.is_finite()) {
            return false;
        }
        let world = self.debris.wait_mut();
        let impulse = world.mass(body).map(impulse);
        let Some(impulse) = impulse.filter(|impulse| impulse.is_finite()) else {
            return false;
        };
        world.apply_impulse(body, impulse, point);
        true
    }
}

/// The nearer of two hits: on a body in the debris world, and on an inactive external body.
fn nearest(active: Option<RayHit>, inactive: Option<RayHit>) -> Option<RayHit> {
    let hits = active.into_iter().chain(inactive);
    hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
}
