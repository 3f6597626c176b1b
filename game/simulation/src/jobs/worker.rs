//! Breaks bodies off the main thread: a bounded queue of jobs, results by channel.

use super::idle_task::IdleTask;
use super::job::{Done, Job, JobId, Task};
use super::worker_thread::WorkerThread;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use crossbeam::channel::{bounded, unbounded, Receiver, Sender};
use fracture_geometry::Workspace;

use crate::event::BreakFailure;
use crate::pieces::Colliders;
use crate::pieces::{BodyId, Precompute, Shape};

/// A job that was submitted and whose result has not been taken.
pub(crate) struct Ticket {
    /// The body that is prepared or broken, when it is one; `None` for mirrors and errands.
    pub body: Option<BodyId>,
    /// The step in which it was submitted.
    pub frame: u64,
    pub cancel: Arc<AtomicBool>,
}

/// Worker threads and what they are busy with. Dropping it cancels everything and joins them.
pub(crate) struct Worker {
    jobs: Option<Sender<Job>>,
    /// Where the threads take jobs from.
    queue: Receiver<Job>,
    /// What the calling thread has done itself, and its scratch memory.
    helped: Vec<Done>,
    workspace: Workspace,
    results: Receiver<Done>,
    /// For when there are no jobs.
    chores: Sender<IdleTask>,
    /// For when there is nothing else either.
    foreseen: Sender<Precompute>,
    closing: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
    /// Counted here and not in the channel, so that "full" does not depend on thread timing.
    outstanding: BTreeMap<JobId, Ticket>,
    capacity: usize,
    next: u64,
}

impl Worker {
    /// Starts `threads` workers that share a queue of at most `capacity` jobs.
    pub fn new(threads: usize, capacity: usize) -> std::io::Result<Self> {
        let (jobs, queue) = bounded::<Job>(capacity);
        let (sender, results) = unbounded();
        let (chores, idle) = unbounded();
        let (foreseen, late) = unbounded();
        let closing = Arc::new(AtomicBool::new(false));
        let thread = WorkerThread {
            queue: queue.clone(),
            results: sender,
            chores: idle,
            foreseen: late,
            closing: closing.clone(),
        };
        let mut worker = Self {
            jobs: Some(jobs),
            queue,
            helped: Vec::new(),
            workspace: Workspace::default(),
            results,
            chores,
            foreseen,
            closing,
            threads: Vec::with_capacity(threads),
            outstanding: BTreeMap::new(),
            capacity,
            next: 0,
        };
        for index in 0..threads {
            let thread = thread.clone();
            let named = Builder::new().name(format!("fracture worker {index}"));
            worker.threads.push(named.spawn(move || thread.run())?);
        }
        Ok(worker)
    }

    /// Queues a task without ever blocking; `None` when the queue is full.
    pub fn submit(&mut self, body: Option<BodyId>, frame: u64, task: Task) -> Option<JobId> {
        if self.outstanding.len() >= self.capacity {
            return None;
        }
        let id = JobId(self.next);
        let cancel = Arc::new(AtomicBool::new(false));
        let job = Job {
            id,
            cancel: cancel.clone(),
            task,
        };
        self.jobs.as_ref()?.try_send(job).ok()?;
        self.next += 1;
        let ticket = Ticket {
            body,
            frame,
            cancel,
        };
        self.outstanding.insert(id, ticket);
        Some(id)
    }

    /// Lets a shape go when there is no job.
    pub fn discard(&self, shape: Arc<Shape>) {
        // Without a thread that listens it goes now.
        let _ = self.chores.send(IdleTask::LetGo(shape));
    }

    /// Builds hulls that were left for later when there is no job.
    pub fn build_hulls(&self, colliders: Colliders) {
        // Without a thread that listens they are built when they are touched.
        let _ = self.chores.send(IdleTask::BuildHulls(colliders));
    }

    /// Makes something when there is nothing else to do, and leaves off when there is.
    pub fn foresee(&self, late: Precompute) {
        // Without a thread that listens it is made when it is needed.
        let _ = self.foreseen.send(late);
    }

    /// The flag that cancels a job.
    pub fn cancel_flag(&self, job: JobId) -> Option<Arc<AtomicBool>> {
        Some(self.outstanding.get(&job)?.cancel.clone())
    }

    /// Jobs queued or running.
    pub fn outstanding(&self) -> usize {
        self.outstanding.len()
    }

    /// How many more jobs fit.
    pub fn room(&self) -> usize {
        self.capacity.saturating_sub(self.outstanding.len())
    }

    /// Whether nothing more fits.
    pub fn is_full(&self) -> bool {
        self.outstanding.len() >= self.capacity
    }

    /// Does jobs in the calling thread until no thread has one left to begin: for who waits anyway.
    pub fn help(&mut self) {
        while let Ok(job) = self.queue.try_recv() {
            self.helped.push(job.run(&mut self.workspace));
        }
    }

    /// Finished jobs in the order in which they were submitted; with `wait`, all there are.
    pub fn collect(&mut self, wait: bool) -> Vec<(Ticket, Done)> {
        let mut done: Vec<Done> = self
            .results
            .try_iter()
            .chain(self.helped.drain(..))
            .collect();
        while wait && done.len() < self.outstanding.len() {
            match self.results.recv() {
                Ok(result) => done.push(result),
                Err(_) => done.extend(self.lost(&done)),
            }
        }
        done.sort_by_key(|done| done.id);
        let take = |done: Done| Some((self.outstanding.remove(&done.id)?, done));
        done.into_iter().filter_map(take).collect()
    }

    /// Failures for jobs that no thread is left to finish.
    fn lost(&self, done: &[Done]) -> Vec<Done> {
        let missing = |id: &&JobId| !done.iter().any(|done| done.id == **id);
        let ids = self.outstanding.keys().filter(missing);
        ids.map(|&id| Done {
            id,
            outcome: Err(BreakFailure::WorkerGone),
            worker_ms: 0.0,
        })
        .collect()
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
            // A worker catches the panics of its jobs; there is nothing to do about another one.
            let _ = thread.join();
        }
    }
}
