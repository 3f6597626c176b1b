//! The work that one thread has in its hands: jobs come first, then refinements, then idle tasks, then values computed
//! in advance. All of it is done in steps, and can be left after each for something more urgent, or for a frame.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use crossbeam::channel::{never, Receiver};

use super::job::{Job, JobResult, RefinementJob};
use super::running_job::RunningJob;
use crate::parallel::{Helpers, JobThread};
use crate::pieces::{Colliders, LazyConvexHull, Precompute, Shape};

/// The channels by which a thread gets its work.
#[derive(Clone)]
pub(super) struct Channels {
    pub queue: Receiver<Job>,
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
    /// Those of a thread that runs jobs and nothing else.
    pub fn with_jobs_only(self) -> Self {
        Self {
            background: Background::none(),
            ..self
        }
    }

    /// Whether a job waits, or the worker is being dropped.
    pub fn has_jobs(&self) -> bool {
        !self.queue.is_empty() || self.is_closing()
    }

    /// Whether the worker is being dropped.
    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    /// Whether there is more urgent work than in the background.
    fn is_wanted(&self) -> bool {
        self.has_jobs() || self.helpers.are_called()
    }
}

/// Lowest-priority tasks: at most one between two jobs. They have no results and never affect the
/// outcome.
pub(super) enum IdleTask {
    /// Free a shape: a large one takes milliseconds.
    Free(Arc<Shape>),
    /// Build the topology of lazy hulls, which their first use has to do otherwise.
    BuildHulls(Colliders),
}

impl IdleTask {
    fn run(self) {
        match self {
            Self::Free(shape) => drop(shape),
            Self::BuildHulls(colliders) => {
                for hull in colliders.shapes().flat_map(LazyConvexHull::all_in) {
                    hull.built();
                }
            }
        }
    }
}

/// The end of a thread's work.
pub(super) enum Worked {
    /// A job to its end.
    Result(Box<JobResult>),
    /// Something else, or a part of a job.
    Something,
    /// There is nothing to do.
    Nothing,
}

/// The work in the hands of one thread.
pub(super) struct Workbench {
    channels: Channels,
    /// `None` while a job has it, and after one that panicked.
    thread: Option<JobThread>,
    job: Option<RunningJob>,
    refinement: Option<RunningJob>,
    /// Computations in advance that were left.
    left: Vec<Precompute>,
}

impl Workbench {
    pub fn new(channels: Channels) -> Self {
        Self {
            channels,
            thread: None,
            job: None,
            refinement: None,
            left: Vec::new(),
        }
    }

    /// Works on the most urgent, until it is done or `goes_on`, which is asked after each step but the last, says no.
    pub fn work(&mut self, goes_on: &mut dyn FnMut() -> bool) -> Worked {
        let worked = self.work_on_job(goes_on);
        if !matches!(worked, Worked::Nothing) {
            return worked;
        }
        if let Some(worked) = self.work_on_refinement(goes_on) {
            return worked;
        }
        if let Ok(task) = self.channels.background.idle_tasks.try_recv() {
            task.run();
            return Worked::Something;
        }
        match self.channels.background.precompute.try_recv() {
            Ok(task) => self.advance(task, goes_on),
            Err(_) => Worked::Nothing,
        }
    }

    /// Works on a job in the same way, and on nothing else.
    pub fn work_on_job(&mut self, goes_on: &mut dyn FnMut() -> bool) -> Worked {
        if self.job.is_none() {
            let Ok(job) = self.channels.queue.try_recv() else {
                return Worked::Nothing;
            };
            let new = || JobThread::new(self.channels.helpers.clone());
            let thread = self.thread.take().unwrap_or_else(new);
            self.job = Some(RunningJob::of_job(job, thread));
        }
        let running = self.job.as_mut();
        let Some((result, thread)) = running.and_then(|job| job.run_while(goes_on)) else {
            return Worked::Something;
        };
        (self.job, self.thread) = (None, thread);
        // Where jobs never end, memory to be freed must not pile up.
        let idle_tasks = self.channels.background.idle_tasks.try_iter();
        idle_tasks.take(1).for_each(IdleTask::run);
        Worked::Result(Box::new(result))
    }

    fn work_on_refinement(&mut self, goes_on: &mut dyn FnMut() -> bool) -> Option<Worked> {
        let channels = &self.channels;
        if self.refinement.is_none() {
            let job = channels.background.refinements.try_recv().ok()?;
            self.refinement = Some(RunningJob::of_refinement(job));
        }
        let mut goes_on = || goes_on() && !channels.is_wanted();
        let Some((result, _)) = self.refinement.as_mut()?.run_while(&mut goes_on) else {
            return Some(Worked::Something);
        };
        self.refinement = None;
        Some(Worked::Result(Box::new(result)))
    }

    /// Whether there are computations that were left.
    pub fn has_left(&self) -> bool {
        !self.left.is_empty()
    }

    /// Goes on with a computation that was left.
    pub fn resume(&mut self, goes_on: &mut dyn FnMut() -> bool) -> Worked {
        match self.left.pop() {
            Some(task) => self.advance(task, goes_on),
            None => Worked::Nothing,
        }
    }

    fn advance(&mut self, task: Precompute, goes_on: &mut dyn FnMut() -> bool) -> Worked {
        let channels = &self.channels;
        let is_wanted = || channels.is_wanted() || !channels.background.refinements.is_empty();
        if !task(&mut || !goes_on() || is_wanted()) {
            self.left.push(task);
        }
        Worked::Something
    }
}
