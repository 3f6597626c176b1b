//! Sound and dust of breaks, hard contacts and what is near its strength, driven by the module's public events.
//!
//! All nodes are made when a scene opens and used again and again: a scene with effects has its bodies
//! in the same order as one without, so that what happens in it is the same, and nothing is left over.

mod bank;
mod dust;
mod effect;
mod sort;
mod sound;
mod synthesis;

pub use bank::SoundBank;
pub use sort::SoundMaterial;

use dust::Dust;
use effect::{Effect, SoundCause};
use fracture::{BreakCause, Event};
use fyrox::{
    core::pool::Handle,
    scene::{node::Node, Scene},
};
use sound::Voices;

/// Contacts with less energy raise no dust, J.
const DUSTY: f32 = 40.0;
/// Particles that trickle from a place that is near its strength.
const CREAK_DUST: f32 = 5.0;
/// The energy at which a contact is as loud as a break, J.
const LOUD: f32 = 900.0;

/// Sound and dust of a scene.
#[derive(Debug, Default)]
pub struct Effects {
    dust: Dust,
    voices: Voices,
}

impl Effects {
    /// Adds the nodes for sound and dust to a scene that has just been opened.
    pub fn new(scene: &mut Scene, bank: &SoundBank) -> Self {
        Self {
            dust: Dust::new(scene),
            voices: Voices::new(scene, bank),
        }
    }

    /// Plays and shows the events of an update of `dt` seconds, as heard from a camera.
    pub fn update(
        &mut self,
        scene: &mut Scene,
        camera: Handle<Node>,
        events: &[Event],
        [dust, sound]: [bool; 2],
        dt: f32,
    ) {
        self.voices.listen(scene, camera);
        let effects: Vec<Effect> = events.iter().filter_map(Self::effect_of).collect();
        for effect in effects.iter().filter(|effect| dust && effect.puff > 0.0) {
            self.dust.puff(scene, effect);
        }
        if sound {
            self.voices.play(scene, &effects);
        }
        self.voices.pass(scene, dt);
    }

    /// Number of sounds that were played.
    pub fn sounds(&self) -> usize {
        self.voices.played()
    }

    /// Returns the effect of an event.
    fn effect_of(event: &Event) -> Option<Effect> {
        match event {
            Event::Broken {
                surface_tag,
                point,
                radius,
                crack_area,
                cause,
                ..
            } => {
                let is_by_weight = *cause == BreakCause::Weight;
                let size = if is_by_weight {
                    crack_area.sqrt()
                } else {
                    *radius
                };
                Some(Effect::of_break(surface_tag, *point, size, *crack_area))
            }
            Event::Contact {
                surface_tag,
                point,
                energy,
                ..
            } => Some(Effect {
                sort: SoundMaterial::of(surface_tag),
                at: *point,
                size: 0.12,
                puff: if *energy > DUSTY { 4.0 } else { 0.0 },
                loudness: (energy / LOUD).sqrt().min(0.7),
                cause: SoundCause::Contact,
            }),
            Event::Strained {
                surface_tag,
                point,
                utilisation,
                ..
            } => Some(Effect {
                sort: SoundMaterial::of(surface_tag),
                at: *point,
                size: 0.25,
                puff: CREAK_DUST,
                loudness: (0.25 + 2.0 * (utilisation - 0.9)).clamp(0.25, 0.5),
                cause: SoundCause::Creak,
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod effects_tests;
