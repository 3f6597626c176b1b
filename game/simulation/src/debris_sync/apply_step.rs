//! The system that moves the debris and applies the results of its step to the bodies.

use crate::debris::{BodyRef, DebrisWorld};
use crate::environment::CellOccupancy;
use crate::event::RemoveReason;
use crate::impacts::debris_collisions::apply_collisions;
use crate::loads::landing::take_landings;
use crate::loads::update::take_debris_forces;
use crate::simulation::Simulation;
use crate::types::{BodyId, Motion};

/// Applies the results of a step that was begun in an earlier frame, for which it waits, and passes on
/// the motions that the host has reported meanwhile.
pub(crate) fn fetch(simulation: &mut Simulation) {
    if simulation.debris.fetch_results() {
        apply(simulation);
    }
    simulation.debris.apply_pending_motions();
}

/// Takes the frame's step of `dt` seconds, or begins it.
pub(crate) fn step(simulation: &mut Simulation, dt: f32) {
    if simulation.debris.step(dt, &simulation.settings) {
        apply(simulation);
    }
}

/// Applies the results of a step: motions, losses and collisions.
fn apply(simulation: &mut Simulation) {
    copy_statistics(simulation);
    let lost = copy_motions(simulation);
    copy_corrected_motions(simulation);
    take_debris_forces(simulation);
    take_landings(simulation);
    for body in lost {
        simulation.remove_piece(body, RemoveReason::LeftWorld);
    }
    apply_collisions(simulation);
}

fn copy_statistics(simulation: &mut Simulation) {
    let world = simulation.debris.wait();
    let statistics = &mut simulation.statistics;
    statistics.physics_ms = world.step_ms;
    statistics.physics_steps = world.steps;
    statistics.frozen = world.frozen();
    statistics.physics_failed = world.failed;
}

/// Copies the motions of the pieces that moved, and returns the pieces that have left the world.
fn copy_motions(simulation: &mut Simulation) -> Vec<BodyId> {
    let Simulation {
        debris,
        world,
        environment,
        ..
    } = simulation;
    let mut lost = Vec::new();
    debris.take_results(|moved| {
        type Place<'a> = (&'a mut Motion, &'a mut CellOccupancy);
        let Ok((motion, occupancy)) = world.query_one_mut::<Place>(moved.body.0) else {
            return false;
        };
        *motion = moved.to;
        occupancy.update(&mut environment.occupancy, &moved.to, moved.asleep);
        if DebrisWorld::is_lost(motion) {
            lost.push(moved.body);
        }
        true
    });
    lost
}

/// Copies the motions of the engine's bodies that debris has touched.
fn copy_corrected_motions(simulation: &mut Simulation) {
    let corrected = simulation.debris.corrected_motions();
    simulation.environment.set_touched(corrected);
    for &(owner, motion) in corrected {
        if let BodyRef::Breakable(body) = owner {
            if let Ok(current) = simulation.world.query_one_mut::<&mut Motion>(body.0) {
                *current = motion;
            }
        }
    }
}
