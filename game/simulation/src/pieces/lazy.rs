//! Values that are computed once, on first use, and shared by bodies: patterns, and the hulls and convex
//! parts of an intact body that all of its pieces need.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fracture_geometry::hulls::{CachedHulls, ConvexParts};
use fracture_geometry::{Pattern, PatternError};

use super::pattern_detail::PatternDetail;

/// A lazily computed, shared value. The first caller computes it; computing can be cancelled and
/// restarted.
pub(crate) struct CancellableLazy<T> {
    value: OnceLock<Arc<T>>,
    /// Present until the value is. The thread that computes holds the lock.
    compute: Mutex<Option<Compute<T>>>,
}

/// Computes the value; `None` when it was told to stop.
type Compute<T> = Box<dyn Fn(&ShouldCancel) -> Option<Arc<T>> + Send>;

/// Whether the computation is to stop, because there is something more urgent.
pub(crate) type ShouldCancel<'a> = dyn Fn() -> bool + 'a;

/// The convex parts of an intact body.
pub(crate) type LazyParts = CancellableLazy<ConvexParts>;

/// The hulls of an intact body.
pub(crate) type LazyHulls = CancellableLazy<CachedHulls>;

/// A computation in advance, run when the worker is idle; `false` when it was told to stop.
pub(crate) type Precompute = Box<dyn Fn(&ShouldCancel) -> bool + Send>;

impl<T: Default + Send + Sync + 'static> CancellableLazy<T> {
    /// A value to be computed on first use. What the function captures stays in memory until then.
    pub fn new(compute: impl Fn(&ShouldCancel) -> Option<Arc<T>> + Send + 'static) -> Arc<Self> {
        Arc::new(Self {
            value: OnceLock::new(),
            compute: Mutex::new(Some(Box::new(compute))),
        })
    }

    /// A value that has been computed already.
    pub fn from_value(value: T) -> Arc<Self> {
        Arc::new(Self {
            value: OnceLock::from(Arc::new(value)),
            compute: Mutex::default(),
        })
    }

    /// The value, computed now if need be. The default when computing panics: a body that cannot be
    /// broken has no hulls, while its pieces exist and break all the same.
    pub fn get(&self) -> &Arc<T> {
        let value = self.get_or_cancel(&|| false);
        value.unwrap_or_else(|| self.value.get_or_init(Arc::default))
    }

    /// The value, computed now if need be; `None` when computing was cancelled.
    pub fn get_or_cancel(&self, should_cancel: &ShouldCancel) -> Option<&Arc<T>> {
        if self.value.get().is_none() {
            let mut compute = self.compute.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(run) = compute.as_ref() {
                // Nothing that a panic leaves half done is used again.
                let result = catch_unwind(AssertUnwindSafe(|| run(should_cancel)));
                let value = result.unwrap_or_else(|_| Some(Arc::default()))?;
                self.value.get_or_init(|| value);
                *compute = None;
            }
        }
        self.value.get()
    }

    /// Computes the value in advance.
    pub fn precompute(self: Arc<Self>) -> Precompute {
        Box::new(move |should_cancel| self.get_or_cancel(should_cancel).is_some())
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A lazy value equal to the number of times that computing was started.
    fn start_count() -> (Arc<CancellableLazy<usize>>, Arc<AtomicUsize>) {
        let starts = Arc::new(AtomicUsize::new(0));
        let counter = starts.clone();
        let lazy = CancellableLazy::new(move |should_cancel| {
            let number = counter.fetch_add(1, Ordering::Relaxed) + 1;
            (!should_cancel()).then(|| Arc::new(number))
        });
        (lazy, starts)
    }

    #[test]
    fn what_was_cancelled_is_computed_when_it_is_needed() {
        let (lazy, starts) = start_count();
        assert_eq!(lazy.get_or_cancel(&|| true), None);
        assert_eq!(lazy.get_or_cancel(&|| true), None);
        assert_eq!(**lazy.get(), 3);
        assert_eq!(lazy.get_or_cancel(&|| true).map(|value| **value), Some(3));
        assert_eq!(starts.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn all_threads_have_the_value_that_was_computed_once() {
        let (lazy, starts) = start_count();
        std::thread::scope(|scope| {
            for cancels in [true, false, true, false] {
                let lazy = lazy.clone();
                scope.spawn(move || {
                    if cancels {
                        lazy.get_or_cancel(&|| true);
                    } else {
                        lazy.get();
                    }
                });
            }
        });
        let value = **lazy.get();
        assert_eq!(starts.load(Ordering::Relaxed), value);
    }

    #[test]
    fn what_panics_is_not_tried_again() {
        let starts = Arc::new(AtomicUsize::new(0));
        let counter = starts.clone();
        let lazy: Arc<CancellableLazy<usize>> = CancellableLazy::new(move |_| {
            counter.fetch_add(1, Ordering::Relaxed);
            panic!("on purpose")
        });
        assert_eq!(**lazy.get(), 0);
        assert_eq!(**lazy.get(), 0);
        assert_eq!(starts.load(Ordering::Relaxed), 1);
    }
}
