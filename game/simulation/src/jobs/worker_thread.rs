//! What a worker thread does: jobs before all else, then chores, and when there are neither what breaks will need.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;

use crossbeam::channel::{after, never, select_biased, Receiver, Sender};
use fracture_geometry::Workspace;

use super::idle_task::IdleTask;
use super::job::{Done, Job};
use crate::pieces::Precompute;

/// How long there has to be nothing to do before what was left off for a job is begun anew.
const PAUSE: Duration = Duration::from_millis(250);

/// Where a thread takes its work from, and where it brings it.
#[derive(Clone)]
pub(crate) struct WorkerThread {
    pub queue: Receiver<Job>,
    pub results: Sender<Done>,
    pub chores: Receiver<IdleTask>,
    pub foreseen: Receiver<Precompute>,
    /// Set when the worker ends.
    pub closing: Arc<AtomicBool>,
}

impl WorkerThread {
    /// Works until no more jobs can come.
    pub fn run(self) {
        let mut workspace = Workspace::default();
        let mut left_off = Vec::new();
        loop {
            let pause = match left_off.is_empty() {
                true => never(),
                false => after(PAUSE),
            };
            // The worker has the senders of all: that of the jobs goes first.
            select_biased! {
                recv(self.queue) -> job => {
                    let Ok(job) = job else {
                        return;
                    };
                    if self.results.send(job.run(&mut workspace)).is_err() {
                        return;
                    }
                    // Where jobs never end, what they leave behind must not either.
                    self.chores.try_iter().take(1).for_each(IdleTask::run);
                }
                recv(self.chores) -> chore => chore.into_iter().for_each(IdleTask::run),
                recv(self.foreseen) -> late => left_off.extend(self.foresee(late.ok())),
                recv(pause) -> _ => {
                    let late = left_off.pop();
                    left_off.extend(self.foresee(late));
                }
            }
        }
    }

    /// Makes something unless a job comes, and gives it back then.
    fn foresee(&self, late: Option<Precompute>) -> Option<Precompute> {
        let late = late?;
        let stop = || !self.queue.is_empty() || self.closing.load(Ordering::Relaxed);
        (!late(&stop)).then_some(late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::{JobId, Task};
    use crossbeam::channel::unbounded;

    /// Longer than anything here takes, so that a failure is told.
    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_job_goes_before_what_is_foreseen_which_is_begun_anew_then() {
        let (jobs, queue) = unbounded();
        let (results, done) = unbounded();
        let (_chores, chores) = unbounded();
        let (lates, foreseen) = unbounded::<Precompute>();
        let thread = WorkerThread {
            queue,
            results,
            chores,
            foreseen,
            closing: Arc::default(),
        };
        let closing = thread.closing.clone();
        let running = std::thread::spawn(move || thread.run());
        let (note, noted) = unbounded();
        let late: Precompute = Box::new(move |stop| {
            let _ = note.send(());
            while !stop() {
                std::thread::yield_now();
            }
            false
        });
        lates.send(late).unwrap();
        noted.recv_timeout(LONG).expect("begun");
        let errand = Task::Background(Box::new(|| Box::new(())));
        let job = Job {
            id: JobId(7),
            cancel: Arc::default(),
            task: errand,
        };
        jobs.send(job).unwrap();
        assert_eq!(done.recv_timeout(LONG).expect("done").id, JobId(7));
        noted.recv_timeout(LONG).expect("begun anew");
        // Nobody waits for it in the end.
        closing.store(true, Ordering::Relaxed);
        drop(jobs);
        running.join().unwrap();
    }
}
