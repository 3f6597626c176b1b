//! Blows on their way to the next update.

use crate::{impact::Impact, object::ObjectId};
use fracture_simulation::{BodyId, PriorityCappedQueue};
use fyrox::{core::pool::Handle, scene::node::Node};

/// Blows that one update takes from game code.
pub(super) const ORDER_LIMIT: usize = 1024;

/// What a blow is meant for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    /// An object, or the piece of it nearest to the blow.
    Object(ObjectId),
    /// A piece.
    Piece(BodyId),
    /// A node that has not been seen yet.
    Node(Handle<Node>),
}

/// Blows to be taken by the next update.
pub(super) struct Orders(PriorityCappedQueue<(Target, Impact)>);

impl Default for Orders {
    fn default() -> Self {
        Self(PriorityCappedQueue::new(ORDER_LIMIT))
    }
}

impl Orders {
    /// Takes a blow; false, and counted, when there are enough harder ones.
    pub fn push(&mut self, target: Target, impact: Impact) -> bool {
        self.0.push(impact.energy, (target, impact))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many were dropped since the start.
    pub fn dropped(&self) -> u64 {
        self.0.dropped()
    }

    /// All of them, in the order in which they came.
    pub fn take(&mut self) -> Vec<(Target, Impact)> {
        self.0.take(usize::MAX)
    }
}
