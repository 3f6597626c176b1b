//! Restoring of bodies: a fresh body gets the pieces of a save, by loading their snapshots if there are
//! any, otherwise by replaying the breaks.

use super::log::{BreakLog, ReplayError};
use super::replay_job::{replay_until_done, ReplayJob, StatesOf};
use super::snapshot_swap::load_snapshots;
use crate::simulation::Simulation;
use crate::structure::hold::note_held_before;
use crate::types::BodyId;

/// Restores several bodies; see [`Simulation::restore_each`].
pub(crate) fn restore_each(
    simulation: &mut Simulation,
    saves: &[(BodyId, &BreakLog)],
    on_loaded: impl FnMut(&mut Simulation),
) -> Vec<Result<(), ReplayError>> {
    restore(simulation, saves, StatesOf::Save, on_loaded)
}

/// Brings several bodies to the state that they have in another game.
pub(crate) fn restore_shared(
    simulation: &mut Simulation,
    saves: &[(BodyId, &BreakLog)],
) -> Vec<Result<(), ReplayError>> {
    restore(simulation, saves, StatesOf::OtherGame, |_| ())
}

fn restore(
    simulation: &mut Simulation,
    saves: &[(BodyId, &BreakLog)],
    states: StatesOf,
    on_loaded: impl FnMut(&mut Simulation),
) -> Vec<Result<(), ReplayError>> {
    if !saves.is_empty() {
        note_held_before(&simulation.world);
    }
    let wait = std::mem::replace(&mut simulation.settings.wait_for_results, true);
    let loaded = load_snapshots(simulation, saves, on_loaded);
    let mut methods = Vec::with_capacity(saves.len());
    for (index, (body, save)) in saves.iter().enumerate() {
        methods.push(if loaded.contains(&index) {
            RestoreMethod::Snapshots
        } else {
            RestoreMethod::Replay(ReplayJob::new(simulation, *body, save, states).map(Box::new))
        });
    }
    let jobs = methods.iter_mut().filter_map(RestoreMethod::job);
    let mut jobs: Vec<&mut ReplayJob> = jobs.collect();
    // Without a job the worker is not waited for.
    if !jobs.is_empty() {
        replay_until_done(simulation, &mut jobs);
    }
    simulation.settings.wait_for_results = wait;
    let methods = methods.into_iter().zip(saves);
    methods
        .map(|(method, (_, save))| method.finish(simulation, save))
        .collect()
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
