//! What is found once of a whole body and shared by all that it breaks into.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fracture_geometry::{Approximation, Decomposition};

/// What is there, or how it is to be made on the worker.
pub(crate) struct OfWhole<T> {
    made: OnceLock<Arc<T>>,
    make: Mutex<Option<Make<T>>>,
}

type Make<T> = Box<dyn FnOnce() -> Option<Arc<T>> + Send>;

/// The convex parts of a whole body.
pub(crate) type LazyParts = OfWhole<Decomposition>;

/// The hulls of a whole body.
pub(crate) type LazyHulls = OfWhole<Approximation>;

/// Something to be made in advance when all else is.
pub(crate) type Late = Box<dyn FnOnce() + Send>;

impl LazyParts {
    /// Parts that are there already.
    pub fn ready(parts: Decomposition) -> Arc<Self> {
        Arc::new(Self {
            made: OnceLock::from(Arc::new(parts)),
            make: Mutex::default(),
        })
    }
}

impl<T: Default> OfWhole<T> {
    /// To be made when somebody asks for it; what that takes stays in memory until then.
    pub fn to_be_made(make: impl FnOnce() -> Option<Arc<T>> + Send + 'static) -> Arc<Self> {
        Arc::new(Self {
            made: OnceLock::new(),
            make: Mutex::new(Some(Box::new(make))),
        })
    }

    /// What there is, made now when it is not there yet; none of a body that cannot be broken, or whose mesh cannot be
    /// made: its pieces are there and break all the same.
    pub fn get(&self) -> &Arc<T> {
        self.made.get_or_init(|| {
            let make = self.make.lock();
            let make = make.unwrap_or_else(PoisonError::into_inner).take();
            // Nothing that a panic leaves half done is used again.
            let made = make.map(|make| catch_unwind(AssertUnwindSafe(make)));
            made.and_then(Result::ok).flatten().unwrap_or_default()
        })
    }
}
