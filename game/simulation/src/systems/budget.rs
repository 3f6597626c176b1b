//! Not more debris than can be afforded.

use crate::body::components::{Debris, Generation, Pending};
use crate::body::BodyId;
use crate::event::RemoveReason;
use crate::simulation::Simulation;
use crate::systems::transport::remove;

/// Takes pieces over the budget away: the oldest first, of equal age the smallest. Pieces that are
/// being broken stay until that is done.
pub(crate) fn keep(simulation: &mut Simulation) {
    let limit = simulation.settings.max_pieces;
    let mut query = simulation.world.query::<hecs::Without<&Debris, &Pending>>();
    let count = query.iter().count();
    drop(query);
    let Some(excess) = count.checked_sub(limit).filter(|excess| *excess > 0) else {
        return;
    };
    let mut pieces = candidates(simulation);
    pieces.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    for (_, _, body) in pieces.into_iter().take(excess) {
        remove(simulation, body, RemoveReason::Budget);
    }
}

/// Age, volume and id of each piece.
fn candidates(simulation: &Simulation) -> Vec<(u64, f64, BodyId)> {
    type Pieces<'a> = hecs::Without<(hecs::Entity, &'a Debris, &'a Generation), &'a Pending>;
    let mut query = simulation.world.query::<Pieces>();
    let rank = |(entity, debris, generation): (hecs::Entity, &Debris, &Generation)| {
        let volume = generation.volume.unwrap_or(0.0);
        (debris.born, volume, BodyId(entity))
    };
    query.iter().map(rank).collect()
}
