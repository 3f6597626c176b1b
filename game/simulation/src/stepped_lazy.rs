//! A value that is computed on first use, in steps.

use std::future::Future;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fracture_geometry::steps::{pause, step};

/// A lazily computed, shared value. Whoever needs it first computes it, in [steps]; between two of them it can be left,
/// and anyone can go on.
pub(crate) struct SteppedLazy<T> {
    value: OnceLock<T>,
    /// Present until the value is. The thread that takes a step holds the lock.
    work: Mutex<Option<Work<T>>>,
}

/// The computation of a value.
struct Work<T> {
    computation: Pin<Box<dyn Future<Output = T> + Send>>,
    /// The value when that panics.
    after_panic: fn() -> T,
}

/// A computation in advance, run when the worker is idle: in steps, until it is done or told to stop after one of them,
/// to be gone on with later; `false` then.
pub(crate) type Precompute = Box<dyn Fn(&mut dyn FnMut() -> bool) -> bool + Send>;

impl<T: Send + Sync + 'static> SteppedLazy<T> {
    /// A value to be computed on first use, and the one that takes its place when that panics. What the work captures stays
    /// in memory until then.
    pub fn new(after_panic: fn() -> T, work: impl Future<Output = T> + Send + 'static) -> Self {
        Self {
            value: OnceLock::new(),
            work: Mutex::new(Some(Work {
                computation: Box::pin(work),
                after_panic,
            })),
        }
    }

    /// A value that is there.
    pub fn from_value(value: T) -> Self {
        Self {
            value: OnceLock::from(value),
            work: Mutex::default(),
        }
    }

    /// The value, computed now in steps if need be.
    pub async fn get_in_steps(&self) -> &T {
        loop {
            if let Some(value) = self.step() {
                return value;
            }
            pause().await;
        }
    }

    /// Computes the value in advance.
    pub fn precompute(self: Arc<Self>) -> Precompute {
        Box::new(move |should_stop| self.advance(should_stop))
    }

    /// Takes steps until the value is there, or it is told to stop after one of them; `false` then.
    pub fn advance(&self, should_stop: &mut dyn FnMut() -> bool) -> bool {
        loop {
            if self.step().is_some() {
                return true;
            }
            if should_stop() {
                return false;
            }
        }
    }

    /// The value if it is there.
    pub fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// Takes a step, unless the value is there; the value if it is there then.
    fn step(&self) -> Option<&T> {
        if self.value.get().is_none() {
            let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(running) = work.as_mut() {
                // Nothing that a panic leaves half done is used again.
                let result = catch_unwind(AssertUnwindSafe(|| step(running.computation.as_mut())));
                let value = result.unwrap_or_else(|_| Some((running.after_panic)()))?;
                self.value.get_or_init(|| value);
                *work = None;
            }
        }
        self.value.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracture_geometry::steps::finish;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A lazy value that takes three steps: the number of steps that were taken. With the count of those.
    fn step_count() -> (Arc<SteppedLazy<usize>>, Arc<AtomicUsize>) {
        let count = Arc::new(AtomicUsize::new(0));
        let counter = count.clone();
        let lazy = SteppedLazy::new(usize::default, async move {
            for _ in 0..2 {
                counter.fetch_add(1, Ordering::Relaxed);
                pause().await;
            }
            counter.fetch_add(1, Ordering::Relaxed) + 1
        });
        (Arc::new(lazy), count)
    }

    #[test]
    fn what_was_left_is_gone_on_with_and_no_step_is_taken_twice() {
        let (lazy, count) = step_count();
        assert!(!lazy.advance(&mut || true));
        assert_eq!(count.load(Ordering::Relaxed), 1);
        assert!(!lazy.clone().precompute()(&mut || true));
        assert_eq!(count.load(Ordering::Relaxed), 2);
        assert_eq!(*finish(lazy.get_in_steps()), 3);
        assert!(lazy.advance(&mut || true));
        assert_eq!(*finish(lazy.get_in_steps()), 3);
        assert_eq!(count.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn all_threads_have_the_value_that_was_computed_once() {
        let (lazy, count) = step_count();
        std::thread::scope(|scope| {
            for leaves in [true, false, true, false] {
                let lazy = lazy.clone();
                scope.spawn(move || {
                    if leaves {
                        lazy.advance(&mut || true);
                    } else {
                        assert_eq!(*finish(lazy.get_in_steps()), 3);
                    }
                });
            }
        });
        assert_eq!(
            (*finish(lazy.get_in_steps()), count.load(Ordering::Relaxed)),
            (3, 3)
        );
    }

    #[test]
    fn what_panics_is_not_tried_again() {
        let starts = Arc::new(AtomicUsize::new(0));
        let counter = starts.clone();
        let lazy: SteppedLazy<usize> = SteppedLazy::new(usize::default, async move {
            counter.fetch_add(1, Ordering::Relaxed);
            pause().await;
            panic!("on purpose")
        });
        assert_eq!(*finish(lazy.get_in_steps()), 0);
        assert_eq!(*finish(lazy.get_in_steps()), 0);
        assert_eq!(starts.load(Ordering::Relaxed), 1);
    }
}
