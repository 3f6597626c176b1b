//! Voices that play what is heard.

use super::{synthesis, Noise, Sort};
use fyrox::{
    asset::untyped::ResourceKind,
    core::{algebra::Vector3, pool::Handle, Uuid},
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        node::Node,
        sound::{
            listener::{Listener, ListenerBuilder},
            DataSource, Sound, SoundBuffer, SoundBufferResource, SoundBuilder,
        },
        Scene,
    },
};
use std::collections::BTreeMap;

/// Sounds at once; beyond it the oldest is cut off.
const VOICES: usize = 14;
/// Sounds that begin in one frame; more are one noise anyway.
const BEGINNING: usize = 3;
/// Variants of each sound.
const VARIANTS: usize = 3;

/// The sounds, used in turn, and what they can play.
#[derive(Debug, Default)]
pub struct Voices {
    listener: Handle<Listener>,
    sounds: Vec<Handle<Sound>>,
    buffers: BTreeMap<(Sort, bool), Vec<SoundBufferResource>>,
    next: usize,
    begun: usize,
    played: usize,
}

impl Voices {
    /// Makes all sounds, silent.
    pub fn new(scene: &mut Scene) -> Self {
        let graph = &mut scene.graph;
        let voice = |_| {
            SoundBuilder::new(BaseBuilder::new().with_name("Voice"))
                .with_radius(3.0)
                .with_spatial_blend_factor(0.8)
                .build(graph)
        };
        let sounds = (0..VOICES).map(voice).collect();
        let listener = ListenerBuilder::new(BaseBuilder::new().with_name("Ears"));
        Self {
            sounds,
            listener: listener.build(&mut scene.graph),
            ..Self::default()
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

    /// Begins a sound, unless too many begin in this frame.
    pub fn play(&mut self, scene: &mut Scene, noise: &Noise) {
        if self.begun >= BEGINNING || noise.loudness < 0.02 {
            return;
        }
        let Some(handle) = self.sounds.get(self.next).copied() else {
            return;
        };
        let buffer = self.buffer(noise.sort, noise.breaks);
        self.next = (self.next + 1) % self.sounds.len();
        self.begun += 1;
        self.played += 1;
        let Ok(sound) = scene.graph.try_get_mut(handle) else {
            return;
        };
        let at: Vector3<f32> = noise.at;
        sound.local_transform_mut().set_position(at);
        sound.stop();
        sound.set_buffer(buffer);
        sound.set_playback_time(0.0);
        sound.set_gain(noise.loudness);
        // No two sounds are quite alike, and large things sound deeper.
        let tone = [1.0, 1.09, 0.93, 1.04, 0.97][self.played % 5];
        sound.set_pitch(tone * (1.25 - 0.25 * f64::from(noise.size.min(2.0))));
        sound.play();
    }

    /// A frame is over.
    pub fn end_frame(&mut self) {
        self.begun = 0;
    }

    /// A variant of a sound, made when it is first heard.
    fn buffer(&mut self, sort: Sort, breaks: bool) -> Option<SoundBufferResource> {
        let make = |variant| buffer(synthesis::samples(sort, breaks, variant as u32));
        let variants = self
            .buffers
            .entry((sort, breaks))
            .or_insert_with(|| (0..VARIANTS).filter_map(make).collect());
        let at = self.played.checked_rem(variants.len())?;
        variants.get(at).cloned()
    }
}

fn buffer(samples: Vec<f32>) -> Option<SoundBufferResource> {
    let source = DataSource::Raw {
        sample_rate: synthesis::RATE as usize,
        channel_count: 1,
        samples,
    };
    let buffer = SoundBuffer::raw_generic(source).ok()?;
    Some(SoundBufferResource::new_ok(
        Uuid::new_v4(),
        ResourceKind::Embedded,
        buffer,
    ))
}
