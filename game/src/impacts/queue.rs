//! The queue of impacts for the next update.

use crate::{impacts::impact::Impact, mirror::transforms::unit, object::ObjectId};
use fracture_simulation::{BodyId, PriorityCappedQueue, Striker};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::node::Node,
};
use thiserror::Error;

/// Impacts that one update takes from game code.
pub(super) const MAX_QUEUED_IMPACTS: usize = 1024;

/// Largest figure of an impact, in its unit.
const MAX_FIGURE: f32 = fracture_simulation::Impact::MAX_FIGURE;

/// Range of an energy, in words.
const ENERGY_RANGE: &str = "finite and not negative, and at most 1e18";
/// Range of the numbers of a vector, in words.
const VECTOR_RANGE: &str = "finite, and between -1e18 and 1e18";

/// Reason why an impact, an explosion, a shot, a cut or a push was refused. Nothing has happened.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ImpactError {
    /// The node is neither a destructible nor a piece of one.
    #[error("node {node} is not destructible; give it the script Destructible, or strike the node that has it")]
    NotDestructible {
        /// The node.
        node: Handle<Node>,
    },
    /// No destructible and no piece has that name.
    #[error("there is no destructible \"{name}\"; there are: {known}")]
    UnknownName {
        /// The unknown name.
        name: String,
        /// The names of all destructibles.
        known: String,
    },
    /// The scene is not the one whose destruction this is.
    #[error("the scene is not that of this Destruction; pass the scene that its update gets, or take the Destruction of the scene from the plugin")]
    OtherScene,
    /// The object cannot break.
    #[error("destructible \"{name}\" cannot break: {reason}")]
    Faulty {
        /// The object.
        name: String,
        /// Why, with the remedy.
        reason: String,
    },
    /// A number of an impact or an explosion is NaN, infinite or enormous, the energy is negative, the radius is
    /// not positive, or the normal or a direction has no length.
    #[error("the {what} is {value}; it must be {range}")]
    Value {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f32,
        /// The allowed range, in words.
        range: &'static str,
    },
    /// The queue is full, and the impact is not one of the hardest.
    #[error(
        "more than {MAX_QUEUED_IMPACTS} impacts in one frame; this one is among the weakest and was dropped"
    )]
    TooMany,
}

/// The target of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ImpactTarget {
    /// An object, or its piece nearest to the impact.
    Object(ObjectId),
    /// One piece.
    Piece(BodyId),
    /// A body of the engine, which is pushed.
    EngineBody(Handle<Node>),
    /// A node of a scene that has not been inspected yet.
    Node(Handle<Node>),
}

/// Impacts for the next update. When it is full, the impacts with the least energy are dropped.
pub(crate) struct ImpactQueue(PriorityCappedQueue<(ImpactTarget, Impact)>);

impl Default for ImpactQueue {
    fn default() -> Self {
        Self(PriorityCappedQueue::new(MAX_QUEUED_IMPACTS))
    }
}

impl ImpactQueue {
    /// Adds an impact. Returns false, and counts it, when the queue is full of harder ones.
    pub fn push(&mut self, target: ImpactTarget, impact: Impact) -> bool {
        self.0.push(impact.energy, (target, impact))
    }

    /// Drops the impacts on some targets; they are not counted.
    pub fn forget(&mut self, is_dropped: impl Fn(&ImpactTarget) -> bool) {
        self.0.retain(|(target, _)| !is_dropped(target));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of impacts dropped since the start.
    pub fn dropped(&self) -> u64 {
        self.0.dropped()
    }

    /// Takes all impacts in the order in which they were added.
    pub fn drain(&mut self) -> Vec<(ImpactTarget, Impact)> {
        self.0.take(usize::MAX)
    }
}

/// Checks the numbers of an explosion: its centre and its radius in metres, and its energy in J.
pub(crate) fn validate_explosion(
    center: Vector3<f32>,
    radius: f32,
    energy: f32,
) -> Result<(), ImpactError> {
    let invalid = |what, value, range| Err(ImpactError::Value { what, value, range });
    if !(0.0..=MAX_FIGURE).contains(&energy) {
        return invalid("energy", energy, ENERGY_RANGE);
    }
    if !(radius > 0.0 && radius <= MAX_FIGURE) {
        return invalid("radius", radius, "finite and above 0, and at most 1e18");
    }
    validate_vector("center", &center)
}

/// Checks the numbers of a ray or of several from one place: origin, directions and reach, metres.
pub(crate) fn validate_rays(
    origin: Vector3<f32>,
    directions: &[Vector3<f32>],
    reach: f32,
) -> Result<(), ImpactError> {
    validate_vector("origin", &origin)?;
    for direction in directions {
        validate_direction("direction", direction)?;
    }
    validate_not_negative("reach", reach)
}

/// Checks a number that may be 0 or endless.
pub(crate) fn validate_not_negative(what: &'static str, value: f32) -> Result<(), ImpactError> {
    let range = "a number that is not negative";
    if value >= 0.0 {
        return Ok(());
    }
    Err(ImpactError::Value { what, value, range })
}

/// Checks the width that a blade takes out, metres.
pub(crate) fn validate_kerf(kerf: f32) -> Result<(), ImpactError> {
    let (what, value) = ("kerf", kerf);
    let range = "a length from 0 m";
    (0.0..=MAX_FIGURE)
        .contains(&kerf)
        .then_some(())
        .ok_or(ImpactError::Value { what, value, range })
}

fn validate_vector(what: &'static str, vector: &Vector3<f32>) -> Result<(), ImpactError> {
    let is_invalid = |value: &&f32| !(-MAX_FIGURE..=MAX_FIGURE).contains(*value);
    let (invalid, range) = (vector.iter().find(is_invalid), VECTOR_RANGE);
    invalid.map_or(Ok(()), |value| {
        let value = *value;
        Err(ImpactError::Value { what, value, range })
    })
}

/// Checks a vector that has to point somewhere.
fn validate_direction(what: &'static str, vector: &Vector3<f32>) -> Result<(), ImpactError> {
    validate_vector(what, vector)?;
    if unit(*vector).is_some() {
        return Ok(());
    }
    let (value, range) = (0.0, "a vector that is longer than 0");
    Err(ImpactError::Value { what, value, range })
}

/// Checks the numbers of an impact.
pub(crate) fn validate(impact: &Impact) -> Result<(), ImpactError> {
    let invalid = |what, value, range| Err(ImpactError::Value { what, value, range });
    // First: an impulse may follow from it.
    if !(0.0..=MAX_FIGURE).contains(&impact.energy) {
        return invalid("energy", impact.energy, ENERGY_RANGE);
    }
    validate_vector("point", &impact.point)?;
    validate_direction("normal", &impact.normal)?;
    validate_vector("impulse", &impact.impulse)?;
    validate_kerf(impact.kerf)?;
    let positive = |value: f32| value > 0.0 && value.is_finite();
    match impact.striker {
        Striker::Body { radius, .. } if !positive(radius) => {
            return invalid("striker's radius", radius, "finite and above 0");
        }
        Striker::Body { density, .. } if !positive(density) => {
            return invalid("striker's density", density, "finite and above 0");
        }
        Striker::Gas { distance } if !(distance == 0.0 || positive(distance)) => {
            return invalid("charge's distance", distance, "finite and not negative");
        }
        _ => {}
    }
    match impact.radius {
        Some(radius) if !(radius > 0.0 && radius.is_finite()) => {
            invalid("radius", radius, "finite and above 0")
        }
        _ => Ok(()),
    }
}
