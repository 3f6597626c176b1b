//! Blows on their way to the next update.

use crate::{impacts::impact::Impact, object::ObjectId};
use fracture_simulation::{BodyId, PriorityCappedQueue};
use fyrox::{core::pool::Handle, scene::node::Node};
use thiserror::Error;

/// Blows that one update takes from game code.
pub(crate) const ORDER_LIMIT: usize = 1024;

/// Why a blow was not taken. Nothing has happened.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ImpactError {
    /// The node is no destructible, nor a piece of one.
    #[error("node {node} is not destructible; give it the script Destructible, or strike the node that has it")]
    NotDestructible {
        /// The node.
        node: Handle<Node>,
    },
    /// No destructible and no piece has that name.
    #[error("there is no destructible \"{name}\"; there are: {known}")]
    UnknownName {
        /// What was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The object cannot break.
    #[error("destructible \"{name}\" cannot break: {reason}")]
    Faulty {
        /// The object.
        name: String,
        /// Why, with the remedy.
        reason: String,
    },
    /// A number is NaN or infinite, or the energy is negative.
    #[error("the impact's {what} is {value}; it must be {range}")]
    Value {
        /// Which number.
        what: &'static str,
        /// What was given.
        value: f32,
        /// What is allowed, in words.
        range: &'static str,
    },
    /// More blows than an update takes, and this is not one of the hardest.
    #[error(
        "more than {ORDER_LIMIT} impacts in one frame; this one is among the weakest and was dropped"
    )]
    TooMany,
}

/// What a blow is meant for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ImpactTarget {
    /// An object, or the piece of it nearest to the blow.
    Object(ObjectId),
    /// A piece.
    Piece(BodyId),
    /// A node that has not been seen yet.
    Node(Handle<Node>),
}

/// Blows to be taken by the next update.
pub(crate) struct ImpactQueue(PriorityCappedQueue<(ImpactTarget, Impact)>);

impl Default for ImpactQueue {
    fn default() -> Self {
        Self(PriorityCappedQueue::new(ORDER_LIMIT))
    }
}

impl ImpactQueue {
    /// Takes a blow; false, and counted, when there are enough harder ones.
    pub fn push(&mut self, target: ImpactTarget, impact: Impact) -> bool {
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
    pub fn take(&mut self) -> Vec<(ImpactTarget, Impact)> {
        self.0.take(usize::MAX)
    }
}
