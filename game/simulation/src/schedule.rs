//! The order of a frame. Systems are functions; this is the only place that calls them.

use std::time::Instant;

use crate::simulation::Simulation;
use crate::systems::{budget, count, hits, preparation, results, transport};

/// One frame.
pub(crate) fn step(simulation: &mut Simulation, dt: f32) {
    let start = Instant::now();
    simulation.statistics.frame += 1;

    results::apply_finished(simulation);
    hits::take(simulation);
    preparation::submit(simulation);
    transport::move_debris(simulation, dt);
    transport::remove_lost(simulation);
    budget::keep(simulation);
    count::bodies(simulation);

    simulation.statistics.step_ms = start.elapsed().as_secs_f32() * 1e3;
}
