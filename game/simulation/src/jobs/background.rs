//! Sends the embedding layer's own work to the worker, and keeps what comes back.

use crate::jobs::Task;
use crate::jobs::{TaskId, TaskOutput};
use crate::simulation::Simulation;

impl Simulation {
    /// Has a function run on the worker when it has nothing better to do: a break never waits for
    /// more than one of them on each thread. `None`: it is busy, ask again in a later step. What comes
    /// of it is there after one of the next steps, see [`Simulation::drain_errands`]; nothing when
    /// the function panics.
    pub fn send_errand(
        &mut self,
        errand: impl FnOnce() -> TaskOutput + Send + 'static,
    ) -> Option<TaskId> {
        let limit = match self.settings.wait_for_results {
            true => self.settings.queue_capacity,
            false => self.settings.threads,
        };
        if self.worker.outstanding() >= limit {
            return None;
        }
        let task = Task::Background(Box::new(errand));
        let job = self.worker.submit(None, self.statistics.frame, task)?;
        let errand = TaskId(job.0);
        self.errands.insert(errand);
        Some(errand)
    }

    pub(crate) fn fetched(&mut self, errand: TaskId, found: Option<TaskOutput>) {
        if self.errands.remove(&errand) {
            self.fetched.push((errand, found));
        }
    }

    /// What errands have brought back since the last call; `None` for one that panicked.
    pub fn drain_errands(&mut self) -> impl Iterator<Item = (TaskId, Option<TaskOutput>)> + '_ {
        self.fetched.drain(..)
    }
}
