//! Values that are computed once, on first use, and shared by bodies: patterns, and the hulls and convex
//! parts of an intact body that all of its pieces need.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fracture_geometry::hulls::{CachedHulls, ConvexParts};
use fracture_geometry::steps::{pause, step};
use fracture_geometry::{Pattern, PatternError};

use super::pattern_detail::PatternDetail;

/// A lazily computed, shared value. Whoever needs it first computes it, in [steps]; between two of them it can be left,
/// and anyone can go on.
pub(crate) struct SteppedLazy<T> {
    value: OnceLock<Arc<T>>,
    /// Present until the value is. The thread that takes a step holds the lock.
    work: Mutex<Option<Work<T>>>,
}

/// Computes the value.
type Work<T> = Pin<Box<dyn Future<Output = Arc<T>> + Send>>;

/// Whether a computation is to stop, because there is something more urgent.
pub(crate) type ShouldCancel<'a> = dyn Fn() -> bool + Sync + 'a;

/// The convex parts of an intact body.
pub(crate) type LazyParts = SteppedLazy<ConvexParts>;

/// The hulls of an intact body.
pub(crate) type LazyHulls = SteppedLazy<CachedHulls>;

/// A computation in advance, run when the worker is idle: in steps, until it is done or told to stop after one of them,
/// to be gone on with later; `false` then.
pub(crate) type Precompute = Box<dyn Fn(&mut dyn FnMut() -> bool) -> bool + Send>;

impl<T: Default + Send + Sync + 'static> SteppedLazy<T> {
    /// A value to be computed on first use. What the work captures stays in memory until then.
    pub fn new(work: impl Future<Output = Arc<T>> + Send + 'static) -> Arc<Self> {
        Arc::new(Self {
            value: OnceLock::new(),
            work: Mutex::new(Some(Box::pin(work))),
        })
    }

    /// The value, computed now in steps if need be. The default when computing panics: a body that cannot be
    /// broken has no hulls, while its pieces exist and break all the same.
    pub async fn get_in_steps(&self) -> &Arc<T> {
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

    /// Takes a step, unless the value is there; the value if it is there then.
    fn step(&self) -> Option<&Arc<T>> {
        if self.value.get().is_none() {
            let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(running) = work.as_mut() {
                // Nothing that a panic leaves half done is used again.
                let result = catch_unwind(AssertUnwindSafe(|| step(running.as_mut())));
                let value = result.unwrap_or_else(|_| Some(Arc::default()))?;
                self.value.get_or_init(|| value);
                *work = None;
            }
        }
        self.value.get()
    }
}

type MakePattern = Box<dyn FnOnce() -> Result<Pattern, PatternError> + Send>;

/// A pattern that is made when it is first needed, shared by all bodies that have it: a thousand cells
/// take some 20 ms, which belong on the worker.
pub struct LazyPattern {
    make: Mutex<Option<MakePattern>>,
    pattern: OnceLock<Result<Arc<Pattern>, PatternError>>,
    /// The pattern with more cells, as far as breaks have asked for it.
    detailed: Mutex<BTreeMap<PatternDetail, Arc<LazyPattern>>>,
}

impl LazyPattern {
    /// A pattern to be made on the worker, at most once.
    pub fn new(make: impl FnOnce() -> Result<Pattern, PatternError> + Send + 'static) -> Arc<Self> {
        Arc::new(Self {
            make: Mutex::new(Some(Box::new(make))),
            pattern: OnceLock::new(),
            detailed: Mutex::default(),
        })
    }

    /// A pattern that has been made already.
    pub fn from_pattern(pattern: Arc<Pattern>) -> Arc<Self> {
        Arc::new(Self {
            make: Mutex::new(None),
            pattern: OnceLock::from(Ok(pattern)),
            detailed: Mutex::default(),
        })
    }

    /// The pattern, made now if need be.
    pub fn get(&self) -> Result<&Arc<Pattern>, PatternError> {
        let pattern = self.pattern.get_or_init(|| {
            let mut make = self.make.lock().unwrap_or_else(PoisonError::into_inner);
            match make.take() {
                Some(make) => make().map(Arc::new),
                // An earlier call took the function and panicked.
                None => Err(PatternError::Corrupt {
                    reason: "making it panicked",
                }),
            }
        });
        pattern.as_ref().map_err(PatternError::clone)
    }

    /// The pattern with more cells, made now if it was not; at most once.
    pub(crate) fn detailed(
        self: &Arc<Self>,
        detail: PatternDetail,
    ) -> Result<Arc<Self>, PatternError> {
        let pattern = self.get()?;
        if detail.is_plain() {
            return Ok(self.clone());
        }
        let mut detailed = self.detailed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = detailed.get(&detail) {
            return Ok(known.clone());
        }
        let made = Self::from_pattern(Arc::new(detail.apply(pattern)?));
        detailed.insert(detail, made.clone());
        Ok(made)
    }

    /// The number of finer versions that have been made.
    #[cfg(test)]
    pub(super) fn details(&self) -> usize {
        self.detailed.lock().unwrap().len()
    }

    /// The pattern or the error of making it; `None` while it has not been made.
    pub fn made(&self) -> Option<Result<&Arc<Pattern>, PatternError>> {
        Some(self.pattern.get()?.as_ref().map_err(PatternError::clone))
    }
}

impl fmt::Debug for LazyPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let made = self.pattern.get().map(Result::is_ok);
        f.debug_struct("LazyPattern").field("made", &made).finish()
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
        let lazy = SteppedLazy::new(async move {
            for _ in 0..2 {
                counter.fetch_add(1, Ordering::Relaxed);
                pause().await;
            }
            Arc::new(counter.fetch_add(1, Ordering::Relaxed) + 1)
        });
        (lazy, count)
    }

    #[test]
    fn what_was_left_is_gone_on_with_and_no_step_is_taken_twice() {
        let (lazy, count) = step_count();
        assert!(!lazy.advance(&mut || true));
        assert_eq!(count.load(Ordering::Relaxed), 1);
        assert!(!lazy.clone().precompute()(&mut || true));
        assert_eq!(count.load(Ordering::Relaxed), 2);
        assert_eq!(**finish(lazy.get_in_steps()), 3);
        assert!(lazy.advance(&mut || true));
        assert_eq!(**finish(lazy.get_in_steps()), 3);
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
                        assert_eq!(**finish(lazy.get_in_steps()), 3);
                    }
                });
            }
        });
        assert_eq!(
            (**finish(lazy.get_in_steps()), count.load(Ordering::Relaxed)),
            (3, 3)
        );
    }

    #[test]
    fn what_panics_is_not_tried_again() {
        let starts = Arc::new(AtomicUsize::new(0));
        let counter = starts.clone();
        let lazy: Arc<SteppedLazy<usize>> = SteppedLazy::new(async move {
            counter.fetch_add(1, Ordering::Relaxed);
            pause().await;
            panic!("on purpose")
        });
        assert_eq!(**finish(lazy.get_in_steps()), 0);
        assert_eq!(**finish(lazy.get_in_steps()), 0);
        assert_eq!(starts.load(Ordering::Relaxed), 1);
    }
}
