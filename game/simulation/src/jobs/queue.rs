//! Work that waits for the worker, and the limit of jobs that a break may have to wait for.

use std::collections::{BTreeSet, VecDeque};
use std::future::Future;
use std::sync::Arc;

use rayon::ThreadPoolBuildError;

use super::body_queue::BodyQueue;
use super::job::{Task, TaskId, TaskOutput, Urgency};
use super::worker::Worker;
use crate::settings::Settings;
use crate::stepped_lazy::Precompute;
use crate::stress::SupportGraphs;
use crate::types::BodyId;

/// Jobs up to which colliders of external bodies are queued: a break waits for this many at most. They
/// are short and many.
const MAX_QUEUED_WITH_COLLIDERS: usize = 16;

/// The worker, and the work that waits until it has time.
pub(crate) struct Jobs {
    pub worker: Worker,
    /// Bodies whose shapes are to be prepared, oldest first.
    pub to_prepare: VecDeque<BodyId>,
    /// Bodies that have been prepared, which has not been reported.
    pub prepared: Vec<BodyId>,
    /// Values that breaks will need, to be computed when all bodies are prepared.
    pub to_precompute: Vec<Precompute>,
    /// Anchored bodies whose stress is to be solved, oldest first.
    pub to_solve: BodyQueue,
    pub support_graphs: Arc<SupportGraphs>,
    /// Bodies that nothing holds any more.
    pub to_fall: Vec<BodyId>,
    /// Background tasks that have not finished.
    running_tasks: BTreeSet<TaskId>,
    task_outputs: Vec<(TaskId, Option<TaskOutput>)>,
}

/// Kinds of jobs that break nothing, for the limit of jobs that a break may have to wait for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobKind {
    /// Colliders of external bodies.
    Colliders,
    /// Searches for bonds and weighings: they wait for no job of another kind.
    Structure,
    /// Preparation, stress, background tasks.
    Other,
}

impl Jobs {
    pub fn new(settings: &Settings) -> Result<Self, ThreadPoolBuildError> {
        Ok(Self {
            worker: Worker::new(settings.threads, settings.queue_capacity)?,
            to_prepare: VecDeque::new(),
            prepared: Vec::new(),
            to_precompute: Vec::new(),
            to_solve: BodyQueue::default(),
            support_graphs: Arc::default(),
            to_fall: Vec::new(),
            running_tasks: BTreeSet::new(),
            task_outputs: Vec::new(),
        })
    }

    /// Whether a job that breaks nothing may be queued: so few at once that a break never waits long for
    /// one of them. A step that waits for its jobs anyway queues as many as it can, so that the number of
    /// threads does not show in results.
    pub fn has_room(&self, settings: &Settings, kind: JobKind) -> bool {
        if settings.wait_for_results {
            return !self.worker.is_full();
        }
        let threads = settings.threads.max(1);
        let (queued, limit) = match kind {
            JobKind::Colliders => (self.worker.outstanding(), MAX_QUEUED_WITH_COLLIDERS),
            JobKind::Structure => (self.worker.outstanding_of(Urgency::Structure), threads),
            JobKind::Other => (self.worker.outstanding_of(Urgency::Other), threads),
        };
        queued < limit && !self.worker.is_full()
    }

    /// Submits work of the host, as [`Simulation::spawn_task`](crate::Simulation::spawn_task) does.
    pub fn spawn_task(
        &mut self,
        settings: &Settings,
        frame: u64,
        task: impl Future<Output = TaskOutput> + Send + 'static,
    ) -> Option<TaskId> {
        if !self.has_room(settings, JobKind::Other) {
            return None;
        }
        let task = Task::Background(Box::pin(task));
        let job = self.worker.submit(None, frame, task)?;
        let id = TaskId(job.0);
        self.running_tasks.insert(id);
        Some(id)
    }

    /// Takes the result of a job that belongs to no body, in case it is a background task.
    pub fn finish_task(&mut self, id: TaskId, output: Option<TaskOutput>) {
        if self.running_tasks.remove(&id) {
            self.task_outputs.push((id, output));
        }
    }

    /// Outputs of background tasks since the last call; `None` for one that panicked.
    pub fn drain_tasks(&mut self) -> impl Iterator<Item = (TaskId, Option<TaskOutput>)> + '_ {
        self.task_outputs.drain(..)
    }
}
