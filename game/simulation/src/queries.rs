//! Questions about what is where. They are answered for free pieces, anchored remainders, intact
//! bodies and the mirrored bodies of the embedding layer together, as of the last step.

use glam::Vec3;
use rapier3d::dynamics::RigidBodyHandle;
use rapier3d::math::Pose;
use rapier3d::parry::query::ShapeCastOptions;
use rapier3d::parry::shape::SharedShape;

use crate::debris::{BodyRef, RayHit};
use crate::pieces::components::{Debris, Proxy};
use crate::simulation::Simulation;
use crate::types::BodyId;

impl Simulation {
    /// The first thing on a ray. The direction has any length; nothing is met by one without, nor
    /// by numbers that are none.
    pub fn cast_ray(&self, origin: Vec3, direction: Vec3, longest: f32) -> Option<RayHit> {
        let direction = direction.try_normalize()?;
        let fine = origin.is_finite() && longest > 0.0;
        fine.then(|| {
            nearest([
                self.debris.cast_ray(origin, direction, longest),
                self.scenery.cast_ray(origin, direction, longest),
            ])
        })?
    }

    /// The first thing that a shape meets on its way. Where it starts inside something, the distance
    /// is 0.
    pub fn cast_shape(
        &self,
        shape: &SharedShape,
        pose: Pose,
        direction: Vec3,
        longest: f32,
    ) -> Option<RayHit> {
        let direction = direction.try_normalize()?;
        let fine = pose.is_finite() && longest > 0.0;
        let options = ShapeCastOptions {
            max_time_of_impact: longest,
            compute_impact_geometry_on_penetration: true,
            ..ShapeCastOptions::default()
        };
        fine.then(|| {
            nearest([
                self.debris.cast_shape(shape, &pose, direction, options),
                self.scenery.cast_shape(shape, &pose, direction, options),
            ])
        })?
    }

    /// The point of a body's surface nearest to a point, and the direction from there to it; from
    /// inside a convex one out of it. `None` for what is not collided with, and on the surface.
    pub fn nearest_surface(&self, body: BodyId, point: Vec3) -> Option<[Vec3; 2]> {
        let handle = self.debris_handle(body).filter(|_| point.is_finite())?;
        self.debris.nearest_surface(handle, point)
    }

    /// Pushes a free piece, N s, and breaks nothing: the impulse follows from its mass, kg. False for what is no free piece.
    pub fn push(&mut self, body: BodyId, point: Vec3, impulse: impl FnOnce(f32) -> Vec3) -> bool {
        let piece = self.world.get::<&Debris>(body.0).map(|piece| piece.handle);
        let Some(handle) = piece.ok().filter(|_| point.is_finite()) else {
            return false;
        };
        let impulse = self.debris.mass(handle).map(impulse);
        let Some(impulse) = impulse.filter(|impulse| impulse.is_finite()) else {
            return false;
        };
        self.debris.hit(handle, impulse, point);
        true
    }

    fn debris_handle(&self, body: BodyId) -> Option<RigidBodyHandle> {
        let entity = self.world.entity(body.0).ok()?;
        let piece = entity.get::<&Debris>().map(|debris| debris.handle);
        piece.or(entity.get::<&Proxy>().map(|proxy| proxy.0))
    }

    /// Everything that a shape touches, ordered by owner.
    pub fn overlaps(&self, shape: &SharedShape, pose: Pose) -> Vec<BodyRef> {
        if !pose.is_finite() {
            return Vec::new();
        }
        let mut touched = self.debris.overlaps(shape, pose);
        touched.extend(self.scenery.overlaps(shape, &pose));
        touched.into_iter().collect()
    }
}

/// The first of what the debris world and the rest of the scenery have met.
fn nearest(hits: [Option<RayHit>; 2]) -> Option<RayHit> {
    let hits = hits.into_iter().flatten();
    hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
}
