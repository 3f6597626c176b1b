//! Sends the embedding layer's own work to the worker, and keeps what comes back.

use crate::errand::{ErrandId, Fetched};
use crate::simulation::Simulation;
use crate::worker::Task;

impl Simulation {
    /// Has a function run on the worker when it has nothing better to do: a break never waits for
    /// more than one of them on each thread. `None`: it is busy, ask again in a later step. What comes
    /// of it is there after one of the next steps, see [`Simulation::drain_errands`]; nothing when
    /// the function panics.
    pub fn send_errand(
        &mut self,
        errand: impl FnOnce() -> Fetched + Send + 'static,
    ) -> Option<ErrandId> {
        let limit = match self.settings.wait_for_results {
            true => self.settings.queue_capacity,
            false => self.settings.threads,
        };
        if self.worker.outstanding() >= limit {
            return None;
        }
        let task = Task::Errand(Box::new(errand));
        let job = self.worker.submit(None, self.statistics.frame, task)?;
        let errand = ErrandId(job.0);
        self.errands.insert(errand);
        Some(errand)
    }

    pub(crate) fn fetched(&mut self, errand: ErrandId, found: Option<Fetched>) {
        if self.errands.remove(&errand) {
            self.fetched.push((errand, found));
        }
    }

    /// What errands have brought back since the last call; `None` for one that panicked.
    pub fn drain_errands(&mut self) -> impl Iterator<Item = (ErrandId, Option<Fetched>)> + '_ {
        self.fetched.drain(..)
    }
}
