//! Loops on several threads. The crate has none of its own.

use std::sync::Mutex;

use crate::steps::pause;

/// Runs tasks in any order or at the same time. The crate has no threads of its own.
pub trait TaskRunner: Sync {
    /// Runs every task once and returns when all are done.
    fn run(&self, tasks: &mut [Box<dyn FnMut() + Send + '_>]);
}

/// Runs one task after another on the calling thread.
pub struct SerialRunner;

impl TaskRunner for SerialRunner {
    fn run(&self, tasks: &mut [Box<dyn FnMut() + Send + '_>]) {
        for task in tasks {
            task();
        }
    }
}

/// Threads of a host, on which loops are done.
#[derive(Clone, Copy)]
pub struct Threads<'a> {
    /// Runs tasks on them.
    pub runner: &'a dyn TaskRunner,
    /// How many there are, with the calling one.
    pub count: usize,
}

impl Default for Threads<'_> {
    /// The calling thread.
    fn default() -> Self {
        Self {
            runner: &SerialRunner,
            count: 1,
        }
    }
}

impl Threads<'_> {
    /// Does something with each item; with one thread, an item in a [step](crate::steps).
    pub(crate) async fn for_each<T: Send>(&self, items: &mut [T], job: impl Fn(&mut T) + Sync) {
        if self.count < 2 {
            for item in items {
                job(item);
                pause().await;
            }
            return;
        }
        // The last ones first: of the pieces of a break these are the largest.
        let items = &Mutex::new(items.iter_mut().rev());
        let task = || {
            while let Some(item) = next(items) {
                job(item);
            }
        };
        let task = &task;
        let tasks = (0..self.count).map(|_| Box::new(task) as Box<dyn FnMut() + Send + '_>);
        self.runner.run(&mut tasks.collect::<Vec<_>>());
    }
}

/// Next item of a shared iterator; `None` after a thread panicked.
pub(crate) fn next<I: Iterator>(work: &Mutex<I>) -> Option<I::Item> {
    work.lock().ok()?.next()
}
