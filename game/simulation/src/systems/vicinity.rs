//! The debris world has those mirrors of the embedding layer's bodies that are near.

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
    scenery.update(
        places,
        statistics.frame,
        |key, surrounding| match surrounding {
            Some(surrounding) => debris.set_surrounding(key, surrounding),
            None => {
                debris.remove_surrounding(key);
            }
        },
    );
    [statistics.surroundings, statistics.mirrored] = scenery.count();
}
