//! A worker thread: jobs come first, then refinements, then idle tasks, then values computed in advance.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;

use crossbeam::channel::{after, never, select_biased, Receiver, Sender};

use super::job::{Job, JobResult, RefinementJob};
use crate::parallel::{Helpers, JobThread};
use crate::pieces::{Colliders, LazyConvexHull, Precompute, Shape};

/// How long the thread has to be idle before an interrupted computation is restarted.
const RESTART_DELAY: Duration = Duration::from_millis(250);

/// The channels of a thread.
#[derive(Clone)]
pub(super) struct WorkerThread {
    pub queue: Receiver<Job>,
    pub helpers: Helpers,
    pub background: Background,
    /// Takes back the refinements that another job has interrupted.
    pub interrupted_refinements: Sender<RefinementJob>,
    pub results: Sender<JobResult>,
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

impl WorkerThread {
    /// A thread that runs jobs and nothing else.
    pub fn with_jobs_only(self) -> Self {
        Self {
            background: Background::none(),
            ..self
        }
    }

    /// Works until the worker is dropped.
    pub fn run(&self) {
        let mut thread = JobThread::new(self.helpers.clone());
        let mut interrupted: Vec<Precompute> = Vec::new();
        let bell = self.helpers.bell();
        loop {
            // Other work would take the core that helpers need, so it waits meanwhile.
            self.helpers.help_until(|| self.has_jobs());
            let restart = if interrupted.is_empty() {
                never()
            } else {
                after(RESTART_DELAY)
            };
            // The worker owns the senders of all channels and drops that of the jobs first.
            select_biased! {
                recv(self.queue) -> job => {
                    if !job.is_ok_and(|job| self.run_job(job, &mut thread)) {
                        return;
                    }
                }
                recv(bell) -> _ => {}
                recv(self.background.refinements) -> job => {
                    if !job.is_ok_and(|job| self.refine(job)) {
                        return;
                    }
                }
                recv(self.background.idle_tasks) -> task => task.into_iter().for_each(IdleTask::run),
                recv(self.background.precompute) -> task => {
                    interrupted.extend(task.ok().and_then(|task| self.run_or_return(task)));
                }
                recv(restart) -> _ => {
                    let task = interrupted.pop();
                    interrupted.extend(task.and_then(|task| self.run_or_return(task)));
                }
            }
        }
    }

    /// Runs a job. Returns whether its result was received.
    fn run_job(&self, job: Job, thread: &mut JobThread) -> bool {
        let result = job.run(thread);
        let is_received = self.results.send(result).is_ok();
        // Where jobs never end, memory to be freed must not pile up.
        let idle_tasks = self.background.idle_tasks.try_iter();
        idle_tasks.take(1).for_each(IdleTask::run);
        is_received
    }

    /// Runs a refinement, or puts it back when a job has interrupted it. Returns whether that was received.
    fn refine(&self, job: RefinementJob) -> bool {
        match job.run(&|| self.is_wanted()) {
            Ok(result) => self.results.send(result).is_ok(),
            Err(job) => self.interrupted_refinements.send(job).is_ok(),
        }
    }

    /// Runs a computation; returns it when a job has interrupted it.
    fn run_or_return(&self, task: Precompute) -> Option<Precompute> {
        let should_cancel = || self.is_wanted() || !self.background.refinements.is_empty();
        (!task(&should_cancel)).then_some(task)
    }

    /// Whether there is more urgent work than in the background.
    fn is_wanted(&self) -> bool {
        self.has_jobs() || self.helpers.are_called()
    }

    /// Whether a job waits, or the worker is being dropped.
    fn has_jobs(&self) -> bool {
        !self.queue.is_empty() || self.closing.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::job::Task;
    use crate::types::JobId;
    use crossbeam::channel::unbounded;

    /// Longer than anything here takes, so that a failure is reported.
    const TIMEOUT: Duration = Duration::from_secs(60);

    #[test]
    fn a_job_interrupts_a_computation_in_advance_which_is_restarted_then() {
        let (jobs, queue) = unbounded();
        let (result_sender, results) = unbounded();
        let (_idle_tasks, idle_task_receiver) = unbounded();
        let (precompute, precompute_receiver) = unbounded::<Precompute>();
        let (interrupted_refinements, refinements) = unbounded();
        let thread = WorkerThread {
            queue,
            helpers: Helpers::default(),
            background: Background {
                refinements,
                idle_tasks: idle_task_receiver,
                precompute: precompute_receiver,
            },
            interrupted_refinements,
            results: result_sender,
            closing: Arc::default(),
        };
        let closing = thread.closing.clone();
        let running = std::thread::spawn(move || thread.run());
        let (start_sender, starts) = unbounded();
        let endless: Precompute = Box::new(move |should_cancel| {
            let _ = start_sender.send(());
            while !should_cancel() {
                std::thread::yield_now();
            }
            false
        });
        precompute.send(endless).unwrap();
        starts.recv_timeout(TIMEOUT).expect("started");
        let job = Job {
            id: JobId(7),
            cancel: Arc::default(),
            task: Task::Background(Box::new(|| Box::new(()))),
        };
        jobs.send(job).unwrap();
        let result = results.recv_timeout(TIMEOUT).expect("finished");
        assert_eq!(result.id, JobId(7));
        starts.recv_timeout(TIMEOUT).expect("restarted");
        // The computation never ends by itself.
        closing.store(true, Ordering::Relaxed);
        drop(jobs);
        running.join().unwrap();
    }
}
