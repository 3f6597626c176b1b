//! Voices that play sounds.
//!
//! The engine (1.0.1) plays a new sound of a reused source from the position of the last one, and its
//! first 46 ms as loud as that one. So a voice that has finished is switched off, which makes the engine
//! drop its source.

use super::{
    effect::{Effect, SoundCause},
    effect_nodes::effect_base,
    scripts::BreakSounds,
    sound_bank::{SoundBank, SoundTake},
    surface_kind::SurfaceKind,
    tagged_rows::row_of,
};
use crate::{
    mirror::{
        transforms::{rotation_of, world_matrix},
        viewers::enabled_camera,
    },
    swap,
};
use fyrox::{
    core::{math::Matrix4Ext, pool::Handle},
    graph::SceneGraph,
    scene::{
        graph::Graph,
        node::Node,
        sound::{
            listener::{Listener, ListenerBuilder},
            Sound, SoundBuilder,
        },
    },
};

/// Sounds at once.
const VOICES: usize = 20;
/// Voices reserved for breaks, however many contacts there are.
const KEPT: usize = 8;
/// Most sounds that begin in one update, the loudest first.
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
#[derive(Default)]
pub(super) struct Voices {
    voices: Vec<Voice>,
    /// `None` where the scene has one of its own.
    listener: Option<Handle<Listener>>,
    /// The camera that the listener follows.
    camera: Handle<Node>,
    pub bank: SoundBank,
    /// Sounds of files that have been played.
    files: Vec<SoundTake>,
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
    /// Plays the sounds of an update of some seconds.
    pub fn update(&mut self, graph: &mut Graph, script: &BreakSounds, effects: &[Effect], dt: f32) {
        if self.voices.is_empty() {
            self.begin(graph);
        }
        self.bank.go_on();
        self.listen(graph);
        self.play(graph, script, effects);
        self.pass(graph, dt);
    }

    /// Removes all voices.
    pub fn clear(&mut self, graph: &mut Graph) {
        for voice in std::mem::take(&mut self.voices) {
            swap::remove(graph, voice.sound.to_base());
        }
        if let Some(listener) = self.listener.take() {
            swap::remove(graph, listener.to_base());
        }
    }

    /// Adds all voices, silent, and a listener if there is none.
    fn begin(&mut self, graph: &mut Graph) {
        let has_listener = graph
            .linear_iter()
            .any(|node| node.cast::<Listener>().is_some());
        let listener =
            (!has_listener).then(|| ListenerBuilder::new(effect_base("ears")).build(graph));
        self.listener = listener;
        let voice = |_| Voice {
            sound: SoundBuilder::new(effect_base("voice").with_enabled(false))
                .with_radius(NEAR)
                .with_rolloff_factor(ROLLOFF)
                .build(graph),
            playing: None,
        };
        self.voices = (0..VOICES).map(voice).collect();
    }

    /// Moves the listener to the camera.
    fn listen(&mut self, graph: &mut Graph) {
        let Some(listener) = self.listener else {
            return;
        };
        let known = graph.try_get_node(self.camera).ok();
        if known.and_then(enabled_camera).is_none() {
            let camera = graph.linear_iter().find_map(enabled_camera);
            self.camera = camera.map_or(Handle::NONE, |camera| camera.handle());
        }
        if self.camera.is_none() {
            return;
        }
        let world = world_matrix(graph, self.camera);
        if let Ok(listener) = graph.try_get_mut(listener) {
            let ears = listener.local_transform_mut();
            ears.set_position(world.position());
            ears.set_rotation(rotation_of(&world.basis()));
        }
    }

    /// Number of sounds that were begun.
    pub fn played(&self) -> usize {
        self.played
    }

    /// Starts the loudest sounds of an update.
    fn play(&mut self, graph: &mut Graph, script: &BreakSounds, effects: &[Effect]) {
        let mut effects: Vec<&Effect> = effects.iter().collect();
        effects.sort_by(|a, b| b.loudness.total_cmp(&a.loudness));
        for effect in effects.into_iter().take(BEGINNING) {
            self.sound(graph, script, effect);
        }
    }

    /// Ends an update of some seconds. Finished voices become free in the next one: until then the
    /// engine has not dropped their sources.
    fn pass(&mut self, graph: &mut Graph, seconds: f32) {
        for voice in &mut self.voices {
            let Some(playing) = &mut voice.playing else {
                continue;
            };
            playing.age += seconds;
            if playing.rest() < INAUDIBLE {
                voice.playing = None;
                if let Ok(sound) = graph.try_get_mut(voice.sound) {
                    sound.stop();
                    sound.set_enabled(false);
                }
            }
        }
    }

    fn sound(&mut self, graph: &mut Graph, script: &BreakSounds, effect: &Effect) {
        let gain = (effect.loudness * *script.volume).min(self.room());
        let kept = if effect.cause == SoundCause::Break {
            0
        } else {
            KEPT
        };
        let free = self.voices.iter().filter(|voice| voice.playing.is_none());
        if gain < 5.0 * INAUDIBLE || free.count() <= kept {
            return;
        }
        let Some(take) = self.take(script, effect) else {
            return;
        };
        let silent = |voice: &&mut Voice| voice.playing.is_none();
        let Some(voice) = self.voices.iter_mut().find(silent) else {
            return;
        };
        let Ok(sound) = graph.try_get_mut(voice.sound) else {
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
            take,
            gain,
            pitch,
            age: -LATE,
        });
    }

    /// The sound of an effect: the artist's own, or else a synthesised one; `None` while these are being made.
    fn take(&mut self, script: &BreakSounds, effect: &Effect) -> Option<SoundTake> {
        let sounds = script.own.iter();
        let of_cause = sounds.filter(|own| own.cause == effect.cause);
        let own = row_of(of_cause, effect.tag, self.played);
        let file = own.and_then(|own| own.sound.as_ref());
        let Some(file) = file.filter(|file| file.is_ok()) else {
            let kind = SurfaceKind::of(effect.tag);
            return self.bank.take(kind, effect.cause, self.played).cloned();
        };
        let known = self.files.iter().find(|take| take.buffer == *file);
        if let Some(known) = known {
            return Some(known.clone());
        }
        let take = SoundTake::of_file(file)?;
        self.files.push(take.clone());
        Some(take)
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
