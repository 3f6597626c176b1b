//! Counters of what there is.

use crate::body::components::{Intact, Pending, Remainder};
use crate::simulation::Simulation;

/// Counts bodies, jobs and waiting hits.
pub(crate) fn bodies(simulation: &mut Simulation) {
    let world = &simulation.world;
    let statistics = &mut simulation.statistics;
    statistics.intact = world.query::<&Intact>().iter().len();
    statistics.remainders = world.query::<&Remainder>().iter().len();
    statistics.debris = simulation.rubble.count();
    statistics.triangles = simulation.rubble.triangles();
    statistics.awake = simulation.shown.awake();
    statistics.jobs = simulation.worker.outstanding();
    let mut pending = world.query::<&Pending>();
    statistics.waiting_hits = pending.iter().map(|pending| pending.waiting.len()).sum();
}
