//! The debris' motion, from physics to components.

use std::time::Instant;

use crate::body::Motion;
use crate::debris::{DebrisWorld, Owner};
use crate::event::{Event, RemoveReason};
use crate::simulation::Simulation;

/// Steps the debris world and copies what moved.
pub(crate) fn move_debris(simulation: &mut Simulation, dt: f32) {
    let start = Instant::now();
    simulation.debris.step(dt);
    simulation.statistics.physics_ms = start.elapsed().as_secs_f32() * 1e3;
    simulation.moved.clear();
    for (body, motion) in simulation.debris.awake() {
        if let Ok(current) = simulation.world.query_one_mut::<&mut Motion>(body.0) {
            *current = motion;
            simulation.moved.push((body, motion.pose));
        }
    }
    for (owner, motion) in simulation.debris.handed_back() {
        if let Owner::Body(body) = owner {
            if let Ok(current) = simulation.world.query_one_mut::<&mut Motion>(body.0) {
                *current = motion;
            }
        }
    }
}

/// Takes away what fell out of the world before it becomes a problem for anyone.
pub(crate) fn remove_lost(simulation: &mut Simulation) {
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
    simulation.despawn(body);
    simulation.moved.retain(|(moved, _)| *moved != body);
    simulation.statistics.removed += 1;
    simulation.events.push(Event::Removed { body, reason });
}
