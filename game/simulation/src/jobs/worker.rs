//! The worker: threads, a bounded queue of jobs, and results by channel.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use crossbeam::channel::{bounded, unbounded, Receiver, Sender};
use fracture_geometry::Workspace;

use super::job::{Job, JobResult, Task};
use super::worker_thread::{IdleTask, WorkerThread};
use crate::error::BreakFailure;
use crate::pieces::{Colliders, Precompute, Shape};
use crate::types::{BodyId, JobId};

/// A job that was submitted and whose result has not been taken.
pub(crate) struct Ticket {
    /// The body that is prepared, solved or broken; `None` for jobs that belong to no body.
    pub body: Option<BodyId>,
    /// The step in which it was submitted.
    pub frame: u64,
    pub cancel: Arc<AtomicBool>,
}

/// Worker threads and their jobs. Dropping it cancels all jobs and joins the threads.
pub(crate) struct Worker {
    jobs: Option<Sender<Job>>,
    /// The receiver that the threads share.
    queue: Receiver<Job>,
    /// Results of jobs that the calling thread has run itself.
    own_results: Vec<JobResult>,
    /// Of the calling thread.
    workspace: Workspace,
    results: Receiver<JobResult>,
    idle_tasks: Sender<IdleTask>,
    precompute: Sender<Precompute>,
    closing: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
    /// Counted here and not in the channel, so that "full" does not depend on thread timing.
    outstanding: BTreeMap<JobId, Ticket>,
    capacity: usize,
    next_id: u64,
}

impl Worker {
    /// Starts `threads` threads that share a queue of at most `capacity` jobs.
    pub fn new(threads: usize, capacity: usize) -> std::io::Result<Self> {
        let (jobs, queue) = bounded::<Job>(capacity);
        let (result_sender, results) = unbounded();
        let (idle_tasks, idle_task_receiver) = unbounded();
        let (precompute, precompute_receiver) = unbounded();
        let closing = Arc::new(AtomicBool::new(false));
        let thread = WorkerThread {
            queue: queue.clone(),
            results: result_sender,
            idle_tasks: idle_task_receiver,
            precompute: precompute_receiver,
            closing: closing.clone(),
        };
        let mut worker = Self {
            jobs: Some(jobs),
            queue,
            own_results: Vec::new(),
            workspace: Workspace::default(),
            results,
            idle_tasks,
            precompute,
            closing,
            threads: Vec::with_capacity(threads),
            outstanding: BTreeMap::new(),
            capacity,
            next_id: 0,
        };
        for index in 0..threads {
            let thread = thread.clone();
            let builder = Builder::new().name(format!("fracture worker {index}"));
            worker.threads.push(builder.spawn(move || thread.run())?);
        }
        Ok(worker)
    }

    /// Queues a task without ever blocking; `None` when the queue is full.
    pub fn submit(&mut self, body: Option<BodyId>, frame: u64, task: Task) -> Option<JobId> {
        if self.is_full() {
            return None;
        }
        let id = JobId(self.next_id);
        let cancel = Arc::new(AtomicBool::new(false));
        let job = Job {
            id,
            cancel: cancel.clone(),
            task,
        };
        self.jobs.as_ref()?.try_send(job).ok()?;
        self.next_id += 1;
        let ticket = Ticket {
            body,
            frame,
            cancel,
        };
        self.outstanding.insert(id, ticket);
        Some(id)
    }

    /// Frees a shape when there is no job: a large one takes milliseconds.
    pub fn discard(&self, shape: Arc<Shape>) {
        // Without a thread that listens it is freed now.
        let _ = self.idle_tasks.send(IdleTask::Free(shape));
    }

    /// Builds the lazy hulls of colliders when there is no job.
    pub fn build_hulls(&self, colliders: Colliders) {
        // Without a thread that listens they are built on first use.
        let _ = self.idle_tasks.send(IdleTask::BuildHulls(colliders));
    }

    /// Runs a computation when the threads are idle; it is interrupted by jobs.
    pub fn precompute(&self, precompute: Precompute) {
        // Without a thread that listens the value is computed on first use.
        let _ = self.precompute.send(precompute);
    }

    /// The flag that cancels a job.
    pub fn cancel_flag(&self, job: JobId) -> Option<Arc<AtomicBool>> {
        Some(self.outstanding.get(&job)?.cancel.clone())
    }

    /// Number of jobs queued or running.
    pub fn outstanding(&self) -> usize {
        self.outstanding.len()
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
        while let Ok(job) = self.queue.try_recv() {
            self.own_results.push(job.run(&mut self.workspace));
        }
    }

    /// Finished jobs in the order in which they were submitted; with `wait`, waits for all.
    pub fn collect(&mut self, wait: bool) -> Vec<(Ticket, JobResult)> {
        let finished = self.results.try_iter();
        let mut results: Vec<JobResult> = finished.chain(self.own_results.drain(..)).collect();
        while wait && results.len() < self.outstanding.len() {
            match self.results.recv() {
                Ok(result) => results.push(result),
                // All threads have ended.
                Err(_) => results.extend(self.failures_of_missing(&results)),
            }
        }
        results.sort_by_key(|result| result.id);
        let with_ticket = |result: JobResult| Some((self.outstanding.remove(&result.id)?, result));
        results.into_iter().filter_map(with_ticket).collect()
    }

    fn failures_of_missing(&self, results: &[JobResult]) -> Vec<JobResult> {
        let is_missing = |id: &&JobId| !results.iter().any(|result| result.id == **id);
        let missing = self.outstanding.keys().filter(is_missing);
        let failures = missing.map(|&id| JobResult {
            id,
            outcome: Err(BreakFailure::WorkerGone),
            worker_ms: 0.0,
        });
        failures.collect()
    }

    /// Asks every job to stop at its next check.
    pub fn cancel_all(&self) {
        for ticket in self.outstanding.values() {
            ticket.cancel.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.cancel_all();
        self.closing.store(true, Ordering::Relaxed);
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // Panics of jobs are caught; there is nothing to do about another one.
            let _ = thread.join();
        }
    }
}
