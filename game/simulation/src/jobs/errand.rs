//! The embedding layer's own work on the worker, beside breaks.

use std::any::Any;

/// What an errand brings back.
pub type TaskOutput = Box<dyn Any + Send>;

/// Something to be done on the worker.
pub(crate) type BackgroundTask = Box<dyn FnOnce() -> TaskOutput + Send>;

/// Names an errand; later ones have larger ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskId(pub(crate) u64);
