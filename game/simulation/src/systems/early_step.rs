//! Steps of debris that are taken before their frame, while the embedding layer draws.

use crate::debris::{passes, Threads};
use crate::debris_sync::EarlyStep;
use crate::simulation::Simulation;

/// When steps take more than this part of a frame, those ahead of a frame are taken by many threads: else one
/// does, so that the others are there for drawing.
const LONG: f32 = 0.25;

/// Whether the next frame's step, of `dt` seconds, may be taken before it.
pub(crate) fn can_begin_next_step(simulation: &Simulation, dt: f32) -> bool {
    let possible = simulation.ahead == EarlyStep::Possible;
    possible && simulation.settings.goes_on_beside() && passes(dt)
}

/// Sends the debris off to take the next frame's step, where that may be, when bodies of the embedding layer are
/// among it.
pub(crate) fn begin_next_step(simulation: &mut Simulation, dt: f32) -> bool {
    if !simulation.debris.engage(dt) {
        return false;
    }
    let threads = match simulation.debris.part_cost > LONG * dt {
        true => Threads::Crew,
        false => Threads::One,
    };
    simulation.debris.send_off(dt, threads);
    simulation.ahead = EarlyStep::UnderWay;
    true
}
