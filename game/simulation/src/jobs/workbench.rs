//! The work that one thread has in its hands: the most urgent jobs come first, then refinements, idle tasks, and values
//! computed in advance. All of it is done in steps, and can be left after each for something more urgent, or for a frame.

use crossbeam::channel::Receiver;

use super::channels::Channels;
use super::idle_task::IdleTask;
use super::job::{Job, JobResult, Urgency};
use super::running_job::RunningJob;
use crate::parallel::{Helpers, JobThread};
use crate::stepped_lazy::Precompute;

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
    /// By urgency.
    jobs: [JobsInHand; Urgency::COUNT],
    refinement: Option<RunningJob>,
    /// Computations in advance that were left.
    left: Vec<Precompute>,
}

/// Jobs of one queue, one after the other.
#[derive(Default)]
struct JobsInHand {
    job: Option<RunningJob>,
    /// `None` while a job has it, and after one that panicked.
    thread: Option<JobThread>,
}

impl JobsInHand {
    /// Works on a job until it is done or `goes_on` says no.
    fn work(
        &mut self,
        queue: &Receiver<Job>,
        helpers: &Helpers,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Worked {
        if self.job.is_none() {
            let Ok(job) = queue.try_recv() else {
                return Worked::Nothing;
            };
            let thread = self.thread.take();
            let thread = thread.unwrap_or_else(|| JobThread::new(helpers.clone()));
            self.job = Some(RunningJob::of_job(job, thread));
        }
        let running = self.job.as_mut();
        let Some((result, thread)) = running.and_then(|job| job.run_while(goes_on)) else {
            return Worked::Something;
        };
        *self = Self { job: None, thread };
        Worked::Result(Box::new(result))
    }
}

impl Workbench {
    pub fn new(channels: Channels) -> Self {
        Self {
            channels,
            jobs: Default::default(),
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

    /// Works on a job in the same way, and on nothing else. It is left for one that is more urgent.
    pub fn work_on_job(&mut self, goes_on: &mut dyn FnMut() -> bool) -> Worked {
        let Channels {
            jobs,
            helpers,
            background,
            ..
        } = &self.channels;
        let mut worked = Worked::Nothing;
        for (rank, (in_hand, queue)) in self.jobs.iter_mut().zip(jobs).enumerate() {
            let more_urgent = || jobs.iter().take(rank);
            let mut goes_on = || goes_on() && more_urgent().all(Receiver::is_empty);
            worked = in_hand.work(queue, helpers, &mut goes_on);
            if !matches!(worked, Worked::Nothing) {
                break;
            }
        }
        if matches!(worked, Worked::Result(_)) {
            // Where jobs never end, memory to be freed must not pile up.
            let idle_tasks = background.idle_tasks.try_iter();
            idle_tasks.take(1).for_each(IdleTask::run);
        }
        worked
    }

    /// Whether a job was left for a more urgent one.
    pub fn has_left_job(&self) -> bool {
        self.jobs.iter().any(|in_hand| in_hand.job.is_some())
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
