//! Counters of what there is.

use crate::pieces::components::{AnchoredRemainder, Intact, Pending};
use crate::simulation::Simulation;

/// Counts bodies, jobs and waiting hits.
pub(crate) fn bodies(simulation: &mut Simulation) {
    let world = &simulation.world;
    let statistics = &mut simulation.statistics;
    statistics.intact = world.query::<&Intact>().iter().len();
    statistics.remainders = world.query::<&AnchoredRemainder>().iter().len();
    statistics.debris = simulation.debris_budget.count();
    statistics.triangles = simulation.debris_budget.triangles();
    statistics.awake = simulation.shown.awake();
    statistics.jobs = simulation.worker.outstanding();
    let mut pending = world.query::<&Pending>();
    statistics.waiting_hits = pending.iter().map(|pending| pending.waiting.len()).sum();
}
