//! A job that has been begun: it is done in steps, and can be left after each.

use std::future::Future;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::Duration;

use fracture_geometry::steps::step;
use fracture_geometry::FractureError;
use web_time::Instant;

use super::job::{panic_message, Job, JobResult, Outcome, RefinementJob};
use crate::error::BreakFailure;
use crate::parallel::JobThread;
use crate::stopwatch::Clock;
use crate::types::JobId;

/// The work of a job. Gives back the means by which it was done.
type JobWork = Pin<Box<dyn Future<Output = Done> + Send>>;

/// The outcome of a job, and the means by which it was done, if it needed any. A panic takes them with it.
type Done = (Result<Outcome, BreakFailure>, Option<JobThread>);

/// A job that has been begun.
pub(super) struct RunningJob {
    id: JobId,
    work: JobWork,
    /// For statistics only.
    worked: Duration,
    left: Arc<Clock>,
    left_at: Option<Instant>,
}

impl RunningJob {
    /// Begins a job, to be done by the means of a thread.
    pub fn of_job(job: Job, mut thread: JobThread) -> Self {
        let Job { id, cancel, task } = job;
        thread.set_cancel(cancel);
        thread.left = Arc::default();
        let left = thread.left.clone();
        let work = async move {
            let outcome = task.run(&mut thread).await;
            (outcome, Some(thread))
        };
        Self::new(id, left, Box::pin(work))
    }

    /// Begins a refinement.
    pub fn of_refinement(job: RefinementJob) -> Self {
        let RefinementJob {
            id,
            cancel,
            refinement,
        } = job;
        let work = async move {
            let is_cancelled = || cancel.load(Ordering::Relaxed);
            let refined = refinement.run(&is_cancelled).await;
            let outcome = refined.map(Outcome::Refined);
            (outcome.ok_or(FractureError::Cancelled.into()), None)
        };
        Self::new(id, Arc::default(), Box::pin(work))
    }

    fn new(id: JobId, left: Arc<Clock>, work: JobWork) -> Self {
        Self {
            id,
            work,
            worked: Duration::ZERO,
            left,
            left_at: None,
        }
    }

    /// Takes steps until the work is done, or `goes_on`, which is asked after each step but the last, says no. A panic
    /// becomes a failure.
    pub fn run_while(
        &mut self,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<(JobResult, Option<JobThread>)> {
        let start = Instant::now();
        if let Some(left_at) = self.left_at.take() {
            self.left.add(start - left_at);
        }
        let work = &mut self.work;
        let steps = || loop {
            let done = step(work.as_mut());
            if done.is_some() || !goes_on() {
                return done;
            }
        };
        // Nothing that a panic leaves half done is used again: a shape's solid is either set or not, the workspaces are
        // replaced, everything else is the job's own.
        let done = catch_unwind(AssertUnwindSafe(steps)).unwrap_or_else(|payload| {
            let message = panic_message(payload);
            Some((Err(BreakFailure::Panicked { message }), None))
        });
        self.worked += start.elapsed();
        let Some((outcome, thread)) = done else {
            self.left_at = Some(Instant::now());
            return None;
        };
        let result = JobResult {
            id: self.id,
            outcome,
            worker_ms: self.worked.as_secs_f32() * 1e3,
        };
        Some((result, thread))
    }
}
