//! The systems that have the worker draw what is seen on a body besides its mesh: cracks in its surface, and bare bars.

use crate::pieces::components::{Breakable, BreakableAsset, Intact};
use crate::pieces::{BarDrawing, ChunkHooks, CrackSearch, Damage, PieceHooks, Refinement};
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Has the cracks in a body's surface searched, if it has any, and says whether it has.
pub(crate) fn search_cracks(simulation: &mut Simulation, body: BodyId) -> bool {
    draw(simulation, body, |breakable, damage, is_intact| {
        let asset = &breakable.asset;
        let dents = || damage.dents(&asset.material);
        let search = || CrackSearch {
            shape: breakable.shape.clone(),
            pattern: asset.pattern.clone(),
            cracks: damage.cracks.clone(),
            // What has come off is flat.
            dents: if is_intact { dents() } else { Vec::new() },
            cap_surface: asset.interior_faces.surface,
            hooks: chunk_hooks(asset),
        };
        let has_cracks = !damage.cracks.0.is_empty();
        has_cracks.then(search).map(Refinement::Cracks)
    })
}

/// Has the bare bars of a piece drawn, if it has any bars, and says whether it has.
pub(crate) fn draw_bars(simulation: &mut Simulation, body: BodyId) -> bool {
    draw(simulation, body, |breakable, damage, _| {
        let bars = damage.bars.clone().filter(|held| !held.bars.is_empty())?;
        Some(Refinement::Bars(BarDrawing {
            shape: breakable.shape.clone(),
            bars,
            figures: breakable.asset.material.bars,
            hooks: chunk_hooks(&breakable.asset),
        }))
    })
}

fn chunk_hooks(asset: &BreakableAsset) -> Option<ChunkHooks> {
    let hooks = asset.hooks.as_ref();
    hooks.and_then(PieceHooks::chunk_hooks).cloned()
}

/// Submits what a function makes of a body, which may be intact, and says whether it made anything.
fn draw(
    simulation: &mut Simulation,
    body: BodyId,
    make: impl FnOnce(&Breakable, &Damage, bool) -> Option<Refinement>,
) -> bool {
    let query = simulation
        .world
        .query_one_mut::<(&Breakable, &Damage, Option<&Intact>)>(body.0);
    let made = query.ok();
    let made = made.and_then(|(own, damage, intact)| make(own, damage, intact.is_some()));
    let Some(refinement) = made else {
        return false;
    };
    let frame = simulation.statistics.frame;
    // A result that comes after the body has gone is dropped.
    simulation.jobs.worker.refine(body, frame, refinement);
    true
}
