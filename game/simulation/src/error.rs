//! Why a call was refused. Nothing has changed then.

use thiserror::Error;

/// Why a simulation cannot start.
#[derive(Debug, Error)]
pub enum SimulationError {
    /// The system refused a thread.
    #[error("a worker thread cannot be started: {0}; ask for fewer threads")]
    Thread(#[from] std::io::Error),
    /// The physics thread pool cannot start.
    #[error("the physics threads cannot be started: {0}; ask for fewer threads")]
    Pool(#[from] rapier3d::rayon::ThreadPoolBuildError),
}

/// Why a body cannot be added or changed.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum BodyError {
    /// No such body, or it has been broken or removed.
    #[error("there is no such body (any more); take the ids of its pieces from the break's event")]
    Unknown,
    /// A number is NaN or infinite.
    #[error("the body's {what} is not finite; check the node's transform and velocity")]
    NotFinite {
        /// Which.
        what: &'static str,
    },
    /// A material property is outside its range.
    #[error("the body's {what} is {value}, it must be {range}")]
    Material {
        /// Which.
        what: &'static str,
        /// What was given.
        value: f32,
        /// What is allowed, in words.
        range: &'static str,
    },
    /// The piece is moved by the debris world.
    #[error("the body is debris and is moved by the simulation; read its pose instead")]
    Debris,
}

/// Why a hit was not taken.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ImpactError {
    /// No such body, and no pieces of it.
    #[error("the hit body does not exist (any more), nor do pieces of it")]
    UnknownBody,
    /// A number is NaN or infinite.
    #[error("the hit's {what} is not finite; check the contact or script that caused it")]
    NotFinite {
        /// Which.
        what: &'static str,
    },
    /// The energy is below zero.
    #[error("the hit's energy is {energy} J; it must not be negative")]
    NegativeEnergy {
        /// What was given.
        energy: f32,
    },
    /// The radius is not a positive finite length.
    #[error("the hit's radius is {radius} m; it must be finite and above 0")]
    Radius {
        /// What was given.
        radius: f32,
    },
    /// More hits in one frame than can be taken, and this is not one of the strongest.
    #[error("more than {limit} hits in one frame; this one is among the weakest and was dropped")]
    TooMany {
        /// The limit.
        limit: usize,
    },
}
