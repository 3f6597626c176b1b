//! Restoring of bodies: a fresh body gets the pieces of a save, by loading their snapshots if there are
//! any, otherwise by replaying the breaks.

use super::log::{BreakLog, ReplayError};
use super::replay_job::{replay_until_done, ReplayJob};
use super::snapshot_swap::load_snapshots;
use crate::simulation::Simulation;
use crate::types::BodyId;

impl Simulation {
    /// Brings an intact body to the state of a save. The call waits for the worker; no time passes.
    ///
    /// With snapshots the pieces are loaded, and one [`Event::Broken`](crate::Event::Broken) of
    /// [`Cause::Restore`](crate::Cause::Restore) reports them. Without, or when one of them cannot be read, the
    /// body is broken as it was before, and each break is reported as usual. Pieces of these breaks that are
    /// not in the save have neither a render mesh nor a collider.
    ///
    /// # Errors
    /// [`ReplayError`] for a body that is not intact, or for a break that does not come out as it did: then
    /// the breaks before it are applied, or the first one as it comes out.
    pub fn restore(&mut self, body: BodyId, save: &BreakLog) -> Result<(), ReplayError> {
        let mut results = self.restore_all(&[(body, save)]);
        results.pop().unwrap_or(Ok(()))
    }

    /// Restores several bodies at the same time, on all workers and the calling thread; see
    /// [`Simulation::restore`]. Gives a result for each.
    pub fn restore_all(&mut self, saves: &[(BodyId, &BreakLog)]) -> Vec<Result<(), ReplayError>> {
        self.restore_each(saves, |_| ())
    }

    /// Restores several bodies like [`Simulation::restore_all`], and calls `on_loaded` after each body whose
    /// snapshots have been loaded: the host shows its pieces while the worker loads those of other bodies.
    /// Events may be drained in the call.
    pub fn restore_each(
        &mut self,
        saves: &[(BodyId, &BreakLog)],
        on_loaded: impl FnMut(&mut Self),
    ) -> Vec<Result<(), ReplayError>> {
        let wait = std::mem::replace(&mut self.settings.wait_for_results, true);
        let loaded = load_snapshots(self, saves, on_loaded);
        let mut methods = Vec::with_capacity(saves.len());
        for (index, (body, save)) in saves.iter().enumerate() {
            methods.push(if loaded.contains(&index) {
                RestoreMethod::Snapshots
            } else {
                RestoreMethod::Replay(ReplayJob::new(self, *body, save).map(Box::new))
            });
        }
        let jobs = methods.iter_mut().filter_map(RestoreMethod::job);
        let mut jobs: Vec<&mut ReplayJob> = jobs.collect();
        // Without a job the worker is not waited for.
        if !jobs.is_empty() {
            replay_until_done(self, &mut jobs);
        }
        self.settings.wait_for_results = wait;
        let methods = methods.into_iter().zip(saves);
        methods
            .map(|(method, (_, save))| method.finish(self, save))
            .collect()
    }
}

/// How a body is restored.
enum RestoreMethod {
    /// From snapshots, which have been loaded.
    Snapshots,
    /// By breaking it; `None` for a body that is not intact.
    Replay(Option<Box<ReplayJob>>),
}

impl RestoreMethod {
    fn job(&mut self) -> Option<&mut ReplayJob> {
        match self {
            Self::Snapshots => None,
            Self::Replay(job) => job.as_deref_mut(),
        }
    }

    fn finish(self, simulation: &mut Simulation, save: &BreakLog) -> Result<(), ReplayError> {
        match self {
            Self::Snapshots => Ok(()),
            Self::Replay(job) => job
                .ok_or(ReplayError::NotIntact)?
                .place_pieces(simulation, save),
        }
    }
}
