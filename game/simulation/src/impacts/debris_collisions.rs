//! Debris that breaks and is broken by what it falls on.

use glam::Vec3;

use crate::debris::{BodyRef, DebrisCollision};
use crate::event::Event;
use crate::impacts::Impact;
use crate::pieces::components::{Breakable, Debris, Generation};
use crate::pieces::BodyId;
use crate::simulation::Simulation;

/// Contacts that are told of per step: the hardest.
const MOST_CONTACTS: usize = 32;

/// Makes hits of the last step's blows, the hardest first, and tells of contacts.
///
/// Of two bodies the weaker breaks, or both when the blow is enough for both. What comes beyond the
/// budget of a step is dropped and counted: a chain reaction takes its time, it does not take the
/// frame.
pub(crate) fn take(simulation: &mut Simulation) {
    if simulation.debris.blows().is_empty() {
        return; // the common case
    }
    let mut blows = simulation.debris.blows().to_vec();
    blows.sort_by(|a, b| b.energy.total_cmp(&a.energy));
    report(simulation, &blows);
    let mut struck: Vec<BodyId> = Vec::new();
    for blow in &blows {
        let broken = [0, 1].map(|side| breaks(simulation, blow, side));
        let share = broken.iter().flatten().count().max(1) as f32;
        for mut hit in broken.into_iter().flatten() {
            if struck.contains(&hit.body) {
                continue; // by something harder, in the same step
            }
            struck.push(hit.body);
            hit.energy /= share;
            if struck.len() > simulation.settings.chain_breaks {
                simulation.statistics.chain_dropped += 1;
            } else {
                // Only the limit of hits per step can refuse it, which counts it.
                let _ = simulation.impact(hit);
            }
        }
    }
}

/// What a blow is to one of the bodies, when it breaks that.
fn breaks(simulation: &Simulation, blow: &DebrisCollision, side: usize) -> Option<Impact> {
    let body = blow
        .bodies
        .get(side)
        .copied()
        .and_then(BodyRef::breakable)?;
    let entity = simulation.world.entity(body.0).ok()?;
    let breakable = entity.get::<&Breakable>()?;
    let generation = *entity.get::<&Generation>()?;
    let free = entity.has::<Debris>();
    if blow.impulse < generation.toughness(&breakable.material, free) {
        return None;
    }
    let outward = if side == 0 { blow.normal } else { -blow.normal };
    let impulse = -outward * blow.impulse;
    let moves = free || simulation.debris.is_coupled(BodyRef::Breakable(body));
    Some(Impact {
        // The solver has stopped what is free.
        already_applied: moves,
        ..Impact::new(body, blow.point, outward, impulse, blow.energy)
    })
}

fn report(simulation: &mut Simulation, blows: &[DebrisCollision]) {
    let least = simulation.settings.report_contacts;
    let loud = blows.iter().filter(|blow| blow.impulse >= least);
    for blow in loud.take(MOST_CONTACTS) {
        let event = DebrisCollision {
            normal: blow.normal.normalize_or(Vec3::Y),
            ..*blow
        };
        simulation.events.push(Event::Collision(event));
    }
}
