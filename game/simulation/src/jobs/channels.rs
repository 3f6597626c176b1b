//! The channels by which threads get their work.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use crossbeam::channel::{never, unbounded, Receiver, Sender};

use super::idle_task::IdleTask;
use super::job::{Job, RefinementJob, Urgency};
use crate::parallel::Helpers;
use crate::stepped_lazy::Precompute;

/// The ends of the channels that give work.
pub(super) struct Senders {
    /// By urgency.
    jobs: [Sender<Job>; Urgency::COUNT],
    pub refinements: Sender<RefinementJob>,
    pub idle_tasks: Sender<IdleTask>,
    pub precompute: Sender<Precompute>,
}

/// The ends of the channels that take work.
#[derive(Clone)]
pub(super) struct Channels {
    /// By urgency.
    pub jobs: [Receiver<Job>; Urgency::COUNT],
    pub helpers: Helpers,
    pub background: Background,
    /// Set when the worker is dropped.
    pub closing: Arc<AtomicBool>,
}

/// Work that waits while there are jobs, the most urgent first.
#[derive(Clone)]
pub(super) struct Background {
    pub refinements: Receiver<RefinementJob>,
    pub idle_tasks: Receiver<IdleTask>,
    pub precompute: Receiver<Precompute>,
}

impl Senders {
    /// Queues a job; `false` without a thread that listens.
    pub fn send(&self, job: Job) -> bool {
        let queue = &self.jobs[job.task.urgency() as usize];
        queue.send(job).is_ok()
    }
}

impl Background {
    /// Without any work, for ever.
    fn none() -> Self {
        Self {
            refinements: never(),
            idle_tasks: never(),
            precompute: never(),
        }
    }
}

impl Channels {
    /// New channels, of a thread without helpers.
    pub fn new() -> (Senders, Self) {
        let queues: [(Sender<Job>, Receiver<Job>); Urgency::COUNT] =
            std::array::from_fn(|_| unbounded());
        let (refinements, refinement_receiver) = unbounded();
        let (idle_tasks, idle_task_receiver) = unbounded();
        let (precompute, precompute_receiver) = unbounded();
        let senders = Senders {
            jobs: queues.each_ref().map(|(sender, _)| sender.clone()),
            refinements,
            idle_tasks,
            precompute,
        };
        let channels = Self {
            jobs: queues.map(|(_, receiver)| receiver),
            helpers: Helpers::default(),
            background: Background {
                refinements: refinement_receiver,
                idle_tasks: idle_task_receiver,
                precompute: precompute_receiver,
            },
            closing: Arc::default(),
        };
        (senders, channels)
    }

    /// Those of a thread that runs jobs and nothing else.
    pub fn with_jobs_only(self) -> Self {
        Self {
            background: Background::none(),
            ..self
        }
    }

    /// Whether a job waits, or the worker is being dropped.
    pub fn has_jobs(&self) -> bool {
        !self.jobs.iter().all(Receiver::is_empty) || self.is_closing()
    }

    /// Whether the worker is being dropped.
    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    /// Whether there is more urgent work than in the background.
    pub fn is_wanted(&self) -> bool {
        self.has_jobs() || self.helpers.are_called()
    }
}
