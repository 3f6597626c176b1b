//! The worker's job that builds colliders of the engine's bodies.

use std::panic::{catch_unwind, AssertUnwindSafe};

use crate::debris::{BodyDesc, BodyRef};
use crate::environment::ColliderJob;

/// Colliders that the worker has built.
pub(crate) struct BuiltColliders {
    pub owner: BodyRef,
    pub generation: u64,
    /// `None` if there is nothing to collide with.
    pub desc: Option<BodyDesc>,
}

impl BuiltColliders {
    /// Runs a build, once the solid that it needs is prepared, in steps. One that panics has no colliders.
    pub async fn of_job(job: ColliderJob) -> Self {
        if let Some(shape) = &job.needed {
            // An error is reported when the body is prepared.
            let _ = shape.solid_in_steps().await;
        }
        let build = AssertUnwindSafe(job.build);
        Self {
            owner: job.owner,
            generation: job.generation,
            desc: catch_unwind(build).unwrap_or_default(),
        }
    }
}
