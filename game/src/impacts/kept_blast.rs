//! An explosion that is kept for bodies that are not known yet.

use crate::object::ObjectId;
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::node::Node,
};

/// A charge that explodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Charge {
    pub center: Vector3<f32>,
    /// Reach, metres.
    pub radius: f32,
    /// J
    pub energy: f32,
}

/// An explosion whose effect on some bodies is outstanding.
pub(crate) struct KeptBlast {
    pub charge: Charge,
    /// Energy that no body has got yet, J.
    pub left: f32,
    pub late: LateBodies,
    /// Updates since the explosion.
    pub updates: u32,
}

/// Bodies that were in the scene at the time of an explosion, and not known.
pub(crate) enum LateBodies {
    /// All bodies: nothing of the scene was known.
    All,
    /// Objects that were being read, and all that have ids from one on.
    Unread {
        objects: Vec<ObjectId>,
        new_from: ObjectId,
    },
    /// Objects and rigid bodies of the engine, once those that were new have been found.
    Found {
        objects: Vec<ObjectId>,
        bodies: Vec<Handle<Node>>,
    },
}

impl LateBodies {
    /// Whether there may be any.
    pub fn are_there(&self) -> bool {
        match self {
            Self::Found { objects, bodies } => !(objects.is_empty() && bodies.is_empty()),
            _ => true,
        }
    }
}
