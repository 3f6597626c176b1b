//! Applies the results of finished jobs. A failed job leaves its body as it was.

use fracture_geometry::FractureError;
use glam::{DVec3, Vec3};
use rapier3d::math::Pose;

use super::refine::apply_refinement;
use super::replace::{count_break, replace, BreakInfo};
use crate::error::BreakFailure;
use crate::event::{Cause, Event};
use crate::history::{LoggedCause, LoggedImpact};
use crate::impacts::resolve::{push_unbroken, resolve_weak};
use crate::impacts::{Impact, LocalImpact};
use crate::jobs::bond_requests::apply_bonds;
use crate::jobs::building_requests::apply_weighed;
use crate::jobs::collider_requests::apply_built_colliders;
use crate::jobs::prepare_requests::report_prepared;
use crate::jobs::stress_requests::apply_stress_result;
use crate::jobs::{JobResult, Outcome, TaskId, Ticket};
use crate::network::note_blow;
use crate::pieces::components::{Breakable, PendingBreak};
use crate::simulation::Simulation;
use crate::stopwatch::Stopwatch;
use crate::structure::BodyBonds;
use crate::types::BodyId;

/// Applies the results of finished jobs, in the order in which these were submitted, as many as the step has room
/// for.
pub(crate) fn apply_results(simulation: &mut Simulation) {
    let wait = simulation.settings.wait_for_results;
    // Impacts that waited go before those of this frame, and keep their order.
    let mut waiting = Vec::new();
    simulation.jobs.worker.receive(wait);
    while let Some((ticket, result)) = take_result(simulation) {
        if ticket.bodies.is_empty() {
            apply_without_body(simulation, result);
            continue;
        }
        if result.outcome.is_err() && ticket.bodies.len() > 1 {
            // One of them has failed the others: each falls by itself.
            simulation.jobs.to_solve.extend(ticket.bodies);
            continue;
        }
        for (body, result) in result.by_body(&ticket.bodies) {
            if ticket.refines {
                apply_refinement(simulation, body, result);
            } else {
                waiting.extend(apply_to_body(simulation, body, ticket.frame, result));
            }
        }
    }
    report_prepared(simulation);
    for impact in waiting.into_iter().rev() {
        simulation.impacts.push_front(impact.energy, impact);
    }
}

/// Takes the next result that the step has room for.
fn take_result(simulation: &mut Simulation) -> Option<(Ticket, JobResult)> {
    let Simulation { jobs, changes, .. } = simulation;
    let count = jobs.worker.next_finished()?.changes();
    if !changes.has_room_for(count) {
        return None;
    }
    changes.add(count);
    jobs.worker.take_finished()
}

fn apply_without_body(simulation: &mut Simulation, result: JobResult) {
    let task = TaskId(result.id.0);
    simulation.structure.searches.remove(&result.id);
    match result.outcome {
        Ok(Outcome::CollidersBuilt(built)) => apply_built_colliders(simulation, built),
        Ok(Outcome::Weighed(weighed)) => {
            count_structure(simulation, result.worker_ms, |own| {
                apply_weighed(own, &weighed);
                own.jobs.worker.discard(weighed);
            });
        }
        Ok(Outcome::BondsFound(found)) => {
            count_structure(simulation, result.worker_ms, |own| {
                apply_bonds(own, &found);
                own.jobs.worker.discard(found);
            });
        }
        Ok(Outcome::Background(output)) => simulation.jobs.finish_task(task, Some(output)),
        Ok(Outcome::Restored) => {}
        // A failed job of another kind is not among the background tasks.
        _ => {
            simulation.structure.is_weighing = false;
            simulation.jobs.finish_task(task, None);
        }
    }
}

/// Applies what a job has found of the structure, and counts the times.
fn count_structure(
    simulation: &mut Simulation,
    worker_ms: f32,
    apply: impl FnOnce(&mut Simulation),
) {
    let mut stopwatch = Stopwatch::start();
    apply(simulation);
    simulation.statistics.structure_worker_ms += worker_ms;
    simulation.statistics.structure_ms += stopwatch.lap();
}

/// Applies the result of a body's job, submitted in step `frame`; returns the impacts that waited for it.
fn apply_to_body(
    simulation: &mut Simulation,
    body: BodyId,
    frame: u64,
    result: JobResult,
) -> Vec<Impact> {
    let pending = take_pending(simulation, body, &result);
    let pose = simulation.motion(body).map(|motion| motion.pose);
    report_shape(simulation, body);
    match (result.outcome, &pending) {
        (Ok(Outcome::Prepared), _) => simulation.jobs.prepared.push(body),
        (Ok(Outcome::StressSolved(solved)), _) => {
            apply_stress_result(simulation, body, frame, *solved, result.worker_ms);
        }
        (Ok(Outcome::Broken(broken)), Some(pending)) => {
            count_break(simulation, result.worker_ms);
            let pose = pose.unwrap_or_default();
            let info = break_info(pending, pose, broken.moved, frame, result.worker_ms);
            note_blow(simulation, body, &pending.local_impact);
            let logged = LoggedCause::Impact(LoggedImpact::new(&LocalImpact {
                kept: broken.went_on_by,
                ..pending.local_impact
            }));
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
    if pending.is_some() {
        look_again_whether_held(simulation, body);
    }
    let waiting = pending.map_or_else(Vec::new, |pending| pending.waiting);
    // What they struck has moved on, and so have its pieces.
    let waiting = waiting.into_iter().map(|(impact, then)| match pose {
        Some(now) if now != then => impact.moved(now * then.inverse()),
        _ => impact,
    });
    waiting.collect()
}

/// The description of a break by an impact on a body that is at this pose now. The impact's place on the mesh is `moved`
/// metres from its own, in body space.
fn break_info(
    pending: &PendingBreak,
    pose: Pose,
    moved: DVec3,
    frame: u64,
    worker_ms: f32,
) -> BreakInfo {
    let impact = &pending.impact;
    let local = &pending.local_impact;
    BreakInfo {
        cause: Cause::Impact,
        point: pose.transform_point((local.point + moved).as_vec3()),
        normal: pose.rotation * local.normal.as_vec3().normalize_or(Vec3::Y),
        energy: impact.energy,
        impulse: impact.impulse,
        kept_impulse: impact.residual.impulse,
        kept_energy: impact.residual.energy,
        pushed_radius: impact.residual.pushed_radius,
        radius: local.radius.metres as f32,
        frame,
        worker_ms,
    }
}

/// From now on steps see that a job has prepared the shape of a body, and what is painted on it.
fn report_shape(simulation: &Simulation, body: BodyId) {
    if let Ok(breakable) = simulation.world.get::<&Breakable>(body.0) {
        breakable.shape.report();
        if let Some(painted) = &breakable.asset.weakness {
            painted.report();
        }
    }
}

/// Lets a body that did not break come down, if it lost what holds it while the job was running.
fn look_again_whether_held(simulation: &mut Simulation, body: BodyId) {
    let Ok(mut bonds) = simulation.world.get::<&mut BodyBonds>(body.0) else {
        return; // it has broken
    };
    let was_to_fall = std::mem::take(&mut bonds.falls);
    bonds.is_updated = false;
    simulation.structure.is_changed |= was_to_fall || bonds.level.is_none();
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

#[cfg(test)]
mod tests {
    use fracture_geometry::{Mesh, Pattern, Recipe};

    use super::*;
    use crate::pieces::{Body, LazyPattern, Shape};
    use crate::settings::Settings;
    use crate::types::{BodyKind, Motion};

    /// A thousand cubes, far from each other, all of which are cut in two by one frame's impacts. The results are
    /// there and have not been applied.
    fn cut_cubes(settings: Settings) -> (Simulation, Vec<BodyId>) {
        let mut simulation = Simulation::new(Settings {
            queue_capacity: 4096,
            max_pieces: 1 << 16,
            gravity: Vec3::ZERO,
            ..settings
        })
        .unwrap();
        let recipe = Recipe::Uniform { cells: 8 };
        let pattern = LazyPattern::new(move || Pattern::from_recipe(&recipe, 3));
        let shape = Shape::new(Mesh::cuboid([1.0; 3]));
        let mut cubes = Vec::new();
        for index in 0..1000 {
            let mut cube = Body::new(shape.clone(), pattern.clone());
            let place = Vec3::new((index % 100) as f32, 0.0, (index / 100) as f32) * 10.0;
            cube.motion = Motion::at(Pose::from_translation(place));
            let id = simulation.add(cube).unwrap();
            simulation
                .impact(Impact::blade(id, place, Vec3::X))
                .unwrap();
            cubes.push(id);
        }
        simulation.step(0.0);
        while simulation.jobs.worker.finished() < simulation.jobs.worker.outstanding() {
            simulation.jobs.worker.receive(false);
            std::thread::yield_now();
        }
        (simulation, cubes)
    }

    fn broken(simulation: &mut Simulation) -> Vec<BodyId> {
        let events = simulation.drain_events();
        let broken = events.filter_map(|event| match event {
            Event::Broken(broken) => Some(broken.body),
            _ => None,
        });
        broken.collect()
    }

    #[test]
    fn what_a_job_prepares_is_seen_once_a_step_has_taken_its_result() {
        let mut simulation = Simulation::new(Settings {
            wait_for_results: true,
            ..Settings::default()
        })
        .unwrap();
        let recipe = Recipe::Uniform { cells: 8 };
        let pattern = LazyPattern::new(move || Pattern::from_recipe(&recipe, 3));
        let shape = Shape::new(Mesh::cuboid([1.0; 3]));
        simulation.add(Body::new(shape.clone(), pattern)).unwrap();
        simulation.step(0.0);
        // The job is done beside the step, sooner or later.
        shape.solid().unwrap();
        assert!(shape.reported().is_none());
        simulation.step(0.0);
        assert!(shape.reported().is_some());
    }

    #[test]
    fn a_thousand_breaks_in_one_frame_come_in_order_as_many_at_a_time_as_there_is_room_for() {
        let (mut at_once, cubes) = cut_cubes(Settings::default());
        at_once.step(0.0);
        assert_eq!(broken(&mut at_once), cubes);
        // A break into two counts for six; the first of a step always has room.
        for (limit, expected) in [(1, 1), (11, 1), (12, 2), (100, 16)] {
            let (mut simulation, cubes) = cut_cubes(Settings::default());
            simulation.set_changes_per_step(limit);
            let mut count = 0;
            while count < cubes.len() {
                simulation.step(0.0);
                let whole = |body: &BodyId| simulation.kind(*body) == Some(BodyKind::Intact);
                let expected = expected.min(cubes.len() - count);
                assert!(!cubes[..count + expected].iter().any(whole));
                assert!(cubes[count + expected..].iter().all(whole));
                assert!(!simulation.is_idle() || count + expected == cubes.len());
                assert_eq!(broken(&mut simulation), cubes[count..count + expected]);
                count += expected;
            }
            assert_eq!(simulation.state_hash(), at_once.state_hash());
        }
    }

    #[test]
    fn a_run_that_waits_for_results_has_no_limit() {
        let settings = Settings {
            wait_for_results: true,
            ..Settings::default()
        };
        let (mut simulation, cubes) = cut_cubes(settings);
        simulation.set_changes_per_step(1);
        simulation.step(0.0);
        assert_eq!(broken(&mut simulation), cubes);
        assert!(simulation.changes() >= 6000);
    }

    #[test]
    fn pieces_over_the_limits_go_a_few_in_a_step() {
        let (mut simulation, _) = cut_cubes(Settings {
            keep_size: f32::INFINITY,
            ..Settings::default()
        });
        simulation.step(0.0);
        assert_eq!(simulation.debris_budget.count(), 2000);
        simulation.set_limits(1900, u64::MAX, f32::INFINITY);
        simulation.set_changes_per_step(30);
        for expected in [1970, 1940, 1910, 1900, 1900] {
            simulation.step(0.0);
            assert_eq!(simulation.debris_budget.count(), expected);
        }
        simulation.set_changes_per_step(usize::MAX);
        simulation.set_limits(0, u64::MAX, f32::INFINITY);
        simulation.step(0.0);
        assert_eq!(simulation.debris_budget.count(), 0);
    }
}
