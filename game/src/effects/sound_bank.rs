//! The synthesised sounds: made once, on a thread of their own, or, where none can be had, one in each update.

use super::{
    effect::SoundCause,
    surface_kind::SurfaceKind,
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
    thread::{self, JoinHandle},
};

/// Variants of each sound.
const VARIANTS: u32 = 3;
/// Loudness samples per second.
const PARTS: f32 = 50.0;

/// The sounds, once they are synthesised. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SoundBank {
    takes: Arc<OnceLock<SoundTakes>>,
    making: Arc<Mutex<Making>>,
}

/// How sounds are being made.
#[derive(Debug, Default)]
enum Making {
    #[default]
    NotBegun,
    OnThread(JoinHandle<()>),
    /// Those made so far, where there is no thread.
    InUpdates(SoundTakes),
}

type SoundKind = (SurfaceKind, SoundCause);
type SoundTakes = BTreeMap<SoundKind, Vec<SoundTake>>;

impl SoundBank {
    /// Begins to make the sounds, on a thread, so that no frame waits. Where there is none, makes one more of them: call
    /// it once an update.
    pub fn go_on(&self) {
        if self.takes.get().is_some() {
            return;
        }
        let Ok(mut making) = self.making.lock() else {
            return;
        };
        match &mut *making {
            Making::NotBegun => *making = self.begin(),
            Making::OnThread(thread) if thread.is_finished() => {
                *making = Making::InUpdates(SoundTakes::new());
            }
            Making::OnThread(_) => {}
            Making::InUpdates(takes) => self.make_next(takes),
        }
    }

    /// Waits until all sounds are made.
    pub fn wait(&self) {
        while self.takes.get().is_none() {
            self.go_on();
            let Ok(mut making) = self.making.lock() else {
                return;
            };
            if let Making::OnThread(thread) = std::mem::take(&mut *making) {
                *making = Making::InUpdates(SoundTakes::new());
                // One that has panicked leaves the sounds to this one.
                let _ = thread.join();
            }
        }
    }

    fn begin(&self) -> Making {
        let takes = self.takes.clone();
        let started = thread::Builder::new().name("sounds".into()).spawn(move || {
            let made = |kind| (0..VARIANTS).filter_map(move |variant| take(kind, variant));
            let all = kinds().into_iter();
            // They are set once only.
            let _ = takes.set(all.map(|kind| (kind, made(kind).collect())).collect());
        });
        started.map_or_else(|_| Making::InUpdates(SoundTakes::new()), Making::OnThread)
    }

    /// Makes one more variant of a sound.
    fn make_next(&self, takes: &mut SoundTakes) {
        let made = |kind: &SoundKind| takes.get(kind).map_or(0, Vec::len) as u32;
        let next = kinds().into_iter().map(|kind| (kind, made(&kind)));
        match next
            .min_by_key(|(_, made)| *made)
            .filter(|(_, made)| *made < VARIANTS)
        {
            Some((kind, variant)) => takes.entry(kind).or_default().extend(take(kind, variant)),
            None => {
                let _ = self.takes.set(std::mem::take(takes));
            }
        }
    }

    /// Returns a variant of a sound; `None` while they are being synthesised.
    pub(super) fn take(
        &self,
        kind: SurfaceKind,
        cause: SoundCause,
        number: usize,
    ) -> Option<&SoundTake> {
        let takes = self.takes.get()?.get(&(kind, cause))?;
        takes.get(number.checked_rem(takes.len())?)
    }
}

fn kinds() -> Vec<SoundKind> {
    let kinds = SurfaceKind::ALL.map(|kind| SoundCause::ALL.map(|cause| (kind, cause)));
    kinds.into_iter().flatten().collect()
}

/// Synthesises a variant of a sound.
fn take((kind, cause): SoundKind, variant: u32) -> Option<SoundTake> {
    SoundTake::new(samples(kind, cause, variant))
}

/// A sound as it can be played.
#[derive(Clone, Debug)]
pub(super) struct SoundTake {
    /// The engine's buffer.
    pub buffer: SoundBufferResource,
    /// Largest remaining sample from the start of each part.
    rest: Arc<[f32]>,
}

impl SoundTake {
    fn new(samples: Vec<f32>) -> Option<Self> {
        let rest = rest(&samples, RATE as usize);
        let source = DataSource::Raw {
            sample_rate: RATE as usize,
            channel_count: 1,
            samples,
        };
        let buffer = SoundBuffer::raw_generic(source).ok()?;
        Some(Self {
            buffer: SoundBufferResource::new_ok(Uuid::new_v4(), ResourceKind::Embedded, buffer),
            rest,
        })
    }

    /// An artist's own sound; `None` while it is being loaded.
    pub fn of_file(buffer: &SoundBufferResource) -> Option<Self> {
        let mut state = buffer.state();
        let rest = match state.data()? {
            SoundBuffer::Generic(sound) => {
                rest(sound.samples(), sound.sample_rate() * sound.channel_count())
            }
            // Not known before it is played.
            SoundBuffer::Streaming(sound) => {
                vec![1.0; (sound.duration().as_secs_f32() * PARTS) as usize].into()
            }
        };
        Some(Self {
            buffer: buffer.clone(),
            rest,
        })
    }

    /// Returns the loudest remaining sample, given the seconds since the start.
    pub fn rest(&self, seconds: f32) -> f32 {
        let part = (seconds.max(0.0) * PARTS) as usize;
        self.rest.get(part).copied().unwrap_or(0.0)
    }
}

/// The largest remaining sample from the start of each part, given the samples of a second.
fn rest(samples: &[f32], in_second: usize) -> Arc<[f32]> {
    let part = (in_second as f32 / PARTS) as usize;
    let loudest = |part: &[f32]| part.iter().fold(0.0f32, |most, s| most.max(s.abs()));
    let mut rest: Vec<f32> = samples.chunks(part.max(1)).map(loudest).collect();
    let mut most = 0.0f32;
    for part in rest.iter_mut().rev() {
        most = most.max(*part);
        *part = most;
    }
    rest.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_thread_updates_make_the_same_sounds() {
        let (made, bank) = (SoundBank::default(), SoundBank::default());
        made.wait();
        *bank.making.lock().unwrap() = Making::InUpdates(SoundTakes::new());
        let length = |bank: &SoundBank, (kind, cause): SoundKind, number| {
            bank.take(kind, cause, number).map(|take| take.rest.len())
        };
        for _ in 0..kinds().len() * VARIANTS as usize {
            assert!(length(&bank, kinds()[0], 0).is_none(), "too early");
            bank.go_on();
        }
        bank.go_on();
        for (kind, number) in kinds().into_iter().flat_map(|kind| [(kind, 0), (kind, 2)]) {
            assert!(length(&bank, kind, number).is_some());
            assert_eq!(length(&bank, kind, number), length(&made, kind, number));
        }
    }

    #[test]
    fn a_thread_that_has_died_is_replaced() {
        let bank = SoundBank::default();
        *bank.making.lock().unwrap() = Making::OnThread(thread::spawn(|| ()));
        bank.wait();
        assert!(bank.take(SurfaceKind::Ice, SoundCause::Break, 1).is_some());
    }
}
