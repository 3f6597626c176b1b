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

impl Effect {
    /// The effect of a break of a size, metres, with an area of cracks, m^2.
    pub fn of_break(material: &str, at: Vector3<f32>, size: f32, crack_area: f32) -> Self {
        Self {
            sort: SoundMaterial::of(material),
            at,
            size: size.clamp(0.1, 2.0),
            puff: (crack_area * 12.0).clamp(6.0, 40.0),
            loudness: (0.3 + crack_area.sqrt() * 0.3).min(1.0),
            cause: SoundCause::Break,
        }
    }
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
