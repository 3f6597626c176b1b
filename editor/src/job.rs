//! Work on a thread of its own, with progress and a way to give up.

use std::{
    sync::{
        atomic::{AtomicBool, AtomicU32, Ordering},
        mpsc::{channel, Receiver, TryRecvError},
        Arc,
    },
    thread,
};

/// What a job tells while it runs, and is told.
#[derive(Clone, Default)]
pub struct Progress {
    /// Set to make it stop as soon as it can.
    pub cancel: Arc<AtomicBool>,
    done: Arc<AtomicU32>,
}

impl Progress {
    /// Whether the job should stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Tells how much is done.
    pub fn set(&self, done: u32) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// How much is done.
    pub fn done(&self) -> u32 {
        self.done.load(Ordering::Relaxed)
    }
}

/// Drops something on a thread of its own: it may have threads to wait for, and much to free.
pub fn discard<T: Send + 'static>(value: T) {
    let thread = thread::Builder::new().name("fracture discard".into());
    // When no thread can be had, it is dropped here.
    let _ = thread.spawn(move || drop(value));
}

/// A running job. Dropping it cancels the work and forgets the result.
pub struct Job<T> {
    result: Receiver<T>,
    /// What the job tells and is told.
    pub progress: Progress,
}

/// How far a job has come.
pub enum Poll<T> {
    /// It is still running.
    Running,
    /// This came of it.
    Done(T),
    /// It panicked, or could not be started.
    Lost,
}

impl<T: Send + 'static> Job<T> {
    /// Starts work on a new thread.
    pub fn start(work: impl FnOnce(&Progress) -> T + Send + 'static) -> Self {
        let (send, result) = channel();
        let progress = Progress::default();
        let own = progress.clone();
        let run = move || {
            // Nobody listens any more when the job was dropped.
            let _ = send.send(work(&own));
        };
        // When no thread can be had, the sender is dropped and the job counts as lost.
        let _ = thread::Builder::new()
            .name("fracture tool".into())
            .spawn(run);
        Self { result, progress }
    }

    /// Looks for the result. Never waits.
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
