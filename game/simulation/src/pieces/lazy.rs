//! Values that are computed once, on first use, and shared by bodies: patterns, and the hulls and convex
//! parts of an intact body that all of its pieces need.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use fracture_geometry::hulls::{CachedHulls, ConvexParts};
use fracture_geometry::steps::finish;
use fracture_geometry::{Pattern, PatternError};

use super::pattern_detail::PatternDetail;
use crate::stepped_lazy::SteppedLazy;

/// Whether a computation is to stop, because there is something more urgent.
pub(crate) type ShouldCancel<'a> = dyn Fn() -> bool + Sync + 'a;

/// The convex parts of an intact body.
pub(crate) type LazyParts = SteppedLazy<Arc<ConvexParts>>;

/// The hulls of an intact body.
pub(crate) type LazyHulls = SteppedLazy<Arc<CachedHulls>>;

/// A pattern that is made when it is first needed, shared by all bodies that have it: a thousand cells
/// take some 20 ms, which belong on the worker.
pub struct LazyPattern {
    pattern: SteppedLazy<Result<Arc<Pattern>, PatternError>>,
    /// The pattern with more cells, as far as breaks have asked for it.
    detailed: Mutex<BTreeMap<PatternDetail, Arc<LazyPattern>>>,
}

impl LazyPattern {
    /// A pattern to be made on the worker, at most once.
    pub fn new(make: impl FnOnce() -> Result<Pattern, PatternError> + Send + 'static) -> Arc<Self> {
        Self::in_steps(async move { make() })
    }

    /// The same, made in [steps](fracture_geometry::steps): between two of them a thread may do something more urgent.
    pub fn in_steps(
        make: impl Future<Output = Result<Pattern, PatternError>> + Send + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            pattern: SteppedLazy::new(after_panic, async move { make.await.map(Arc::new) }),
            detailed: Mutex::default(),
        })
    }

    /// A pattern that has been made already.
    pub fn from_pattern(pattern: Arc<Pattern>) -> Arc<Self> {
        Arc::new(Self {
            pattern: SteppedLazy::from_value(Ok(pattern)),
            detailed: Mutex::default(),
        })
    }

    /// The pattern, made now if need be.
    pub fn get(&self) -> Result<&Arc<Pattern>, PatternError> {
        finish(self.get_in_steps())
    }

    /// The same in steps.
    pub(crate) async fn get_in_steps(&self) -> Result<&Arc<Pattern>, PatternError> {
        let pattern = self.pattern.get_in_steps().await;
        pattern.as_ref().map_err(PatternError::clone)
    }

    /// The pattern with more cells, made now in steps if it was not; at most once.
    pub(crate) async fn detailed(
        self: &Arc<Self>,
        detail: PatternDetail,
    ) -> Result<Arc<Self>, PatternError> {
        let plain = self.get_in_steps().await?;
        if detail.is_plain() {
            return Ok(self.clone());
        }
        let detailed = {
            let all = self.detailed.lock();
            let mut all = all.unwrap_or_else(PoisonError::into_inner);
            let new = || {
                let plain = plain.clone();
                Self::in_steps(async move { detail.apply(&plain).await })
            };
            all.entry(detail).or_insert_with(new).clone()
        };
        detailed.get_in_steps().await?;
        Ok(detailed)
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

/// In place of a pattern whose making panicked.
fn after_panic() -> Result<Arc<Pattern>, PatternError> {
    let reason = "making it panicked";
    Err(PatternError::Corrupt { reason })
}

impl fmt::Debug for LazyPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let made = self.made().map(|pattern| pattern.is_ok());
        f.debug_struct("LazyPattern").field("made", &made).finish()
    }
}
