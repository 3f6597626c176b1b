//! The debris' motion, from physics to components.

use crate::body::Motion;
use crate::debris::{DebrisWorld, Owner};
use crate::event::{Event, RemoveReason};
use crate::simulation::Simulation;
use crate::systems::collisions;

/// Frames in a row that may go on without the debris.
const MOST_LATE: u32 = 2;

/// Whether the step beside the last frame is not done, and this frame goes on without it.
pub(crate) fn is_late(simulation: &mut Simulation) -> bool {
    let late = simulation.debris.is_away() && simulation.late < MOST_LATE;
    simulation.late = if late { simulation.late + 1 } else { 0 };
    if late {
        forget(simulation);
    }
    late
}

/// Forgets what the last step has told.
fn forget(simulation: &mut Simulation) {
    simulation.moved.clear();
    simulation.settled.clear();
    simulation.handed.clear();
}

/// Takes in the step that went on beside the last frame, when there was one.
pub(crate) fn take_in(simulation: &mut Simulation) {
    forget(simulation);
    if simulation.debris.came_back() {
        copy(simulation);
    }
    for (owner, motion) in simulation.followed.drain(..) {
        simulation.debris.follow(owner, motion);
    }
}

/// Steps the debris world: in this frame when bodies of the embedding layer are among the debris, or
/// when every frame has to be complete; else beside the frame, and the result comes in the next.
pub(crate) fn move_debris(simulation: &mut Simulation, dt: f32) {
    if !(dt.is_finite() && dt > 0.0) {
        return;
    }
    let coupled = simulation.debris.engage(dt);
    let settings = &simulation.settings;
    let beside = settings.overlap && !settings.wait_for_results && !coupled;
    if beside {
        simulation.debris.send_off(dt);
    } else {
        simulation.debris.step_safely(dt);
        copy(simulation);
    }
}

/// Copies what moved.
fn copy(simulation: &mut Simulation) {
    simulation.statistics.physics_ms = simulation.debris.step_ms;
    simulation.statistics.settled = simulation.debris.settled();
    simulation.statistics.physics_failed = simulation.debris.failed;
    let settled = simulation.debris.take_settled();
    simulation.settled.extend(settled);
    simulation.moved.clear();
    for (body, motion) in simulation.debris.awake() {
        if let Ok(current) = simulation.world.query_one_mut::<&mut Motion>(body.0) {
            *current = motion;
            simulation.moved.push((body, motion.pose));
        }
    }
    simulation.handed.clear();
    simulation.handed.extend(simulation.debris.handed_back());
    for &(owner, motion) in &simulation.handed {
        if let Owner::Body(body) = owner {
            if let Ok(current) = simulation.world.query_one_mut::<&mut Motion>(body.0) {
                *current = motion;
            }
        }
    }
    remove_lost(simulation);
    collisions::take(simulation);
}

/// Takes away what fell out of the world before it becomes a problem for anyone.
fn remove_lost(simulation: &mut Simulation) {
    let world = &simulation.world;
    let lost = |body: hecs::Entity| {
        let motion = world.get::<&Motion>(body);
        motion.is_ok_and(|motion| DebrisWorld::is_lost(&motion))
    };
    let moved = simulation.moved.iter().map(|(body, _)| *body);
    let lost: Vec<_> = moved.filter(|body| lost(body.0)).collect();
    for body in lost {
        remove(simulation, body, RemoveReason::LeftWorld);
    }
}

/// Removes a free piece and says so.
pub(super) fn remove(simulation: &mut Simulation, body: crate::body::BodyId, reason: RemoveReason) {
    let motion = simulation.motion(body).unwrap_or_default();
    simulation.despawn(body);
    simulation.moved.retain(|(moved, _)| *moved != body);
    simulation.statistics.removed += 1;
    simulation.events.push(Event::Removed {
        body,
        reason,
        motion,
    });
}
