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
    scenery.update(places, statistics.frame, |key, external| match external {
        Some(external) => debris.set_external_body(key, external),
        None => {
            debris.remove_external_body(key);
        }
    });
    [
        statistics.external_bodies,
        statistics.active_external_bodies,
    ] = scenery.count();
}
