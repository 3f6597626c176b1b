//! The embedding layer's own work on the worker, beside breaks.

use std::any::Any;

/// What an errand brings back.
pub type Fetched = Box<dyn Any + Send>;

/// Something to be done on the worker.
pub(crate) type Errand = Box<dyn FnOnce() -> Fetched + Send>;

/// Names an errand; later ones have larger ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ErrandId(pub(crate) u64);
