//! A sound with its dust.

use super::sort::SoundMaterial;
use fyrox::core::algebra::Vector3;

/// A sound with its dust.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    pub sort: SoundMaterial,
    /// World space, metres.
    pub at: Vector3<f32>,
    /// Size of the event, metres.
    pub size: f32,
    /// Amount of dust.
    pub puff: f32,
    /// Loudness, 0 to 1.
    pub loudness: f32,
    /// The cause of the sound.
    pub cause: SoundCause,
}

/// The cause of a sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SoundCause {
    /// Something breaks.
    Break,
    /// Something hits something.
    Contact,
    /// Something is near its strength under what it carries.
    Creak,
}

impl SoundCause {
    /// All causes.
    pub const ALL: [Self; 3] = [Self::Break, Self::Contact, Self::Creak];
}
