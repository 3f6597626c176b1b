//! A job on a thread of its own, with progress and cancellation.

use std::{
    sync::{
        atomic::{AtomicBool, AtomicU32, Ordering},
        mpsc::{channel, Receiver, TryRecvError},
        Arc,
    },
    thread,
};

/// Progress of a job and its cancel flag, shared by the job and its owner.
#[derive(Clone, Default)]
pub struct Progress {
    /// Set by the owner: the job stops as soon as it can.
    pub cancel: Arc<AtomicBool>,
    done: Arc<AtomicU32>,
}

impl Progress {
    /// Whether the job should stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Sets how many units of work are done.
    pub fn set(&self, done: u32) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// Units of work done.
    pub fn done(&self) -> u32 {
        self.done.load(Ordering::Relaxed)
    }
}

/// Drops a value on a thread of its own: dropping may wait for threads and free much memory.
pub fn discard<T: Send + 'static>(value: T) {
    let thread = thread::Builder::new().name("fracture discard".into());
    // When no thread can be had, it is dropped here.
    let _ = thread.spawn(move || drop(value));
}

/// A running job. Dropping it cancels the work and forgets the result.
pub struct Job<T> {
    result: Receiver<T>,
    /// Progress and cancel flag.
    pub progress: Progress,
}

/// State of a job.
pub enum Poll<T> {
    /// Still running.
    Running,
    /// Finished, with its result.
    Done(T),
    /// Panicked, or not started.
    Lost,
}

impl<T: Send + 'static> Job<T> {
    /// Starts work on a new thread.
    pub fn start(work: impl FnOnce(&Progress) -> T + Send + 'static) -> Self {
        let (send, result) = channel();
        let progress = Progress::default();
        let own = progress.clone();
        let run = move || {
            // The receiver is gone when the job was dropped.
            let _ = send.send(work(&own));
        };
        // When no thread can be had, the sender is dropped and the job counts as lost.
        let _ = thread::Builder::new()
            .name("fracture tool".into())
            .spawn(run);
        Self { result, progress }
    }

    /// Returns the result if there is one. Never waits.
    pub fn poll(&self) -> Poll<T> {
        match self.result.try_recv() {
            Ok(result) => Poll::Done(result),
            Err(TryRecvError::Empty) => Poll::Running,
            Err(TryRecvError::Disconnected) => Poll::Lost,
        }
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.progress.cancel.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait<T: Send + 'static>(job: &Job<T>) -> Option<T> {
        loop {
            match job.poll() {
                Poll::Running => thread::yield_now(),
                Poll::Done(result) => return Some(result),
                Poll::Lost => return None,
            }
        }
    }

    #[test]
    fn a_job_gives_its_result_and_a_panic_is_a_lost_job() {
        assert_eq!(wait(&Job::start(|_| 7)), Some(7));
        let broken: Job<i32> = Job::start(|_| panic!("on purpose"));
        assert_eq!(wait(&broken), None);
    }

    #[test]
    fn dropping_a_job_cancels_it() {
        let (tell, told) = channel();
        let job = Job::start(move |progress| {
            while !progress.is_cancelled() {
                thread::yield_now();
            }
            tell.send(()).unwrap();
        });
        drop(job);
        told.recv().unwrap();
    }
}
