//! The convex parts of a whole body, which all that it breaks into shares.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fracture_geometry::Decomposition;

use super::shape::Shape;

/// Parts that are there, or the body that they are to be made of.
pub(crate) struct LazyParts {
    made: OnceLock<Arc<Decomposition>>,
    whole: Mutex<Option<Arc<Shape>>>,
}

impl LazyParts {
    /// Parts that are there already.
    pub fn ready(parts: Decomposition) -> Arc<Self> {
        Arc::new(Self {
            made: OnceLock::from(Arc::new(parts)),
            whole: Mutex::new(None),
        })
    }

    /// To be made of a whole body on the worker: until then that stays in memory.
    pub fn of(whole: Arc<Shape>) -> Arc<Self> {
        Arc::new(Self {
            made: OnceLock::new(),
            whole: Mutex::new(Some(whole)),
        })
    }

    /// The parts, made now when they are not there yet; none of a body that cannot be broken.
    pub fn get(&self) -> &Arc<Decomposition> {
        self.made.get_or_init(|| self.make().unwrap_or_default())
    }

    fn make(&self) -> Option<Arc<Decomposition>> {
        let whole = self.whole.lock();
        let whole = whole.unwrap_or_else(PoisonError::into_inner).take()?;
        let stock = whole.stock(whole.solid().ok()?)?;
        Some(stock.parts.get().clone())
    }
}
