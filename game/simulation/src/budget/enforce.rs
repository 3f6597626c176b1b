//! Not more debris than can be afforded, and not for longer than it is wanted.

use crate::debris::passes;
use crate::event::RemoveReason;
use crate::pieces::components::{Debris, Pending};
use crate::pieces::BodyId;
use crate::simulation::Simulation;
use crate::systems::debris_sync::remove;

/// Pieces whose time has come that go in one step: what lies on them has to be freed.
const MOST_EXPIRED: usize = 16;

/// Pieces that are due and still move are looked at again after this time, seconds.
const AGAIN: f64 = 0.5;

/// Takes pieces over the budget away: the oldest first, of equal age the smallest. Pieces that are
/// being broken stay until that is done.
pub(crate) fn keep(simulation: &mut Simulation) {
    for body in excess(simulation) {
        remove(simulation, body, RemoveReason::Budget);
    }
}

fn excess(simulation: &Simulation) -> Vec<BodyId> {
    let (debris_budget, settings) = (&simulation.debris_budget, &simulation.settings);
    let mut count = debris_budget.count();
    let mut triangles = debris_budget.triangles();
    let mut gone = Vec::new();
    for body in debris_budget.in_order() {
        if count <= settings.max_pieces && triangles <= settings.max_triangles {
            break;
        }
        if simulation.world.satisfies::<&Pending>(body.0) {
            continue;
        }
        if let Ok(debris) = simulation.world.get::<&Debris>(body.0) {
            count = count.saturating_sub(1);
            triangles = triangles.saturating_sub(u64::from(debris.triangles));
            gone.push(body);
        }
    }
    gone
}

/// Takes pieces away whose lifetime has passed.
pub(crate) fn expire(simulation: &mut Simulation, dt: f32) {
    if passes(dt) {
        simulation.debris_budget.pass(dt);
    }
    for _ in 0..MOST_EXPIRED {
        let Some(due) = simulation.debris_budget.next_due() else {
            return;
        };
        let Ok(debris) = simulation.world.get::<&Debris>(due.body.0).map(|d| *d) else {
            continue; // broken or gone
        };
        let breaking = simulation.world.satisfies::<&Pending>(due.body.0);
        let rests = simulation.debris.is_asleep(debris.handle);
        if breaking || !(rests || simulation.debris_budget.is_overdue(&due)) {
            simulation.debris_budget.put_off(due, AGAIN);
        } else {
            remove(simulation, due.body, RemoveReason::Lifetime);
        }
    }
}
