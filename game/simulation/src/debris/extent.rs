//! Where a piece is and how large; its measures are kept in its collider's user data so that no step
//! has to take them.

use glam::Vec3;
use rapier3d::dynamics::RigidBody;
use rapier3d::geometry::{Collider, SharedShape};

use crate::types::Motion;

/// Two measures of a shape, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    /// The smallest extent along the axes of its space.
    pub thickness: f32,
    /// The radius of a ball around it.
    pub radius: f32,
}

impl Extent {
    pub fn of_shape(shape: &SharedShape) -> Self {
        Self {
            thickness: 2.0 * shape.compute_local_aabb().half_extents().min_element(),
            radius: shape.compute_local_bounding_sphere().radius,
        }
    }

    pub fn of(collider: &Collider) -> Self {
        Self {
            thickness: f32::from_bits(collider.user_data as u32),
            radius: f32::from_bits((collider.user_data >> 32) as u32),
        }
    }

    pub fn pack(self) -> u128 {
        u128::from(self.thickness.to_bits()) | u128::from(self.radius.to_bits()) << 32
    }
}

/// A body's centre of mass where it is now; the engine's own is that of the step before.
pub(super) fn center(body: &RigidBody) -> Vec3 {
    body.position().transform_point(body.local_center_of_mass())
}

/// Where a body is and how it moves.
pub(super) fn motion(body: &RigidBody) -> Motion {
    Motion {
        pose: *body.position(),
        linear: body.linvel(),
        angular: body.angvel(),
    }
}
