//! All sounds, synthesised once on a thread of their own.

use super::{
    effect::SoundCause,
    sort::SoundMaterial,
    synthesis::{samples, RATE},
};
use fyrox::{
    asset::untyped::ResourceKind,
    core::Uuid,
    scene::sound::{DataSource, SoundBuffer, SoundBufferResource},
};
use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
    thread,
};

/// Variants of each sound.
const VARIANTS: u32 = 3;
/// Loudness samples per second.
const PARTS: f32 = 50.0;

/// The sounds, once they are synthesised. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct SoundBank(Arc<OnceLock<SoundTakes>>);

type SoundTakes = BTreeMap<(SoundMaterial, SoundCause), Vec<SoundTake>>;

impl SoundBank {
    /// Starts synthesising on a thread, so that no frame waits.
    pub fn begin() -> Self {
        let bank = Self::default();
        let filled = bank.clone();
        // Without a thread there is no sound.
        let _ = thread::Builder::new()
            .name("sounds".into())
            .spawn(move || filled.fill());
        bank
    }

    /// Synthesises all sounds now.
    pub fn made() -> Self {
        let bank = Self::default();
        bank.fill();
        bank
    }

    /// Returns a variant of a sound; `None` while they are being synthesised.
    pub fn take(
        &self,
        sort: SoundMaterial,
        cause: SoundCause,
        number: usize,
    ) -> Option<&SoundTake> {
        let takes = self.0.get()?.get(&(sort, cause))?;
        takes.get(number.checked_rem(takes.len())?)
    }

    fn fill(&self) {
        let kinds = SoundMaterial::ALL.map(|sort| SoundCause::ALL.map(|cause| (sort, cause)));
        let take = |(sort, cause)| {
            let variants = 0..VARIANTS;
            let takes =
                variants.filter_map(|variant| SoundTake::new(samples(sort, cause, variant)));
            ((sort, cause), takes.collect())
        };
        let takes = kinds.into_iter().flatten().map(take).collect();
        let _ = self.0.set(takes);
    }
}

/// A sound as it can be played.
#[derive(Clone, Debug)]
pub struct SoundTake {
    /// The engine's buffer.
    pub buffer: SoundBufferResource,
    /// Largest remaining sample from the start of each part.
    rest: Arc<[f32]>,
}

impl SoundTake {
    fn new(samples: Vec<f32>) -> Option<Self> {
        let part = (RATE as f32 / PARTS) as usize;
        let loudest = |part: &[f32]| part.iter().fold(0.0f32, |most, s| most.max(s.abs()));
        let mut rest: Vec<f32> = samples.chunks(part).map(loudest).collect();
        let mut most = 0.0f32;
        for part in rest.iter_mut().rev() {
            most = most.max(*part);
            *part = most;
        }
        let source = DataSource::Raw {
            sample_rate: RATE as usize,
            channel_count: 1,
            samples,
        };
        let buffer = SoundBuffer::raw_generic(source).ok()?;
        Some(Self {
            buffer: SoundBufferResource::new_ok(Uuid::new_v4(), ResourceKind::Embedded, buffer),
            rest: rest.into(),
        })
    }

    /// Returns the loudest remaining sample, given the seconds since the start.
    pub fn rest(&self, seconds: f32) -> f32 {
        let part = (seconds.max(0.0) * PARTS) as usize;
        self.rest.get(part).copied().unwrap_or(0.0)
    }
}
