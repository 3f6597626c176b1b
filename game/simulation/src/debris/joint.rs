//! A joint of the embedding layer.

use rapier3d::dynamics::{GenericJoint, ImpulseJointHandle};

use super::surrounding::Owner;

/// A joint between two mirrored bodies.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// The bodies that it holds together.
    pub ends: [Owner; 2],
    /// How: frames in the bodies' spaces, locked axes, limits, motors.
    pub joint: GenericJoint,
}

/// A joint that exists while both its bodies are mirrored.
pub(super) struct MirroredJoint {
    pub joint: Joint,
    pub handle: Option<ImpulseJointHandle>,
}
