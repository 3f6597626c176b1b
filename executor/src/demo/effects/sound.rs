//! Voices that play what is heard.
//!
//! What the engine (1.0.1) does with a source that is used again has to be kept from it: it plays a new
//! sound from where the last one was, and its first 46 ms as loud as that. So a voice that has nothing
//! more to say is switched off, which has the engine forget its source.

use super::{
    bank::{Bank, Take},
    Noise,
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
/// Of these, voices that are kept for breaks, however much falls about.
const KEPT: usize = 8;
/// Sounds that begin in one frame, the loudest; more are one noise anyway.
const BEGINNING: usize = 3;
/// What all of them may come to at once, in sounds of full loudness; what comes on top is quieter.
const HEADROOM: f32 = 1.6;
/// How loud a sound of full loudness is played: so that all of them fit when they come from one side,
/// which the engine plays twice as loud there.
const GAIN: f32 = 0.5 / HEADROOM;
/// What is quieter is not heard beside the rest.
const INAUDIBLE: f32 = 0.004;
/// The device may be this much behind, seconds.
const LATE: f32 = 0.1;
/// Within this distance a sound is as loud as can be, metres.
const NEAR: f32 = 4.0;
/// How fast it grows fainter beyond that; 1 is the law of the open air.
const ROLLOFF: f32 = 0.7;

/// The sounds that can be heard at once, and what they are playing.
#[derive(Debug, Default)]
pub struct Voices {
    listener: Handle<Listener>,
    voices: Vec<Voice>,
    bank: Bank,
    played: usize,
}

#[derive(Debug)]
struct Voice {
    sound: Handle<Sound>,
    playing: Option<Playing>,
}

#[derive(Debug)]
struct Playing {
    take: Take,
    gain: f32,
    pitch: f32,
    /// Seconds since it began, at the least.
    age: f32,
}

impl Playing {
    /// How loud it still becomes.
    fn rest(&self) -> f32 {
        self.gain * self.take.rest(self.age * self.pitch)
    }
}

impl Voices {
    /// Makes all sounds, silent.
    pub fn new(scene: &mut Scene, bank: &Bank) -> Self {
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

    /// Puts the ears where the camera is.
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

    /// Begins the loudest of a frame's noises.
    pub fn play(&mut self, scene: &mut Scene, noises: &[Noise]) {
        let mut noises: Vec<&Noise> = noises.iter().collect();
        noises.sort_by(|a, b| b.loudness.total_cmp(&a.loudness));
        for noise in noises.into_iter().take(BEGINNING) {
            self.begin(scene, noise);
        }
    }

    /// A frame of some seconds is over. What has nothing more to say makes room in the next one: until then
    /// the engine has not forgotten it.
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

    fn begin(&mut self, scene: &mut Scene, noise: &Noise) {
        let gain = noise.loudness.min(self.room());
        let kept = if noise.breaks { 0 } else { KEPT };
        let free = self.voices.iter().filter(|voice| voice.playing.is_none());
        if gain < 5.0 * INAUDIBLE || free.count() <= kept {
            return;
        }
        let Some(take) = self.bank.take(noise.sort, noise.breaks, self.played) else {
            return;
        };
        let silent = |voice: &&mut Voice| voice.playing.is_none();
        let Some(voice) = self.voices.iter_mut().find(silent) else {
            return;
        };
        let Ok(sound) = scene.graph.try_get_mut(voice.sound) else {
            return;
        };
        // No two sounds are quite alike, and large things sound deeper.
        let tone = [1.0, 1.09, 0.93, 1.04, 0.97][self.played % 5];
        let pitch = tone * (1.15 - 0.2 * noise.size.min(2.0));
        self.played += 1;
        sound.local_transform_mut().set_position(noise.at);
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

    /// How loud a sound may be beside those that are playing.
    fn room(&self) -> f32 {
        let playing = self
            .voices
            .iter()
            .filter_map(|voice| voice.playing.as_ref());
        HEADROOM - playing.map(Playing::rest).sum::<f32>()
    }
}
