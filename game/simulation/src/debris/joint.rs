//! A joint of the embedding layer.

use rapier3d::dynamics::{GenericJoint, ImpulseJointHandle};

use super::external::BodyRef;

/// A joint between two mirrored bodies.
#[derive(Clone, Copy, Debug)]
pub struct JointDesc {
    /// The bodies that it holds together.
    pub bodies: [BodyRef; 2],
    /// How: frames in the bodies' spaces, locked axes, limits, motors.
    pub joint: GenericJoint,
}

/// A joint that exists while both its bodies are mirrored.
pub(super) struct MirroredJoint {
    pub joint: JointDesc,
    pub handle: Option<ImpulseJointHandle>,
}
