//! Errors of calls that are refused, and of jobs that fail. Neither changes anything.

use fracture_geometry::{FractureError, PatternError, SolidError};
use thiserror::Error;

/// An error of starting a simulation.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The system refused a thread.
    #[error("the threads cannot be started: {0}; ask for fewer threads")]
    Pool(#[from] rayon::ThreadPoolBuildError),
}

/// An error of adding or changing a body.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum BodyError {
    /// The body does not exist, or has been broken or removed.
    #[error("there is no such body (any more); take the ids of its pieces from the break's event")]
    Unknown,
    /// A number is NaN, infinite or beyond 1e18.
    #[error("the body's {what} is not finite, or beyond 1e18; check the node's transform, colliders and velocity")]
    NotFinite {
        /// The property.
        what: &'static str,
    },
    /// A material property is outside its range.
    #[error("the body's {what} is {value}, it must be {range}")]
    Material {
        /// The property.
        what: &'static str,
        /// The value.
        value: f32,
        /// The values that are allowed, in words.
        range: &'static str,
    },
    /// The body is debris, which the simulation moves.
    #[error("the body is debris and is moved by the simulation; read its pose instead")]
    Debris,
}

/// An error of [`Simulation::impact`](crate::Simulation::impact).
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ImpactError {
    /// Neither the body nor pieces of it exist.
    #[error("the hit body does not exist (any more), nor do pieces of it")]
    UnknownBody,
    /// A number is NaN, infinite or beyond 1e18.
    #[error("the hit's {what} is not finite, or beyond 1e18; check the contact or script that caused it")]
    NotFinite {
        /// The property.
        what: &'static str,
    },
    /// The energy is below zero.
    #[error("the hit's energy is {energy} J; it must not be negative")]
    NegativeEnergy {
        /// The energy, J.
        energy: f32,
    },
    /// The radius is not a positive finite length.
    #[error("the hit's radius is {radius} m; it must be finite and above 0")]
    Radius {
        /// The radius, metres.
        radius: f32,
    },
    /// The kerf of a blade is negative or not finite.
    #[error("the blade's kerf is {kerf} m; it must be finite and not negative")]
    Kerf {
        /// The width, metres.
        kerf: f32,
    },
    /// The size or the density of the striker is not a positive finite number.
    #[error("the hit's striker has a radius of {radius} m and {density} kg/m^3; both must be finite and above 0")]
    Striker {
        /// Metres.
        radius: f32,
        /// kg/m^3
        density: f32,
    },
    /// The share of a body's mass that the ground stops is not above 0, or more than 1.
    #[error("the hit's ground stops {share} of the body's mass; it must be above 0 and at most 1")]
    Stopped {
        /// Share of the mass.
        share: f32,
    },
    /// The distance of the charge is negative or not finite.
    #[error(
        "the hit's charge is at a distance of {distance} m; it must be finite and not negative"
    )]
    Distance {
        /// Metres.
        distance: f32,
    },
    /// There are more impacts in this frame than can be taken, and this is one of the weakest.
    #[error("more than {limit} hits in one frame; this one is among the weakest and was dropped")]
    TooMany {
        /// The limit.
        limit: usize,
    },
}

/// A reason why a job failed.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum BreakFailure {
    /// The body's mesh is not available; the message is that of [`Shape::lazy`](crate::Shape::lazy).
    #[error("{0}")]
    Source(String),
    /// The body's pattern cannot be computed.
    #[error("the pattern cannot be used: {0}")]
    Pattern(#[from] PatternError),
    /// The body's mesh cannot be broken at all.
    #[error("the mesh cannot be broken: {0}")]
    Solid(#[from] SolidError),
    /// This break cannot start.
    #[error(transparent)]
    Fracture(#[from] FractureError),
    /// The break left all of the body as one piece.
    #[error(
        "the break left the body in one piece; use a pattern with more cells, or a smaller one"
    )]
    OnePiece,
    /// The code on the worker panicked.
    #[error("the break panicked: {message}; please report it with the mesh and the pattern")]
    Panicked {
        /// The message of the panic.
        message: String,
    },
    /// The worker has stopped.
    #[error("the worker has stopped; start the simulation anew")]
    WorkerGone,
}
