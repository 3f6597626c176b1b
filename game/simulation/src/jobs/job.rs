//! A job: one task on the worker, and how it is run so that a panic does not take the worker down.

use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Instant;

use fracture_geometry::FractureError;

use super::bond_job::{BondJob, FoundBonds};
use super::break_job::{BreakJob, BreakResult};
use super::building_job::{BuildingJob, WeighedBuilding};
use super::collider_job::BuiltColliders;
use super::prepare_job::PrepareJob;
use super::stress_job::{StressJob, StressResult};
use crate::changes::changes_of_break;
use crate::environment::ColliderJob;
use crate::error::BreakFailure;
use crate::history::SnapshotRestore;
use crate::parallel::JobThread;
use crate::pieces::{Refined, Refinement, ShouldCancel};
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
    /// Search the bonds of bodies.
    FindBonds(BondJob),
    /// Find what the bonds of a building carry.
    Weigh(Box<BuildingJob>),
    /// Help to restore pieces from a snapshot.
    Restore(Arc<SnapshotRestore>),
    /// Run a function of the host.
    Background(BackgroundTask),
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
    BondsFound(FoundBonds),
    Weighed(WeighedBuilding),
    /// The pieces are in the [`SnapshotRestore`].
    Restored,
    Background(TaskOutput),
    Refined(Refined),
}

/// A finished job.
pub(crate) struct JobResult {
    pub id: JobId,
    pub outcome: Result<Outcome, BreakFailure>,
    /// For statistics only.
    pub worker_ms: f32,
}

impl JobResult {
    /// How many pieces come or go by it.
    pub fn changes(&self) -> usize {
        match &self.outcome {
            Ok(Outcome::Broken(broken)) => changes_of_break(broken.pieces.len()),
            Ok(Outcome::StressSolved(solved)) => {
                let collapse = solved.collapse.as_ref();
                collapse.map_or(1, |collapse| changes_of_break(collapse.pieces.pieces.len()))
            }
            _ => 1,
        }
    }
}

/// A queued refinement of a piece's collider.
pub(super) struct RefinementJob {
    pub id: JobId,
    pub cancel: Arc<AtomicBool>,
    pub refinement: Refinement,
}

impl RefinementJob {
    /// Runs the refinement unless it is to stop for something more urgent; the job then, to be run again. A panic
    /// becomes a failure.
    pub fn run(self, should_yield: &ShouldCancel) -> Result<JobResult, Self> {
        let start = Instant::now();
        let is_cancelled = || self.cancel.load(Ordering::Relaxed);
        let should_stop = || is_cancelled() || should_yield();
        // Nothing that a panic leaves half done is used again.
        let outcome = match catch_panic(|| Ok(self.refinement.run(&should_stop))) {
            Ok(Some(refined)) => Ok(Outcome::Refined(refined)),
            Ok(None) if is_cancelled() => Err(FractureError::Cancelled.into()),
            Ok(None) => return Err(self),
            Err(reason) => Err(reason),
        };
        Ok(JobResult::new(self.id, outcome, start))
    }
}

impl Job {
    /// Runs the task by the means of a thread; a panic becomes a failure.
    pub fn run(self, thread: &mut JobThread) -> JobResult {
        let start = Instant::now();
        let Self { id, cancel, task } = self;
        // Nothing that a panic leaves half done is used again: a shape's solid is either set or not, the
        // workspaces are replaced, everything else is the job's own.
        thread.set_cancel(cancel);
        let outcome = catch_panic(|| task.run(thread));
        if matches!(outcome, Err(BreakFailure::Panicked { .. })) {
            *thread = JobThread::new(thread.helpers.clone());
        }
        JobResult::new(id, outcome, start)
    }
}

impl JobResult {
    fn new(id: JobId, outcome: Result<Outcome, BreakFailure>, start: Instant) -> Self {
        Self {
            id,
            outcome,
            worker_ms: start.elapsed().as_secs_f32() * 1e3,
        }
    }
}

/// Runs a function; a panic becomes a failure.
fn catch_panic<T>(run: impl FnOnce() -> Result<T, BreakFailure>) -> Result<T, BreakFailure> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        Err(BreakFailure::Panicked {
            message: panic_message(payload),
        })
    })
}

impl Task {
    fn run(self, thread: &mut JobThread) -> Result<Outcome, BreakFailure> {
        if thread.cancel.load(Ordering::Relaxed) {
            return Err(FractureError::Cancelled.into());
        }
        Ok(match self {
            Self::Prepare(job) => {
                job.run(&thread.helpers)?;
                Outcome::Prepared
            }
            Self::BuildColliders(job) => Outcome::CollidersBuilt(BuiltColliders::new(job)),
            Self::SolveStress(job) => Outcome::StressSolved(Box::new(job.run(thread)?)),
            Self::Weigh(job) => Outcome::Weighed(job.run()),
            Self::FindBonds(job) => Outcome::BondsFound(job.run()),
            Self::Restore(restore) => {
                restore.work(&thread.cancel);
                Outcome::Restored
            }
            Self::Background(task) => Outcome::Background(task()),
            Self::Break(job) if job.is_below_threshold()? => Outcome::BelowThreshold,
            Self::Break(job) => Outcome::Broken(Box::new(job.run(thread)?)),
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
