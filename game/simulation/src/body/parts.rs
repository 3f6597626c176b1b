//! The convex parts of a whole body, which all that it breaks into shares.

use std::panic::{catch_unwind, AssertUnwindSafe};
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

    /// The parts, made now when they are not there yet; none of a body that cannot be broken, or whose mesh cannot be
    /// made: its pieces are there and break all the same.
    pub fn get(&self) -> &Arc<Decomposition> {
        self.made.get_or_init(|| {
            let whole = self.whole.lock();
            let whole = whole.unwrap_or_else(PoisonError::into_inner).take();
            // Nothing that a panic leaves half done is used again.
            let make = AssertUnwindSafe(|| whole.as_deref().and_then(parts_of));
            catch_unwind(make).ok().flatten().unwrap_or_default()
        })
    }
}

fn parts_of(whole: &Shape) -> Option<Arc<Decomposition>> {
    let stock = whole.stock(whole.solid().ok()?)?;
    Some(stock.parts.get().clone())
}
