//! The debris world has those mirrors of the embedding layer's bodies that are near.

use crate::scenery::Change;
use crate::simulation::Simulation;

/// Adds what bodies have come near to, and takes away what all have left long ago. To be called when
/// the debris world is here, and bodies are where they are.
pub(crate) fn update(simulation: &mut Simulation) {
    let Simulation {
        scenery,
        places,
        debris,
        statistics,
        ..
    } = simulation;
    let mut changes = std::mem::take(&mut simulation.scenery_changes);
    changes.extend(scenery.changes(places, statistics.frame));
    for change in changes.drain(..) {
        match change {
            Change::Remove(key) => {
                debris.remove_surrounding(key);
            }
            Change::Add(key) => {
                if let Some(surrounding) = scenery.get(key) {
                    debris.set_surrounding(key, surrounding);
                }
            }
        }
    }
    simulation.scenery_changes = changes;
    [statistics.surroundings, statistics.mirrored] = scenery.count();
}
