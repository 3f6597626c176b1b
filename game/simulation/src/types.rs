//! Types that all parts of the simulation share: identities of bodies and jobs, state and motion of a body.

use std::fmt;

use glam::{DMat3, DVec3, Quat, Vec3};
use rapier3d::math::Pose;

use crate::error::BodyError;

/// Identity of a body in its simulation. Ids of removed bodies are not used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(crate) hecs::Entity);

impl BodyId {
    /// The id as a number, for logs and hashes.
    pub fn to_bits(self) -> u64 {
        self.0.to_bits().get()
    }
}

impl fmt::Debug for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "body {:x}", self.to_bits())
    }
}

/// State of a body in the course of its breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Never broken; moved by the engine.
    Intact,
    /// An anchored island; moved by the engine (as a rule, it stands still).
    Remainder,
    /// A free piece; moved by the debris world.
    Debris,
}

/// Pose and velocity, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Body space to world space.
    pub pose: Pose,
    /// Velocity of the centre of mass, m/s.
    pub linear: Vec3,
    /// Angular velocity, rad/s.
    pub angular: Vec3,
}

impl Default for Motion {
    fn default() -> Self {
        Self::at(Pose::IDENTITY)
    }
}

impl Motion {
    /// At rest at a pose.
    pub fn at(pose: Pose) -> Self {
        Self {
            pose,
            linear: Vec3::ZERO,
            angular: Vec3::ZERO,
        }
    }

    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let checks = [
            ("position", is_in_range(self.pose.translation)),
            ("rotation", is_rotation(self.pose.rotation)),
            ("linear velocity", is_in_range(self.linear)),
            ("angular velocity", is_in_range(self.angular)),
        ];
        match checks.into_iter().find(|(_, is_valid)| !is_valid) {
            Some((what, _)) => Err(BodyError::NotFinite { what }),
            None => Ok(()),
        }
    }
}

/// The largest figure that a host may give in any unit: beyond, squares are infinite.
pub(crate) const MAX_FIGURE: f32 = 1e18;

/// Whether all numbers of a vector are finite, and none is beyond [`MAX_FIGURE`].
pub(crate) fn is_in_range(vector: Vec3) -> bool {
    vector.is_finite() && vector.abs().max_element() <= MAX_FIGURE
}

/// Whether a quaternion is a rotation but for what rounding has made of its length.
fn is_rotation(rotation: Quat) -> bool {
    (0.25..=4.0).contains(&rotation.length_squared())
}

/// Inertia of a mass of one about a point from which it lies at an arm, m^2.
pub(crate) fn point_inertia(arm: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - square(arm)
}

/// `v v^T`
pub(crate) fn square(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// Whether one can compute with a pose.
pub(crate) fn is_pose(pose: &Pose) -> bool {
    is_in_range(pose.translation) && is_rotation(pose.rotation)
}

/// Identity of a job; later jobs have larger ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct JobId(pub u64);
