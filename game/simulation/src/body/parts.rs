//! What is found once of a whole body and shared by all that it breaks into.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fracture_geometry::{Approximation, Decomposition};

use super::shape::Shape;

/// What is there, or the body that it is to be made of.
pub(crate) struct OfWhole<T> {
    made: OnceLock<Arc<T>>,
    whole: Mutex<Option<Arc<Shape>>>,
    make: fn(&Shape) -> Option<Arc<T>>,
}

/// The convex parts of a whole body.
pub(crate) type LazyParts = OfWhole<Decomposition>;

/// The hulls of a whole body.
pub(crate) type LazyHulls = OfWhole<Approximation>;

/// Something to be made in advance when all else is.
pub(crate) type Late = Box<dyn FnOnce() + Send>;

impl LazyParts {
    /// To be made of a whole body on the worker: until then that stays in memory.
    pub fn of(whole: Arc<Shape>) -> Arc<Self> {
        Self::to_be_made(whole, |whole| {
            let stock = whole.stock(whole.solid().ok()?)?;
            Some(stock.parts.get().clone())
        })
    }
}

impl LazyHulls {
    /// The same for hulls.
    pub fn of(whole: Arc<Shape>) -> Arc<Self> {
        Self::to_be_made(whole, |whole| {
            let hulls = whole.hulls(whole.solid().ok()?)?;
            Some(hulls.get().clone())
        })
    }
}

impl<T: Default + Send + Sync + 'static> OfWhole<T> {
    /// What is there already.
    pub fn ready(made: T) -> Arc<Self> {
        Arc::new(Self {
            made: OnceLock::from(Arc::new(made)),
            whole: Mutex::new(None),
            make: |_| None,
        })
    }

    fn to_be_made(whole: Arc<Shape>, make: fn(&Shape) -> Option<Arc<T>>) -> Arc<Self> {
        Arc::new(Self {
            made: OnceLock::new(),
            whole: Mutex::new(Some(whole)),
            make,
        })
    }

    /// What there is, made now when it is not there yet; none of a body that cannot be broken, or whose mesh cannot be
    /// made: its pieces are there and break all the same.
    pub fn get(&self) -> &Arc<T> {
        self.made.get_or_init(|| {
            let whole = self.whole.lock();
            let whole = whole.unwrap_or_else(PoisonError::into_inner).take();
            or_nothing(|| whole.as_deref().and_then(self.make))
        })
    }

    /// Has it made.
    pub fn late(self: Arc<Self>) -> Late {
        Box::new(move || {
            self.get();
        })
    }
}

/// What is made; nothing when that panics: breaks do without.
pub(super) fn or_nothing<T: Default>(make: impl FnOnce() -> Option<T>) -> T {
    // Nothing that a panic leaves half done is used again.
    let made = catch_unwind(AssertUnwindSafe(make));
    made.ok().flatten().unwrap_or_default()
}
