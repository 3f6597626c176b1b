//! Voices that play sounds.
//!
//! The engine (1.0.1) plays a new sound of a reused source from the position of the last one, and its
//! first 46 ms as loud as that one. So a voice that has finished is switched off, which makes the engine
//! drop its source.

use super::{
    bank::{SoundBank, SoundTake},
    effect::{Effect, SoundCause},
};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        node::Node,
        sound::{
            listener::{Listener, ListenerBuilder},
            Sound, SoundBuilder,
        },
        Scene,
    },
};

/// Sounds at once.
pub const VOICES: usize = 20;
/// Voices reserved for breaks, however many contacts there are.
const KEPT: usize = 8;
/// Most sounds that begin in one frame, the loudest first.
const BEGINNING: usize = 3;
/// Largest total loudness, in sounds of full loudness; further sounds are quieter.
const HEADROOM: f32 = 1.6;
/// Gain of a sound of full loudness, so that all of them fit when they come from one side, where the
/// engine plays them twice as loud.
const GAIN: f32 = 0.5 / HEADROOM;
/// Loudness below which a sound is not played.
const INAUDIBLE: f32 = 0.004;
/// Largest delay of the sound device, seconds.
const LATE: f32 = 0.1;
/// Distance within which a sound has full loudness, metres.
const NEAR: f32 = 4.0;
/// Rolloff beyond that distance; 1 is that of open air.
const ROLLOFF: f32 = 0.7;

/// The voices and the sounds that they play.
#[derive(Debug, Default)]
pub struct Voices {
    listener: Handle<Listener>,
    voices: Vec<Voice>,
    bank: SoundBank,
    played: usize,
}

#[derive(Debug)]
struct Voice {
    sound: Handle<Sound>,
    playing: Option<Playing>,
}

#[derive(Debug)]
struct Playing {
    take: SoundTake,
    gain: f32,
    pitch: f32,
    /// Seconds since the start, at least.
    age: f32,
}

impl Playing {
    /// Returns the loudest remaining sample.
    fn rest(&self) -> f32 {
        self.gain * self.take.rest(self.age * self.pitch)
    }
}

impl Voices {
    /// Makes all voices, silent.
    pub fn new(scene: &mut Scene, bank: &SoundBank) -> Self {
        let graph = &mut scene.graph;
        let voice = |_| Voice {
            sound: SoundBuilder::new(BaseBuilder::new().with_name("Voice").with_enabled(false))
                .with_radius(NEAR)
                .with_rolloff_factor(ROLLOFF)
                .build(graph),
            playing: None,
        };
        let voices = (0..VOICES).map(voice).collect();
        let listener = ListenerBuilder::new(BaseBuilder::new().with_name("Ears"));
        Self {
            voices,
            listener: listener.build(&mut scene.graph),
            bank: bank.clone(),
            played: 0,
        }
    }

    /// Moves the listener to the camera.
    pub fn listen(&mut self, scene: &mut Scene, camera: Handle<Node>) {
        let Ok(camera) = scene.graph.try_get_node(camera) else {
            return;
        };
        let (place, rotation) = {
            let transform = camera.local_transform();
            (**transform.position(), **transform.rotation())
        };
        if let Ok(listener) = scene.graph.try_get_mut(self.listener) {
            let ears = listener.local_transform_mut();
            ears.set_position(place).set_rotation(rotation);
        }
    }

    /// Number of sounds that were begun.
    pub fn played(&self) -> usize {
        self.played
    }

    /// Starts the loudest sounds of a frame.
    pub fn play(&mut self, scene: &mut Scene, effects: &[Effect]) {
        let mut effects: Vec<&Effect> = effects.iter().collect();
        effects.sort_by(|a, b| b.loudness.total_cmp(&a.loudness));
        for effect in effects.into_iter().take(BEGINNING) {
            self.begin(scene, effect);
        }
    }

    /// Ends a frame of some seconds. Finished voices become free in the next frame: until then the
    /// engine has not dropped their sources.
    pub fn pass(&mut self, scene: &mut Scene, seconds: f32) {
        for voice in &mut self.voices {
            let Some(playing) = &mut voice.playing else {
                continue;
            };
            playing.age += seconds;
            if playing.rest() < INAUDIBLE {
                voice.playing = None;
                if let Ok(sound) = scene.graph.try_get_mut(voice.sound) {
                    sound.stop();
                    sound.set_enabled(false);
                }
            }
        }
    }

    fn begin(&mut self, scene: &mut Scene, effect: &Effect) {
        let gain = effect.loudness.min(self.room());
        let kept = if effect.cause == SoundCause::Break {
            0
        } else {
            KEPT
        };
        let free = self.voices.iter().filter(|voice| voice.playing.is_none());
        if gain < 5.0 * INAUDIBLE || free.count() <= kept {
            return;
        }
        let Some(take) = self.bank.take(effect.sort, effect.cause, self.played) else {
            return;
        };
        let silent = |voice: &&mut Voice| voice.playing.is_none();
        let Some(voice) = self.voices.iter_mut().find(silent) else {
            return;
        };
        let Ok(sound) = scene.graph.try_get_mut(voice.sound) else {
            return;
        };
        // Varies the pitch, and lowers it for large objects.
        let tone = [1.0, 1.09, 0.93, 1.04, 0.97][self.played % 5];
        let pitch = tone * (1.15 - 0.2 * effect.size.min(2.0));
        self.played += 1;
        sound.local_transform_mut().set_position(effect.at);
        sound.set_buffer(Some(take.buffer.clone()));
        sound.set_gain(gain * GAIN);
        sound.set_pitch(f64::from(pitch));
        sound.play();
        sound.set_enabled(true);
        voice.playing = Some(Playing {
            take: take.clone(),
            gain,
            pitch,
            age: -LATE,
        });
    }

    /// Returns the loudness left beside the sounds that are playing.
    fn room(&self) -> f32 {
        let playing = self
            .voices
            .iter()
            .filter_map(|voice| voice.playing.as_ref());
        HEADROOM - playing.map(Playing::rest).sum::<f32>()
    }
}
