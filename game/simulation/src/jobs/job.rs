//! A job: one task on the worker, and how it is run so that a panic does not take the worker down.

use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Instant;

use fracture_geometry::{FractureError, Workspace};

use super::break_job::{BreakJob, BreakResult};
use super::collider_job::BuiltColliders;
use super::prepare_job::PrepareJob;
use super::stress_job::{StressJob, StressResult};
use crate::environment::ColliderJob;
use crate::error::BreakFailure;
use crate::history::SnapshotRestore;
use crate::pieces::{BuiltCollider, Refinement, ShouldCancel};
use crate::types::JobId;

/// A queued task.
pub(super) struct Job {
    pub id: JobId,
    pub cancel: Arc<AtomicBool>,
    pub task: Task,
}

/// The work of a job.
pub(crate) enum Task {
    /// Prepare a body, so that its next break does not have to.
    Prepare(PrepareJob),
    /// Build the colliders of an external body.
    BuildColliders(ColliderJob),
    /// Break a body.
    Break(Box<BreakJob>),
    /// Solve the stress in a body under its own weight.
    SolveStress(Box<StressJob>),
    /// Help to restore pieces from a snapshot.
    Restore(Arc<SnapshotRestore>),
    /// Run a function of the host.
    Background(BackgroundTask),
    /// Refine the collider of a piece.
    Refine(Refinement),
}

/// Output of a background task.
pub type TaskOutput = Box<dyn Any + Send>;

/// A function of the host.
pub(super) type BackgroundTask = Box<dyn FnOnce() -> TaskOutput + Send>;

/// Identity of a background task; later tasks have larger ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskId(pub(crate) u64);

/// The output of a task.
pub(crate) enum Outcome {
    Prepared,
    CollidersBuilt(BuiltColliders),
    Broken(Box<BreakResult>),
    /// The impact does not break the body.
    BelowThreshold,
    StressSolved(Box<StressResult>),
    /// The pieces are in the [`SnapshotRestore`].
    Restored,
    Background(TaskOutput),
    Refined(BuiltCollider),
}

/// A finished job.
pub(crate) struct JobResult {
    pub id: JobId,
    pub outcome: Result<Outcome, BreakFailure>,
    /// For statistics only.
    pub worker_ms: f32,
}

impl Job {
    /// Runs a refinement unless it is to stop for something more urgent; the job then, to be run again.
    pub fn refine(self, should_yield: &ShouldCancel) -> Result<JobResult, Self> {
        let Task::Refine(refinement) = &self.task else {
            return Ok(self.run(&mut Workspace::default()));
        };
        let start = Instant::now();
        let is_cancelled = || self.cancel.load(Ordering::Relaxed);
        let should_stop = || is_cancelled() || should_yield();
        // Nothing that a panic leaves half done is used again.
        let run = AssertUnwindSafe(|| refinement.run(&should_stop));
        let outcome = match catch_unwind(run) {
            Ok(Some(collider)) => Ok(Outcome::Refined(collider)),
            Ok(None) if is_cancelled() => Err(FractureError::Cancelled.into()),
            Ok(None) => return Err(self),
            Err(payload) => Err(BreakFailure::Panicked {
                message: panic_message(payload),
            }),
        };
        Ok(JobResult {
            id: self.id,
            outcome,
            worker_ms: start.elapsed().as_secs_f32() * 1e3,
        })
    }

    /// Runs the task in a thread's workspace; a panic becomes a failure.
    pub fn run(self, workspace: &mut Workspace) -> JobResult {
        let start = Instant::now();
        let Self { id, cancel, task } = self;
        // Nothing that a panic leaves half done is used again: a shape's solid is either set or not, the
        // workspace is replaced, everything else is the job's own.
        let run = AssertUnwindSafe(|| task.run(cancel, workspace));
        let outcome = catch_unwind(run).unwrap_or_else(|payload| {
            *workspace = Workspace::default();
            Err(BreakFailure::Panicked {
                message: panic_message(payload),
            })
        });
        JobResult {
            id,
            outcome,
            worker_ms: start.elapsed().as_secs_f32() * 1e3,
        }
    }
}

impl Task {
    fn run(
        self,
        cancel: Arc<AtomicBool>,
        workspace: &mut Workspace,
    ) -> Result<Outcome, BreakFailure> {
        if cancel.load(Ordering::Relaxed) {
            return Err(FractureError::Cancelled.into());
        }
        Ok(match self {
            Self::Prepare(job) => {
                job.run()?;
                Outcome::Prepared
            }
            Self::BuildColliders(job) => Outcome::CollidersBuilt(BuiltColliders::new(job)),
            Self::SolveStress(job) => Outcome::StressSolved(Box::new(job.run(cancel, workspace)?)),
            Self::Restore(restore) => {
                restore.work(&cancel);
                Outcome::Restored
            }
            Self::Background(task) => Outcome::Background(task()),
            Self::Break(job) if job.is_below_threshold()? => Outcome::BelowThreshold,
            Self::Break(job) => Outcome::Broken(Box::new(job.run(cancel, workspace)?)),
            Self::Refine(refinement) => {
                let collider = refinement.run(&|| cancel.load(Ordering::Relaxed));
                Outcome::Refined(collider.ok_or(FractureError::Cancelled)?)
            }
        })
    }
}

/// The text of a panic, disposing of its payload without a second panic.
fn panic_message(payload: Box<dyn Any + Send>) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    // A payload may panic in its own destructor, which would end the worker.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(payload)));
    text
}
