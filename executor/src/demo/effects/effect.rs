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
    /// Whether it is a break rather than a contact.
    pub breaks: bool,
}
