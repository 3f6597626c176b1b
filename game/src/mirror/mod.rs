//! The engine's colliders, bodies and joints, mirrored into the debris world, and motions synchronised
//! both ways.

pub(crate) mod anchors;
pub(crate) mod bodies;
pub(crate) mod body_sync;
pub(crate) mod colliders;
pub(crate) mod engine_bodies;
pub(crate) mod joints;
pub(crate) mod shapes;
pub(crate) mod transforms;
pub(crate) mod viewers;
mod waiting;

use anchors::AnchorFaults;
use colliders::MirroredColliders;
use joints::MirroredJoints;
use waiting::WaitingBodies;

/// Everything of a scene that is mirrored into the debris world.
#[derive(Default)]
pub(crate) struct Mirror {
    pub colliders: MirroredColliders,
    pub joints: MirroredJoints,
    pub anchor_faults: AnchorFaults,
    waiting: WaitingBodies,
}
