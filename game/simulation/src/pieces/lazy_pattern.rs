//! A pattern that is made when it is first needed, shared by all bodies that have it.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fracture_geometry::{Pattern, PatternError, Recipe};

type Make = Box<dyn FnOnce() -> Result<Pattern, PatternError> + Send>;

/// A cached pattern, or how to make it: a thousand cells take some 20 ms, which belong on the worker.
pub struct LazyPattern {
    make: Mutex<Option<Make>>,
    made: OnceLock<Result<Arc<Pattern>, PatternError>>,
}

impl LazyPattern {
    /// A pattern to be made on the worker, at most once.
    pub fn new(make: impl FnOnce() -> Result<Pattern, PatternError> + Send + 'static) -> Arc<Self> {
        Arc::new(Self {
            make: Mutex::new(Some(Box::new(make))),
            made: OnceLock::new(),
        })
    }

    /// One plane through the origin, across the y axis.
    pub fn blade() -> Arc<Self> {
        Self::new(|| Pattern::from_sites(&Recipe::Blade { tilt: 0.0 }.sites(0)?))
    }

    /// A pattern that is there already.
    pub fn ready(pattern: Arc<Pattern>) -> Arc<Self> {
        Arc::new(Self {
            make: Mutex::new(None),
            made: OnceLock::from(Ok(pattern)),
        })
    }

    /// The pattern, made now when it is not there yet.
    pub fn get(&self) -> Result<&Arc<Pattern>, PatternError> {
        let made = self.made.get_or_init(|| {
            let make = self
                .make
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            // Gone only when an earlier call panicked.
            let corrupt = PatternError::Corrupt {
                reason: "making it panicked",
            };
            make.map_or(Err(corrupt), |make| make().map(Arc::new))
        });
        made.as_ref().map_err(PatternError::clone)
    }

    /// What making has led to, `None` while it has not happened.
    pub fn made(&self) -> Option<Result<&Arc<Pattern>, PatternError>> {
        Some(self.made.get()?.as_ref().map_err(PatternError::clone))
    }
}

impl fmt::Debug for LazyPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let made = self.made.get().map(Result::is_ok);
        f.debug_struct("LazyPattern").field("made", &made).finish()
    }
}
