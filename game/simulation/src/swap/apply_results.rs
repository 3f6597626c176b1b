//! Finished jobs: each to those who asked for it; a failed one leaves its body as it was.

use fracture_geometry::FractureError;
use glam::Vec3;

use crate::event::{BreakFailure, Cause, Event};
use crate::history::{LoggedCause, LoggedImpact};
use crate::impacts::resolve::push_whole;
use crate::impacts::Impact;
use crate::jobs::stress_requests;
use crate::jobs::TaskId;
use crate::jobs::{Done, Outcome, Ticket};
use crate::pieces::components::Pending;
use crate::pieces::BodyId;
use crate::simulation::Simulation;
use crate::swap::replace::{note_time, replace, BreakInfo};
use crate::systems::collider_builds;

/// Applies what the worker has finished, in the order in which it was submitted.
pub(crate) fn apply_finished(simulation: &mut Simulation) {
    let wait = simulation.settings.wait_for_results;
    // Hits that waited go before the ones of this frame, and keep their order.
    let mut waited = Vec::new();
    for (ticket, done) in simulation.worker.collect(wait) {
        waited.extend(apply(simulation, &ticket, done));
    }
    for hit in waited.into_iter().rev() {
        simulation.hits.push_front(hit.energy, hit);
    }
}

/// Applies one result and gives back the hits that waited for it.
fn apply(simulation: &mut Simulation, ticket: &Ticket, done: Done) -> Vec<Impact> {
    let Some(body) = ticket.body else {
        let errand = TaskId(done.id.0);
        match done.outcome {
            Ok(Outcome::Mirrored(made)) => collider_builds::arrive(simulation, made),
            Ok(Outcome::Background(found)) => simulation.fetched(errand, Some(found)),
            Ok(Outcome::Restored) => {}
            // Nobody has sent a mirror's job as an errand.
            _ => simulation.fetched(errand, None),
        }
        return Vec::new();
    };
    let mine = |pending: &Pending| pending.job == done.id;
    let pending = match simulation.world.get::<&Pending>(body.0).map(|p| mine(&p)) {
        Ok(true) => simulation.world.remove_one::<Pending>(body.0).ok(),
        _ => None,
    };
    match (done.outcome, &pending) {
        (Ok(Outcome::Prepared), _) => {}
        (Ok(Outcome::StressSolved(weighed)), _) => {
            stress_requests::arrive(simulation, (body, ticket.frame), *weighed, done.worker_ms);
        }
        (Ok(Outcome::Broken(outcome)), Some(pending)) => {
            note_time(simulation, done.worker_ms);
            let hit = BreakInfo {
                cause: Cause::Hit,
                point: pending.hit.point,
                normal: pending.hit.normal.normalize_or(Vec3::Y),
                energy: pending.hit.energy,
                radius: pending.local.radius as f32,
                frame: ticket.frame,
                worker_ms: done.worker_ms,
            };
            let cause = LoggedCause::Hit(LoggedImpact::new(&pending.local));
            replace(simulation, body, *outcome, (hit, cause));
        }
        (Err(reason), pending) if simulation.world.contains(body.0) => {
            if let Some(pending) = pending.as_ref().filter(|_| reached(&reason)) {
                push_whole(simulation, &pending.hit);
            }
            fail(simulation, body, reason);
        }
        _ => simulation.statistics.stale += 1,
    }
    pending.map_or_else(Vec::new, |pending| pending.waiting)
}

/// Whether a break that came to nothing had hit the body at all.
fn reached(reason: &BreakFailure) -> bool {
    !matches!(
        reason,
        BreakFailure::Fracture(FractureError::OutOfReach { .. } | FractureError::ImpactNotFinite)
    )
}

fn fail(simulation: &mut Simulation, body: BodyId, reason: BreakFailure) {
    simulation.statistics.failures += 1;
    simulation.events.push(Event::BreakFailed { body, reason });
}
