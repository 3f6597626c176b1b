//! One unit of work, and how it is run without taking the worker down.

use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Instant;

use fracture_geometry::{FractureError, Workspace};

use super::break_job::{BreakJob, BreakResult};
use super::collider_job::{BuiltColliders, ColliderJob};
use super::errand::{BackgroundTask, TaskOutput};
use super::stress_job::{StressJob, StressResult};
use crate::event::BreakFailure;
use crate::history::SnapshotRestore;
use crate::pieces::{LazyPattern, Shape};
use crate::stress::LazyLattice;

/// Names a job; later jobs have larger ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct JobId(pub u64);

/// A queued task.
pub(crate) struct Job {
    pub id: JobId,
    pub cancel: Arc<AtomicBool>,
    pub task: Task,
}

/// What to do.
pub(crate) enum Task {
    /// Prepare a body, so that its next break does not have to.
    Prepare(Preparation),
    /// Make the shapes of a surrounding.
    BuildColliders(ColliderJob),
    /// Break a body.
    Break(Box<BreakJob>),
    /// See whether a body bears its own weight.
    Weigh(Box<StressJob>),
    /// Help to make the pieces of bodies that somebody has kept.
    Restore(Arc<SnapshotRestore>),
    /// Do something for the embedding layer.
    Background(BackgroundTask),
}

/// What is to be prepared.
pub(crate) struct Preparation {
    pub shape: Arc<Shape>,
    pub pattern: Arc<LazyPattern>,
    /// Also what pieces that are held are collided with.
    pub collision: bool,
    /// Also the cells in which it carries its weight.
    pub lattice: Option<Arc<LazyLattice>>,
}

/// What came of it.
pub(crate) enum Outcome {
    Prepared,
    Mirrored(BuiltColliders),
    Broken(Box<BreakResult>),
    StressSolved(Box<StressResult>),
    /// Who asked for it has it.
    Restored,
    Background(TaskOutput),
}

/// A finished job.
pub(crate) struct Done {
    pub id: JobId,
    pub outcome: Result<Outcome, BreakFailure>,
    /// For statistics only.
    pub worker_ms: f32,
}

impl Job {
    /// Runs the task in a thread's workspace; a panic becomes a failure.
    pub fn run(self, workspace: &mut Workspace) -> Done {
        let start = Instant::now();
        let Self { id, cancel, task } = self;
        // Nothing that a panic leaves half done is used again: a shape's solid is either set or
        // not, the workspace is replaced, everything else is the job's own.
        let run = AssertUnwindSafe(|| run(task, cancel, workspace));
        let outcome = catch_unwind(run).unwrap_or_else(|payload| {
            *workspace = Workspace::default();
            Err(BreakFailure::Panicked {
                message: message(payload),
            })
        });
        Done {
            id,
            outcome,
            worker_ms: start.elapsed().as_secs_f32() * 1e3,
        }
    }
}

fn run(
    task: Task,
    cancel: Arc<AtomicBool>,
    workspace: &mut Workspace,
) -> Result<Outcome, BreakFailure> {
    if cancel.load(Ordering::Relaxed) {
        return Err(FractureError::Cancelled.into());
    }
    match task {
        Task::Prepare(order) => {
            let solid = order.shape.solid()?;
            order.shape.slim();
            order.pattern.get()?;
            order.shape.stock(solid);
            if order.collision {
                let surface = order.shape.surface(solid);
                surface.prepare_collision(solid.mesh());
                surface.prepare_colliders(solid.mesh());
            }
            if let Some(lattice) = order.lattice.filter(|_| !solid.is_shell()) {
                // What comes of it is told to whoever weighs.
                let _ = lattice.get_or_make(solid);
            }
            Ok(Outcome::Prepared)
        }
        Task::BuildColliders(order) => Ok(Outcome::Mirrored(order.run())),
        Task::Weigh(order) => Ok(Outcome::StressSolved(Box::new(
            order.run(cancel, workspace)?,
        ))),
        Task::Restore(restore) => {
            restore.work(&cancel);
            Ok(Outcome::Restored)
        }
        Task::Background(errand) => Ok(Outcome::Background(errand())),
        Task::Break(order) => Ok(Outcome::Broken(Box::new(order.run(cancel, workspace)?))),
    }
}

/// The text of a panic, disposing of its payload without a second panic.
fn message(payload: Box<dyn Any + Send>) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    // A payload may panic in its own destructor, which would end the worker.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(payload)));
    text
}
