//! The system that hands searches for cracks in surfaces to the worker.

use crate::pieces::components::Breakable;
use crate::pieces::{CrackSearch, Damage, PieceHooks, Refinement};
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Has the cracks in a body's surface searched, if it has any, and says whether it has.
pub(crate) fn search_cracks(simulation: &mut Simulation, body: BodyId) -> bool {
    let query = simulation
        .world
        .query_one_mut::<(&Breakable, &Damage)>(body.0);
    let Some((breakable, damage)) = query.ok().filter(|(_, damage)| !damage.cracks.0.is_empty())
    else {
        return false;
    };
    let asset = &breakable.asset;
    let search = CrackSearch {
        shape: breakable.shape.clone(),
        pattern: asset.pattern.clone(),
        cracks: damage.cracks.clone(),
        cap_surface: asset.interior_faces.surface,
        hooks: asset
            .hooks
            .as_ref()
            .and_then(PieceHooks::chunk_hooks)
            .cloned(),
    };
    let frame = simulation.statistics.frame;
    // A result that comes after the body has gone is dropped.
    let refinement = Refinement::Cracks(search);
    simulation.jobs.worker.refine(body, frame, refinement);
    true
}
