//! Shapes of mirrored bodies, made on the worker.

use std::panic::{catch_unwind, AssertUnwindSafe};

use crate::debris::{BodyDesc, BodyRef};
use crate::types::Motion;

/// Makes a mirror; `None` when there is nothing to bump into.
pub(crate) type BuildFunction = Box<dyn FnOnce() -> Option<BodyDesc> + Send>;

/// A surrounding that is being made.
pub(crate) struct PendingColliders {
    /// Where it is by now.
    pub motion: Motion,
    /// Tells it from an older one of the same key.
    pub version: u64,
    /// Until the worker has it.
    pub make: Option<BuildFunction>,
}

/// What the worker has made.
pub(crate) struct BuiltColliders {
    pub owner: BodyRef,
    pub version: u64,
    pub mirror: Option<BodyDesc>,
}

/// What the worker is to make.
pub(crate) struct ColliderJob {
    pub owner: BodyRef,
    pub version: u64,
    pub make: BuildFunction,
}

impl ColliderJob {
    /// Makes it, on the worker. A panic leaves nothing behind but the surrounding's absence.
    pub fn run(self) -> BuiltColliders {
        let Self {
            owner,
            version,
            make,
        } = self;
        let mirror = catch_unwind(AssertUnwindSafe(make)).unwrap_or_default();
        BuiltColliders {
            owner,
            version,
            mirror,
        }
    }
}
