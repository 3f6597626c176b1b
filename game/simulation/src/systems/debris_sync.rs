//! The debris' motion, from physics to components.

use crate::debris::{passes, BodyRef, DebrisWorld, Threads, LONGEST_FRAME, LONGEST_STEP};
use crate::debris_sync::EarlyStep;
use crate::environment::CellOccupancy;
use crate::event::{Event, RemoveReason};
use crate::impacts::debris_collisions;
use crate::simulation::Simulation;
use crate::types::Motion;

/// Frames in a row that may go on without the debris: steps of thousands take several, and to wait for one would be
/// seen more than rubble that is late.
const MOST_LATE: u32 = 6;

/// Whether the step beside the last frame is not done, and this frame goes on without it.
pub(crate) fn is_late(simulation: &mut Simulation) -> bool {
    let may = simulation.ahead != EarlyStep::UnderWay && simulation.late < MOST_LATE;
    let late = may && simulation.debris.is_away();
    simulation.late = if late { simulation.late + 1 } else { 0 };
    if late {
        forget(simulation);
    }
    late
}

/// Forgets what the last step has told.
fn forget(simulation: &mut Simulation) {
    simulation.settled.clear();
    simulation.handed.clear();
}

/// Takes in the step that went on beside the last frame, when there was one.
pub(crate) fn take_in(simulation: &mut Simulation) {
    forget(simulation);
    if simulation.debris.came_back() {
        let cost = simulation.debris.part_cost;
        simulation.pacing.came_back(cost);
        copy(simulation);
    }
    if simulation.ahead == EarlyStep::UnderWay {
        simulation.ahead = EarlyStep::TakenIn;
    }
    for (owner, motion) in simulation.followed.drain(..) {
        simulation.debris.follow(owner, motion);
    }
}

/// Steps the debris world: in this frame when bodies of the embedding layer are among the debris, or
/// when every frame has to be complete, unless it has been done ahead; else beside the frame, and the result
/// comes in the next.
pub(crate) fn move_debris(simulation: &mut Simulation, dt: f32) {
    if !passes(dt) {
        simulation.pacing.in_frame();
        return;
    }
    if simulation.ahead == EarlyStep::TakenIn {
        simulation.ahead = EarlyStep::Possible;
        simulation.pacing.in_frame();
        return;
    }
    let coupled = simulation.debris.engage(dt);
    simulation.ahead = match coupled {
        true => EarlyStep::Possible,
        false => EarlyStep::No,
    };
    if simulation.settings.goes_on_beside() && !coupled {
        let dt = dt.min(LONGEST_FRAME);
        let step = simulation.pacing.send_off(dt, LONGEST_STEP, LONGEST_FRAME);
        simulation.debris.send_off(step, Threads::One);
    } else {
        simulation.pacing.in_frame();
        let threads = match simulation.settings.wait_for_results {
            true => Threads::One,
            false => Threads::Crew,
        };
        simulation.debris.step_safely(dt, threads);
        copy(simulation);
    }
}

/// Shows free pieces where they are in this frame, which may be between two steps.
pub(crate) fn show(simulation: &mut Simulation) {
    simulation.shown.update(simulation.pacing.lead());
}

/// Copies what moved.
fn copy(simulation: &mut Simulation) {
    simulation.statistics.physics_ms = simulation.debris.step_ms;
    simulation.statistics.physics_steps = simulation.debris.steps;
    simulation.statistics.settled = simulation.debris.settled();
    simulation.statistics.physics_failed = simulation.debris.failed;
    let settled = simulation.debris.take_settled();
    simulation.settled.extend(settled);
    simulation.shown.begin();
    let mut lost = Vec::new();
    for moved in simulation.debris.moved() {
        type Place<'a> = (&'a mut Motion, &'a mut CellOccupancy);
        if let Ok((current, haunt)) = simulation.world.query_one_mut::<Place>(moved.body.0) {
            *current = moved.to;
            haunt.follow(&mut simulation.places, &moved.to, moved.asleep);
            simulation.shown.add(*moved);
            if DebrisWorld::is_lost(current) {
                lost.push(moved.body);
            }
        }
    }
    simulation.handed.clear();
    simulation
        .handed
        .extend(simulation.debris.corrected_motions());
    let (scenery, places) = (&mut simulation.scenery, &mut simulation.places);
    scenery.note_touched(&simulation.handed, places);
    for &(owner, motion) in &simulation.handed {
        if let BodyRef::Breakable(body) = owner {
            if let Ok(current) = simulation.world.query_one_mut::<&mut Motion>(body.0) {
                *current = motion;
            }
        }
    }
    // Before it becomes a problem for anyone.
    for body in lost {
        remove(simulation, body, RemoveReason::LeftWorld);
    }
    debris_collisions::apply_collisions(simulation);
}

/// Removes a free piece and says so.
pub(crate) fn remove(
    simulation: &mut Simulation,
    body: crate::types::BodyId,
    reason: RemoveReason,
) {
    let motion = simulation.motion(body).unwrap_or_default();
    simulation.despawn(body);
    simulation.statistics.removed += 1;
    simulation.events.push(Event::Removed {
        body,
        reason,
        motion,
    });
}
