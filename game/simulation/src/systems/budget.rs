//! Not more debris than can be afforded, and not for longer than it is wanted.

use crate::body::components::{Debris, Pending};
use crate::body::BodyId;
use crate::debris::passes;
use crate::event::RemoveReason;
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
    let (rubble, settings) = (&simulation.rubble, &simulation.settings);
    let mut count = rubble.count();
    let mut triangles = rubble.triangles();
    let mut gone = Vec::new();
    for body in rubble.in_order() {
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
        simulation.rubble.pass(dt);
    }
    for _ in 0..MOST_EXPIRED {
        let Some(due) = simulation.rubble.next_due() else {
            return;
        };
        let Ok(debris) = simulation.world.get::<&Debris>(due.body.0).map(|d| *d) else {
            continue; // broken or gone
        };
        let breaking = simulation.world.satisfies::<&Pending>(due.body.0);
        let rests = simulation.debris.is_asleep(debris.handle);
        if breaking || !(rests || simulation.rubble.is_overdue(&due)) {
            simulation.rubble.put_off(due, AGAIN);
        } else {
            remove(simulation, due.body, RemoveReason::Lifetime);
        }
    }
}
