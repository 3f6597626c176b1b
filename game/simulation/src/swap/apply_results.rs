//! Applies the results of finished jobs. A failed job leaves its body as it was.

use fracture_geometry::FractureError;
use glam::Vec3;

use super::refine::apply_refinement;
use super::replace::{count_break, replace, BreakInfo};
use crate::error::BreakFailure;
use crate::event::{Cause, Event};
use crate::history::{LoggedCause, LoggedImpact};
use crate::impacts::resolve::{push_unbroken, resolve_weak};
use crate::impacts::Impact;
use crate::jobs::collider_requests::apply_built_colliders;
use crate::jobs::prepare_requests::report_prepared;
use crate::jobs::stress_requests::apply_stress_result;
use crate::jobs::{JobResult, Outcome, TaskId, Ticket};
use crate::pieces::components::PendingBreak;
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Applies the results of all finished jobs, in the order in which these were submitted.
pub(crate) fn apply_results(simulation: &mut Simulation) {
    let wait = simulation.settings.wait_for_results;
    // Impacts that waited go before those of this frame, and keep their order.
    let mut waiting = Vec::new();
    for (ticket, result) in simulation.jobs.worker.collect(wait) {
        match ticket.body {
            Some(body) if ticket.refines => apply_refinement(simulation, body, result),
            Some(body) => waiting.extend(apply_to_body(simulation, body, &ticket, result)),
            None => apply_without_body(simulation, result),
        }
    }
    report_prepared(simulation);
    for impact in waiting.into_iter().rev() {
        simulation.impacts.push_front(impact.energy, impact);
    }
}

fn apply_without_body(simulation: &mut Simulation, result: JobResult) {
    let task = TaskId(result.id.0);
    match result.outcome {
        Ok(Outcome::CollidersBuilt(built)) => apply_built_colliders(simulation, built),
        Ok(Outcome::Background(output)) => simulation.jobs.finish_task(task, Some(output)),
        Ok(Outcome::Restored) => {}
        // A failed job of another kind is not among the background tasks.
        _ => simulation.jobs.finish_task(task, None),
    }
}

/// Applies the result of a body's job; returns the impacts that waited for it.
fn apply_to_body(
    simulation: &mut Simulation,
    body: BodyId,
    ticket: &Ticket,
    result: JobResult,
) -> Vec<Impact> {
    let pending = take_pending(simulation, body, &result);
    match (result.outcome, &pending) {
        (Ok(Outcome::Prepared), _) => simulation.jobs.prepared.push(body),
        (Ok(Outcome::StressSolved(solved)), _) => {
            let (frame, worker_ms) = (ticket.frame, result.worker_ms);
            apply_stress_result(simulation, body, frame, *solved, worker_ms);
        }
        (Ok(Outcome::Broken(broken)), Some(pending)) => {
            count_break(simulation, result.worker_ms);
            let info = BreakInfo {
                cause: Cause::Impact,
                point: pending.impact.point,
                normal: pending.impact.normal.normalize_or(Vec3::Y),
                energy: pending.impact.energy,
                impulse: pending.impact.impulse,
                radius: pending.local_impact.radius.metres as f32,
                frame: ticket.frame,
                worker_ms: result.worker_ms,
            };
            let logged = LoggedCause::Impact(LoggedImpact::new(&pending.local_impact));
            replace(simulation, body, *broken, info, logged);
        }
        (Ok(Outcome::BelowThreshold), Some(pending)) => resolve_weak(simulation, &pending.impact),
        (Err(reason), pending) if simulation.world.contains(body.0) => {
            if let Some(pending) = pending.as_ref().filter(|_| reached_body(&reason)) {
                push_unbroken(simulation, &pending.impact);
            }
            simulation.statistics.failures += 1;
            simulation.events.push(Event::BreakFailed { body, reason });
        }
        _ => simulation.statistics.stale += 1,
    }
    pending.map_or_else(Vec::new, |pending| pending.waiting)
}

/// Removes the body's pending break if this is its job.
fn take_pending(
    simulation: &mut Simulation,
    body: BodyId,
    result: &JobResult,
) -> Option<PendingBreak> {
    let job = simulation.world.get::<&PendingBreak>(body.0).ok()?.job;
    if job != result.id {
        return None;
    }
    simulation.world.remove_one::<PendingBreak>(body.0).ok()
}

/// Whether the impact of a failed break had reached the body at all.
fn reached_body(reason: &BreakFailure) -> bool {
    !matches!(
        reason,
        BreakFailure::Fracture(FractureError::OutOfReach { .. } | FractureError::ImpactNotFinite)
    )
}
