//! Questions about what is where. They are answered for free pieces, anchored remainders, intact
//! bodies and the mirrored bodies of the embedding layer together, as of the last step.

use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::shape::SharedShape;

use crate::debris::{Owner, RayHit};
use crate::simulation::Simulation;

impl Simulation {
    /// The first thing on a ray. The direction has any length; nothing is met by one without, nor
    /// by numbers that are none.
    pub fn cast_ray(&self, origin: Vec3, direction: Vec3, longest: f32) -> Option<RayHit> {
        let direction = direction.try_normalize()?;
        let fine = origin.is_finite() && longest > 0.0;
        fine.then(|| self.debris.cast_ray(origin, direction, longest))?
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
        fine.then(|| self.debris.cast_shape(shape, &pose, direction, longest))?
    }

    /// Everything that a shape touches, ordered by owner.
    pub fn overlaps(&self, shape: &SharedShape, pose: Pose) -> Vec<Owner> {
        match pose.is_finite() {
            true => self.debris.overlaps(shape, pose).into_iter().collect(),
            false => Vec::new(),
        }
    }
}
