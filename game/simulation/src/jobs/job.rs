//! A job: one task of the worker.

use std::any::Any;
use std::future::Future;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use fracture_geometry::steps::pause;
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
use crate::pieces::{Refined, Refinement};
use crate::types::{BodyId, JobId};

/// A queued task.
pub(super) struct Job {
    pub id: JobId,
    pub cancel: Arc<AtomicBool>,
    pub task: Task,
}

/// Jobs wait for those that are more urgent, the first of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// Bodies break, or fall.
    Break,
    /// It is found out what holds what.
    Structure,
    Other,
}

impl Urgency {
    pub const COUNT: usize = Self::Other as usize + 1;
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
    /// Let bodies fall that nothing holds, all of them at once.
    Fall(Vec<StressJob>),
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
pub(super) type BackgroundTask = Pin<Box<dyn Future<Output = TaskOutput> + Send>>;

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
    /// By body, in the order of its job.
    Fell(Vec<Result<StressResult, BreakFailure>>),
    BondsFound(FoundBonds),
    Weighed(WeighedBuilding),
    /// The pieces are in the [`SnapshotRestore`].
    Restored,
    Background(TaskOutput),
    Refined(Refined),
}

impl Outcome {
    fn of_fallen(fallen: Result<StressResult, BreakFailure>) -> Result<Self, BreakFailure> {
        fallen.map(|solved| Self::StressSolved(Box::new(solved)))
    }
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
            Ok(Outcome::StressSolved(solved)) => solved.changes(),
            Ok(Outcome::Fell(fallen)) => fallen.iter().flatten().map(StressResult::changes).sum(),
            _ => 1,
        }
    }

    /// The results of the bodies of the job.
    pub fn by_body(self, bodies: &[BodyId]) -> Vec<(BodyId, Self)> {
        let Self {
            id,
            outcome,
            worker_ms,
        } = self;
        let outcomes: Vec<Result<Outcome, BreakFailure>> = match outcome {
            Ok(Outcome::Fell(fallen)) => fallen.into_iter().map(Outcome::of_fallen).collect(),
            outcome => vec![outcome],
        };
        let worker_ms = worker_ms / bodies.len().max(1) as f32;
        let results = outcomes.into_iter().map(|outcome| Self {
            id,
            outcome,
            worker_ms,
        });
        bodies.iter().copied().zip(results).collect()
    }
}

/// A queued refinement of a piece's collider.
pub(super) struct RefinementJob {
    pub id: JobId,
    pub cancel: Arc<AtomicBool>,
    pub refinement: Refinement,
}

impl Task {
    pub fn urgency(&self) -> Urgency {
        match self {
            Self::Break(_) | Self::Fall(_) => Urgency::Break,
            Self::FindBonds(_) | Self::Weigh(_) => Urgency::Structure,
            _ => Urgency::Other,
        }
    }

    /// Does the work, in steps.
    pub async fn run(self, thread: &mut JobThread) -> Result<Outcome, BreakFailure> {
        if thread.cancel.load(Ordering::Relaxed) {
            return Err(FractureError::Cancelled.into());
        }
        Ok(match self {
            Self::Prepare(job) => {
                job.run(&thread.helpers).await?;
                Outcome::Prepared
            }
            Self::BuildColliders(job) => Outcome::CollidersBuilt(BuiltColliders::of_job(job).await),
            Self::SolveStress(job) => Outcome::StressSolved(Box::new(job.run(thread).await?)),
            Self::Fall(jobs) => {
                let mut fallen = Vec::with_capacity(jobs.len());
                for job in jobs {
                    fallen.push(job.run(thread).await);
                    pause().await;
                }
                Outcome::Fell(fallen)
            }
            Self::Weigh(job) => Outcome::Weighed(job.run().await),
            Self::FindBonds(job) => Outcome::BondsFound(job.run().await),
            Self::Restore(restore) => {
                restore.work(&thread.cancel).await;
                Outcome::Restored
            }
            Self::Background(task) => Outcome::Background(task.await),
            Self::Break(job) => {
                if job.is_below_threshold().await? {
                    return Ok(Outcome::BelowThreshold);
                }
                Outcome::Broken(Box::new(job.run(thread).await?))
            }
        })
    }
}

/// The text of a panic, disposing of its payload without a second panic.
pub(super) fn panic_message(payload: Box<dyn Any + Send>) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    // A payload may panic in its own destructor, which would end the worker.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(payload)));
    text
}
