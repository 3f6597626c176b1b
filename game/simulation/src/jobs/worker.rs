//! The worker: threads, a bounded queue of jobs, and results by channel.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use crossbeam::channel::{unbounded, Receiver};
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use super::channels::{Channels, Senders};
use super::idle_task::IdleTask;
use super::job::{Job, JobResult, RefinementJob, Task, Urgency};
use super::workbench::{Workbench, Worked};
use super::worker_thread::WorkerThread;
use crate::error::BreakFailure;
use crate::parallel::Helpers;
use crate::pieces::{Colliders, Refinement};
use crate::stepped_lazy::Precompute;
use crate::types::{BodyId, JobId};

/// A job that was submitted and whose result has not been taken.
pub(crate) struct Ticket {
    /// The bodies that are prepared, solved or broken; none for jobs that belong to no body.
    pub bodies: Vec<BodyId>,
    /// The step in which it was submitted.
    pub frame: u64,
    pub cancel: Arc<AtomicBool>,
    urgency: Urgency,
    /// Whether it refines the collider of the body.
    pub refines: bool,
}

impl Ticket {
    fn new(bodies: impl IntoIterator<Item = BodyId>, frame: u64, urgency: Urgency) -> Self {
        Self {
            bodies: bodies.into_iter().collect(),
            frame,
            cancel: Arc::default(),
            urgency,
            refines: false,
        }
    }
}

/// Worker threads and their jobs. Dropping it cancels all jobs and joins the threads.
pub(crate) struct Worker {
    /// `None` when the worker is being dropped.
    senders: Option<Senders>,
    /// Of the calling thread, which does all work where there are no threads. The mutex makes it `Sync`.
    caller: Mutex<Workbench>,
    results: Receiver<JobResult>,
    /// Results that were received, or are the calling thread's own, and were not taken.
    finished: BTreeMap<JobId, JobResult>,
    closing: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
    /// Counted here and not in the channel, so that "full" does not depend on thread timing.
    outstanding: BTreeMap<JobId, Ticket>,
    /// Refinements that have not been taken. They are as many as there are pieces, and count for no limit.
    refining: BTreeMap<JobId, Ticket>,
    capacity: usize,
    next_id: u64,
}

impl Worker {
    /// Starts `threads` threads that share a queue of at most `capacity` jobs. As many can work on one large job. Without
    /// threads the calling one does the work, see [`Worker::work`].
    pub fn new(threads: usize, capacity: usize) -> Result<Self, ThreadPoolBuildError> {
        let (senders, channels) = Channels::new();
        let closing = channels.closing.clone();
        let (result_sender, results) = unbounded();
        let (caller, handles) = if threads == 0 {
            (channels, Vec::new())
        } else {
            let caller = channels.clone().with_jobs_only();
            let helpers = Helpers::new(threads);
            let thread = WorkerThread {
                channels: Channels {
                    helpers,
                    ..channels
                },
                results: result_sender,
            };
            (caller, start_threads(threads, thread)?)
        };
        Ok(Self {
            senders: Some(senders),
            caller: Mutex::new(Workbench::new(caller)),
            results,
            finished: BTreeMap::new(),
            closing,
            threads: handles,
            outstanding: BTreeMap::new(),
            refining: BTreeMap::new(),
            capacity,
            next_id: 0,
        })
    }

    /// Queues a task without ever blocking; `None` when the queue is full.
    pub fn submit(
        &mut self,
        bodies: impl IntoIterator<Item = BodyId>,
        frame: u64,
        task: Task,
    ) -> Option<JobId> {
        if self.is_full() {
            return None;
        }
        let ticket = Ticket::new(bodies, frame, task.urgency());
        let (id, cancel) = (JobId(self.next_id), ticket.cancel.clone());
        let job = Job { id, cancel, task };
        if !self.senders.as_ref()?.send(job) {
            return None;
        }
        self.next_id += 1;
        self.outstanding.insert(id, ticket);
        Some(id)
    }

    /// Queues the refinement of a piece's collider, to be done when there is nothing more urgent. Returns the
    /// flag that cancels it.
    pub fn refine(&mut self, piece: BodyId, frame: u64, refinement: Refinement) -> Arc<AtomicBool> {
        let ticket = Ticket {
            refines: true,
            ..Ticket::new(Some(piece), frame, Urgency::Other)
        };
        let (id, cancel) = (JobId(self.next_id), ticket.cancel.clone());
        let job = RefinementJob {
            id,
            cancel: cancel.clone(),
            refinement,
        };
        self.next_id += 1;
        // Without a thread that listens the result counts as missing, like that of any job.
        let _ = self.senders.as_ref().map(|to| to.refinements.send(job));
        self.refining.insert(id, ticket);
        cancel
    }

    /// Frees a value when there is no job.
    pub fn discard(&self, value: impl Send + 'static) {
        // Without a thread that listens it is freed now.
        let task = IdleTask::Free(Box::new(value));
        let _ = self.senders.as_ref().map(|to| to.idle_tasks.send(task));
    }

    /// Builds the lazy hulls of colliders when there is no job.
    pub fn build_hulls(&self, colliders: Colliders) {
        // Without a thread that listens they are built on first use.
        let task = IdleTask::BuildHulls(colliders);
        let _ = self.senders.as_ref().map(|to| to.idle_tasks.send(task));
    }

    /// Runs a computation when the threads are idle; it is interrupted by jobs.
    pub fn precompute(&self, precompute: Precompute) {
        // Without a thread that listens the value is computed on first use.
        let senders = self.senders.as_ref();
        let _ = senders.map(|to| to.precompute.send(precompute));
    }

    /// The flag that cancels a job.
    pub fn cancel_flag(&self, job: JobId) -> Option<Arc<AtomicBool>> {
        Some(self.outstanding.get(&job)?.cancel.clone())
    }

    /// Number of refinements queued or running.
    pub fn refinements(&self) -> usize {
        self.refining.len()
    }

    /// Number of jobs queued or running, without refinements.
    pub fn outstanding(&self) -> usize {
        self.outstanding.len()
    }

    /// Number of jobs of an urgency queued or running.
    pub fn outstanding_of(&self, urgency: Urgency) -> usize {
        let tickets = self.outstanding.values();
        tickets.filter(|own| own.urgency == urgency).count()
    }

    /// Number of jobs that still fit.
    pub fn room(&self) -> usize {
        self.capacity.saturating_sub(self.outstanding.len())
    }

    pub fn is_full(&self) -> bool {
        self.outstanding.len() >= self.capacity
    }

    /// Runs queued jobs in the calling thread until all have begun: for a caller that waits anyway.
    pub fn help(&mut self) {
        loop {
            match self.caller().work_on_job(&mut || true) {
                Worked::Result(result) => self.finish(*result),
                Worked::Something => {}
                Worked::Nothing => return,
            }
        }
    }

    /// Where there are no threads, does their work in the calling one: at least a step, and more until nothing is left or
    /// `goes_on`, which is asked after each step, says no.
    pub fn work(&mut self, goes_on: &mut dyn FnMut() -> bool) {
        let mut is_over = !self.threads.is_empty();
        while !is_over {
            let mut goes_on = || {
                is_over = is_over || !goes_on();
                !is_over
            };
            let caller = self.caller();
            let mut worked = caller.work(&mut goes_on);
            if matches!(worked, Worked::Nothing) {
                worked = caller.resume(&mut goes_on);
            }
            let is_done = matches!(worked, Worked::Nothing) || !goes_on();
            if let Worked::Result(result) = worked {
                self.finish(*result);
            }
            if is_done {
                return;
            }
        }
    }

    /// Takes in the results of finished jobs; with `wait`, waits for all.
    pub fn receive(&mut self, wait: bool) {
        let results = self.results.try_iter();
        self.finished
            .extend(results.map(|result| (result.id, result)));
        while wait && self.finished.len() < self.outstanding.len() + self.refining.len() {
            self.wait_for_one();
        }
    }

    fn wait_for_one(&mut self) {
        if !self.threads.is_empty() {
            match self.results.recv() {
                Ok(result) => self.finish(result),
                // All threads have ended.
                Err(_) => self.fail_missing(),
            }
            return;
        }
        match self.caller().work(&mut || true) {
            Worked::Result(result) => self.finish(*result),
            Worked::Something => {}
            Worked::Nothing => self.fail_missing(),
        }
    }

    fn finish(&mut self, result: JobResult) {
        self.finished.insert(result.id, result);
    }

    fn caller(&mut self) -> &mut Workbench {
        let caller = self.caller.get_mut();
        caller.unwrap_or_else(PoisonError::into_inner)
    }

    /// The received result that was submitted first.
    pub fn next_finished(&self) -> Option<&JobResult> {
        self.finished.values().next()
    }

    /// Takes the received result that was submitted first.
    pub fn take_finished(&mut self) -> Option<(Ticket, JobResult)> {
        loop {
            let (id, result) = self.finished.pop_first()?;
            let ticket = self.outstanding.remove(&id);
            if let Some(ticket) = ticket.or_else(|| self.refining.remove(&id)) {
                return Some((ticket, result));
            }
        }
    }

    /// Number of received results that were not taken.
    #[cfg(test)]
    pub fn finished(&self) -> usize {
        self.finished.len()
    }

    /// Finished jobs in the order in which they were submitted; waits for all.
    #[cfg(test)]
    pub fn collect(&mut self) -> Vec<(Ticket, JobResult)> {
        self.receive(true);
        std::iter::from_fn(|| self.take_finished()).collect()
    }

    fn fail_missing(&mut self) {
        for &id in self.outstanding.keys().chain(self.refining.keys()) {
            self.finished.entry(id).or_insert(JobResult {
                id,
                outcome: Err(BreakFailure::WorkerGone),
                worker_ms: 0.0,
            });
        }
    }

    /// Asks every job to stop at its next check.
    pub fn cancel_all(&self) {
        for ticket in self.outstanding.values().chain(self.refining.values()) {
            ticket.cancel.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.cancel_all();
        self.closing.store(true, Ordering::Relaxed);
        self.senders = None;
        for thread in self.threads.drain(..) {
            // Panics of jobs are caught; there is nothing to do about another one.
            let _ = thread.join();
        }
    }
}

/// Starts threads of one pool, so that they can share work.
fn start_threads(
    count: usize,
    thread: WorkerThread,
) -> Result<Vec<JoinHandle<()>>, ThreadPoolBuildError> {
    let mut handles = Vec::with_capacity(count);
    // A thread that panics outside of a job works no more, and the others go on: rayon's own way is to end the program.
    let pool = ThreadPoolBuilder::new()
        .num_threads(count)
        .panic_handler(drop);
    let pool = pool.spawn_handler(|thread| {
        let builder = Builder::new().name(format!("fracture worker {}", thread.index()));
        handles.push(builder.spawn(|| thread.run())?);
        Ok(())
    });
    let pool = pool.build()?;
    // Background work leaves a thread free for the next job, and a core for the frame.
    let jobs_only = (count > 1).then(|| WorkerThread {
        channels: thread.channels.clone().with_jobs_only(),
        ..thread.clone()
    });
    // A dropped pool ends when these have returned.
    pool.spawn_broadcast(move |context| match &jobs_only {
        Some(jobs_only) if context.index() + 1 == count => jobs_only.run(),
        _ => thread.run(),
    });
    Ok(handles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::{Outcome, TaskOutput};
    use crate::pieces::HullOrigin;
    use crossbeam::channel::bounded;
    use fracture_geometry::Mesh;

    fn refinement(origin: HullOrigin) -> Refinement {
        Refinement::Hulls {
            mesh: Arc::new(Mesh::torus(0.6, 0.2, 24, 12)),
            origin,
        }
    }

    fn background(task: impl FnOnce() + Send + 'static) -> Task {
        Task::Background(Box::pin(async move {
            task();
            Box::new(()) as TaskOutput
        }))
    }

    #[test]
    fn jobs_go_before_refinements_and_results_keep_their_order() {
        let mut worker = Worker::new(1, 8).unwrap();
        let piece = BodyId(hecs::Entity::DANGLING);
        let (release, gate) = bounded::<()>(0);
        worker.submit(None, 0, background(move || _ = gate.recv()));
        worker.refine(piece, 0, refinement(HullOrigin::Search));
        let (sender, begun) = bounded(1);
        let (end, last_gate) = bounded::<()>(0);
        let last = move || {
            let _ = sender.send(());
            let _ = last_gate.recv();
        };
        worker.submit(None, 0, background(last));
        assert_eq!((worker.outstanding(), worker.refinements()), (2, 1));
        drop(release);
        begun.recv().unwrap();
        assert_eq!(worker.results.len(), 1, "only the first job is done");
        drop(end);
        let results = worker.collect();
        let refined = results.iter().map(|(ticket, _)| ticket.refines);
        assert_eq!(refined.collect::<Vec<_>>(), [false, true, false]);
        assert_eq!((worker.outstanding(), worker.refinements()), (0, 0));
    }

    #[test]
    fn refinements_are_no_jobs_that_the_queue_has_to_have_room_for() {
        let mut worker = Worker::new(1, 2).unwrap();
        let piece = BodyId(hecs::Entity::DANGLING);
        for _ in 0..20 {
            worker.refine(piece, 0, refinement(HullOrigin::Search));
        }
        assert!(worker.room() == 2 && !worker.is_full());
        let results = worker.collect();
        let is_refined = |result: &JobResult| matches!(result.outcome, Ok(Outcome::Refined(_)));
        assert!(results.len() == 20 && results.iter().all(|(_, result)| is_refined(result)));
    }

    #[test]
    fn a_refinement_that_panics_or_is_cancelled_fails_and_the_thread_goes_on() {
        let mut worker = Worker::new(1, 8).unwrap();
        let piece = BodyId(hecs::Entity::DANGLING);
        let (release, gate) = bounded::<()>(0);
        worker.submit(None, 0, background(move || _ = gate.recv()));
        worker.refine(piece, 0, refinement(HullOrigin::Panic));
        let cancel = worker.refine(piece, 0, refinement(HullOrigin::Search));
        cancel.store(true, Ordering::Relaxed);
        worker.refine(piece, 0, refinement(HullOrigin::Search));
        drop(release);
        let results = worker.collect();
        let outcomes: Vec<_> = results.iter().map(|(_, result)| &result.outcome).collect();
        assert!(matches!(outcomes[1], Err(BreakFailure::Panicked { .. })));
        assert!(outcomes[2].is_err() && matches!(outcomes[3], Ok(Outcome::Refined(_))));
    }

    #[test]
    fn a_panic_in_the_background_ends_the_work_of_no_other_thread() {
        let mut worker = Worker::new(2, 8).unwrap();
        let (sender, begun) = bounded(1);
        worker.precompute(Box::new(move |_| {
            let _ = sender.send(());
            panic!("on purpose")
        }));
        begun.recv().unwrap();
        for _ in 0..3 {
            worker.submit(None, 0, background(|| {}));
        }
        let results = worker.collect();
        assert!(results.len() == 3 && results.iter().all(|(_, result)| result.outcome.is_ok()));
    }

    /// A worker without threads, with a break-like job of some steps, and a refinement.
    fn without_threads() -> Worker {
        let mut worker = Worker::new(0, 8).unwrap();
        let piece = BodyId(hecs::Entity::DANGLING);
        worker.refine(piece, 0, refinement(HullOrigin::Search));
        worker.submit(None, 0, background(|| {}));
        worker.submit(None, 0, background(|| {}));
        worker
    }

    #[test]
    fn without_threads_a_limit_is_kept_by_steps_and_results_come_in_the_order_of_submission() {
        let mut worker = without_threads();
        assert_eq!(worker.finished(), 0, "nothing is done by itself");
        // Jobs first; each is one step.
        worker.work(&mut || false);
        assert_eq!(worker.finished(), 1);
        worker.work(&mut || false);
        assert_eq!((worker.finished(), worker.refinements()), (2, 1));
        // The refinement takes many, and is gone on with.
        let mut steps = 0;
        while worker.finished() < 3 {
            worker.work(&mut || false);
            steps += 1;
        }
        assert!(steps > 20, "{steps}");
        let results = worker.collect();
        let refined = results.iter().map(|(ticket, _)| ticket.refines);
        assert_eq!(refined.collect::<Vec<_>>(), [true, false, false]);
        // As many steps by other limits.
        for at_once in [2, 7, 1000] {
            let mut worker = without_threads();
            let mut asked = 0;
            while worker.finished() < 3 {
                let mut left = at_once;
                worker.work(&mut || {
                    (asked, left) = (asked + 1, left - 1);
                    left > 0
                });
            }
            assert_eq!(asked, steps + 2);
        }
    }

    #[test]
    fn without_threads_a_job_comes_before_the_rest_of_a_refinement() {
        let mut worker = Worker::new(0, 8).unwrap();
        let piece = BodyId(hecs::Entity::DANGLING);
        worker.refine(piece, 0, refinement(HullOrigin::Search));
        worker.work(&mut || false);
        worker.submit(None, 0, background(|| {}));
        worker.work(&mut || false);
        assert_eq!((worker.finished(), worker.refinements()), (1, 1));
        assert_eq!(worker.collect().len(), 2);
    }

    #[test]
    fn without_threads_a_panic_in_a_later_step_is_told_as_of_a_thread() {
        let mut worker = Worker::new(0, 8).unwrap();
        let piece = BodyId(hecs::Entity::DANGLING);
        worker.refine(piece, 0, refinement(HullOrigin::Panic));
        worker.refine(piece, 0, refinement(HullOrigin::Search));
        worker.submit(None, 0, background(|| panic!("on purpose")));
        worker.submit(None, 0, background(|| {}));
        while worker.finished() < 4 {
            worker.work(&mut || false);
        }
        let results = worker.collect();
        let outcomes: Vec<_> = results.iter().map(|(_, result)| &result.outcome).collect();
        for panicked in [0, 2] {
            let outcome = outcomes[panicked];
            assert!(matches!(outcome, Err(BreakFailure::Panicked { .. })));
        }
        assert!(matches!(outcomes[1], Ok(Outcome::Refined(_))) && outcomes[3].is_ok());
    }

    #[test]
    fn without_threads_values_are_computed_in_advance_when_nothing_else_is_left() {
        let mut worker = Worker::new(0, 8).unwrap();
        let (sender, steps) = unbounded();
        worker.precompute(Box::new(move |should_stop| loop {
            let _ = sender.send(());
            if sender.len() == 5 || should_stop() {
                return sender.len() == 5;
            }
        }));
        worker.submit(None, 0, background(|| {}));
        worker.work(&mut || false);
        assert_eq!((worker.finished(), steps.len()), (1, 0));
        for expected in [1, 2, 3, 4, 5, 5, 5] {
            worker.work(&mut || false);
            assert_eq!(steps.len(), expected);
        }
    }
}
