//! Counters of what there is.

use crate::body::components::{Debris, Intact, Pending, Remainder};
use crate::simulation::Simulation;

/// Counts bodies, jobs and waiting hits.
pub(crate) fn bodies(simulation: &mut Simulation) {
    let world = &simulation.world;
    let statistics = &mut simulation.statistics;
    statistics.intact = world.query::<&Intact>().iter().count();
    statistics.remainders = world.query::<&Remainder>().iter().count();
    statistics.debris = world.query::<&Debris>().iter().count();
    statistics.awake = simulation.moved.len();
    statistics.jobs = simulation.worker.outstanding();
    let mut pending = world.query::<&Pending>();
    statistics.waiting_hits = pending.iter().map(|pending| pending.waiting.len()).sum();
}
