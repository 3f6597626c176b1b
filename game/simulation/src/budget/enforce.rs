//! Removes pieces over the debris budget and pieces whose lifetime has ended, and counts what there is.

use crate::debris::time_passes;
use crate::event::RemoveReason;
use crate::pieces::components::{AnchoredRemainder, Debris, Intact, PendingBreak};
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Most pieces that expire in one step: the debris that lies on them has to be woken.
const MAX_EXPIRED_PER_STEP: usize = 16;

/// Time after which an expired piece that still moves is tested again, seconds.
const RETRY_INTERVAL: f64 = 0.5;

/// Removes pieces over the budget: the oldest first, of equal age the smallest. Pieces that are being
/// broken stay until that is done.
pub(crate) fn enforce_budget(simulation: &mut Simulation) {
    for body in excess(simulation) {
        simulation.remove_piece(body, RemoveReason::Budget);
    }
}

fn excess(simulation: &Simulation) -> Vec<BodyId> {
    let (budget, settings) = (&simulation.debris_budget, &simulation.settings);
    let mut count = budget.count();
    let mut triangles = budget.triangles();
    let mut excess = Vec::new();
    for body in budget.in_order() {
        if count <= settings.max_pieces && triangles <= settings.max_triangles {
            break;
        }
        if simulation.world.satisfies::<&PendingBreak>(body.0) {
            continue;
        }
        if let Ok(debris) = simulation.world.get::<&Debris>(body.0) {
            count = count.saturating_sub(1);
            triangles = triangles.saturating_sub(u64::from(debris.triangles));
            excess.push(body);
        }
    }
    excess
}

/// Removes pieces whose lifetime has ended.
pub(crate) fn remove_expired(simulation: &mut Simulation, dt: f32) {
    if time_passes(dt) {
        simulation.debris_budget.advance(dt);
    }
    for _ in 0..MAX_EXPIRED_PER_STEP {
        let Some(expiry) = simulation.debris_budget.next_expired() else {
            return;
        };
        if !simulation.world.satisfies::<&Debris>(expiry.body.0) {
            continue; // broken or gone
        }
        let is_breaking = simulation.world.satisfies::<&PendingBreak>(expiry.body.0);
        let is_asleep = simulation.debris.wait().is_asleep(expiry.body);
        if is_breaking || !(is_asleep || simulation.debris_budget.is_overdue(&expiry)) {
            simulation.debris_budget.postpone(expiry, RETRY_INTERVAL);
        } else {
            simulation.remove_piece(expiry.body, RemoveReason::Lifetime);
        }
    }
}

/// Updates the statistics of bodies, jobs and waiting impacts.
pub(crate) fn count(simulation: &mut Simulation) {
    let world = &simulation.world;
    let statistics = &mut simulation.statistics;
    statistics.intact = world.query::<&Intact>().iter().len();
    statistics.remainders = world.query::<&AnchoredRemainder>().iter().len();
    statistics.debris = simulation.debris_budget.count();
    statistics.triangles = simulation.debris_budget.triangles();
    statistics.awake = simulation.debris.awake();
    statistics.jobs = simulation.jobs.worker.outstanding();
    let mut pending = world.query::<&PendingBreak>();
    statistics.waiting_impacts = pending.iter().map(|pending| pending.waiting.len()).sum();
}
