//! The system that has the worker draw bare bars.

use std::sync::Arc;

use crate::pieces::components::Breakable;
use crate::pieces::{BarDrawing, Damage, HeldBars, PieceHooks, Refinement};
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Has the bare bars of a piece drawn, if it has any bars, and says whether it has.
pub(crate) fn draw_bars(simulation: &mut Simulation, body: BodyId) -> bool {
    let query = simulation
        .world
        .query_one_mut::<(&Breakable, &Damage)>(body.0);
    let has_bars = |bars: &Arc<HeldBars>| !bars.bars.is_empty();
    let found = query.ok().and_then(|(breakable, damage)| {
        let bars = damage.bars.clone().filter(has_bars)?;
        Some((breakable, bars))
    });
    let Some((breakable, bars)) = found else {
        return false;
    };
    let hooks = breakable.asset.hooks.as_ref();
    let drawing = BarDrawing {
        shape: breakable.shape.clone(),
        bars,
        figures: breakable.asset.material.bars,
        hooks: hooks.and_then(PieceHooks::chunk_hooks).cloned(),
    };
    let frame = simulation.statistics.frame;
    // A result that comes after the body has gone is dropped.
    let refinement = Refinement::Bars(drawing);
    simulation.jobs.worker.refine(body, frame, refinement);
    true
}
