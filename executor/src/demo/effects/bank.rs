//! All sounds, synthesised once: on a thread of their own, or, where none can be had, one in each frame.

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
    sync::{Arc, Mutex, OnceLock},
    thread,
};

/// Variants of each sound.
const VARIANTS: u32 = 3;
/// Loudness samples per second.
const PARTS: f32 = 50.0;

/// The sounds, once they are synthesised. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct SoundBank {
    takes: Arc<OnceLock<SoundTakes>>,
    /// Those made so far, where there is no thread.
    begun: Arc<Mutex<Option<SoundTakes>>>,
}

type SoundKind = (SoundMaterial, SoundCause);
type SoundTakes = BTreeMap<SoundKind, Vec<SoundTake>>;

impl SoundBank {
    /// Starts synthesising on a thread, so that no frame waits.
    pub fn begin() -> Self {
        let bank = Self::default();
        let filled = bank.clone();
        let started = thread::Builder::new()
            .name("sounds".into())
            .spawn(move || filled.fill());
        started.map_or_else(|_| Self::begin_without_thread(), |_| bank)
    }

    /// Starts synthesising in [`Self::go_on`].
    pub fn begin_without_thread() -> Self {
        Self {
            takes: Arc::default(),
            begun: Arc::new(Mutex::new(Some(SoundTakes::new()))),
        }
    }

    /// Synthesises one more variant of a sound, if no thread does. Call once a frame.
    pub fn go_on(&self) {
        let Ok(mut begun) = self.begun.lock() else {
            return;
        };
        let Some(takes) = begun.as_mut() else {
            return;
        };
        let made = |kind: &SoundKind| takes.get(kind).map_or(0, Vec::len);
        let kinds = Self::kinds().into_iter();
        let next = kinds
            .map(|kind| (kind, made(&kind) as u32))
            .find(|(_, made)| *made < VARIANTS);
        match next {
            Some((kind, variant)) => takes.entry(kind).or_default().extend(take(kind, variant)),
            None => self.set(begun.take().unwrap_or_default()),
        }
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
        let takes = self.takes.get()?.get(&(sort, cause))?;
        takes.get(number.checked_rem(takes.len())?)
    }

    fn fill(&self) {
        let takes = |kind| (0..VARIANTS).filter_map(move |variant| take(kind, variant));
        let all = Self::kinds().into_iter();
        self.set(all.map(|kind| (kind, takes(kind).collect())).collect());
    }

    fn set(&self, takes: SoundTakes) {
        // They are set once only.
        let _ = self.takes.set(takes);
    }

    fn kinds() -> Vec<SoundKind> {
        let kinds = SoundMaterial::ALL.map(|sort| SoundCause::ALL.map(|cause| (sort, cause)));
        kinds.into_iter().flatten().collect()
    }
}

/// Synthesises a variant of a sound.
fn take((sort, cause): SoundKind, variant: u32) -> Option<SoundTake> {
    SoundTake::new(samples(sort, cause, variant))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_thread_frames_make_the_same_sounds() {
        let (bank, made) = (SoundBank::begin_without_thread(), SoundBank::made());
        let kinds = SoundBank::kinds();
        let length = |bank: &SoundBank, (sort, cause): SoundKind, number| {
            bank.take(sort, cause, number).map(|take| take.rest.len())
        };
        for _ in 0..kinds.len() * VARIANTS as usize {
            assert!(length(&bank, kinds[0], 0).is_none(), "too early");
            bank.go_on();
        }
        bank.go_on();
        for (kind, number) in kinds.into_iter().flat_map(|kind| [(kind, 0), (kind, 2)]) {
            assert!(length(&bank, kind, number).is_some());
            assert_eq!(length(&bank, kind, number), length(&made, kind, number));
        }
    }
}
