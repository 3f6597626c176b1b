//! Measured times, for reports only: no result depends on them.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

use fracture_geometry::steps::{pause, step};
use web_time::Instant;

/// Measures one thing after the other.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since the start or the last lap, ms.
    pub fn lap(&mut self) -> f32 {
        let before = std::mem::replace(&mut self.0, Instant::now());
        (self.0 - before).as_secs_f32() * 1e3
    }
}

/// Measures one thing after the other in work that is done in steps, without the time for which it was left.
pub(crate) struct WorkWatch {
    watch: Stopwatch,
    /// Time for which the work was left.
    left: Arc<Clock>,
    left_before: f32,
}

impl WorkWatch {
    pub fn start(left: &Arc<Clock>) -> Self {
        Self {
            watch: Stopwatch::start(),
            left_before: left.milliseconds(),
            left: left.clone(),
        }
    }

    /// The time that went into the work since the start or the last lap, ms.
    pub fn lap(&mut self) -> f32 {
        let left = self.left.milliseconds();
        let before = std::mem::replace(&mut self.left_before, left);
        self.watch.lap() - (left - before)
    }
}

/// Adds up times, on whichever threads.
#[derive(Default)]
pub(crate) struct Clock(AtomicU64);

impl Clock {
    /// Runs a function and adds its time.
    pub fn time<T>(&self, function: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = function();
        self.add(start.elapsed());
        result
    }

    /// Runs some work that is done in steps, and adds the times of these.
    pub async fn time_steps<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            if let Some(result) = self.time(|| step(work.as_mut())) {
                return result;
            }
            pause().await;
        }
    }

    /// Adds a time.
    pub fn add(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.0.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// The sum so far, ms.
    pub fn milliseconds(&self) -> f32 {
        self.0.load(Ordering::Relaxed) as f32 * 1e-6
    }
}

/// Time that went into the pieces of a break, on all threads.
#[derive(Default)]
pub(crate) struct PieceClocks {
    pub meshes: Clock,
    pub colliders: Clock,
    pub hooks: Clock,
}
