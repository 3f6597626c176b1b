//! Resolves impacts: finds the body that is meant, decides whether it breaks, and submits the job.

use std::sync::Arc;

use glam::{Quat, Vec3};
use hecs::Satisfies;
use rapier3d::math::Pose;

use super::impact::{Impact, LocalImpact};
use super::threshold::{breaks, damage_threshold, deferred_check};
use super::weaken::weaken;
use crate::event::{DropReason, Event};
use crate::history::LoggedImpact;
use crate::jobs::{BreakJob, Task};
use crate::network::round_impact;
use crate::pieces::components::{
    BreakSeed, Breakable, BreakableAsset, Debris, Generation, Intact, PendingBreak,
};
use crate::pieces::{Anchor, Anchors, Damage, Keep, Push};
use crate::seeds::angle;
use crate::simulation::Simulation;
use crate::structure::{anchors_of_break, BodyBonds};
use crate::types::{BodyId, JobId, Motion};

/// Resolves the impacts of this frame in order; where there are too many for the queue of jobs, those of
/// highest energy first.
pub(crate) fn resolve_impacts(simulation: &mut Simulation) {
    let room = simulation.jobs.worker.room();
    for mut impact in simulation.impacts.take(room) {
        match target(simulation, &impact) {
            Some(body) => {
                impact.body = body;
                let network = &simulation.network;
                if network.is_decided_elsewhere(&simulation.world, body) {
                    push_unbroken(simulation, &impact);
                } else {
                    resolve(simulation, impact);
                }
            }
            None => simulation.statistics.stale += 1,
        }
    }
}

/// The body itself, or if it was broken the nearest of its pieces.
pub(crate) fn target(simulation: &Simulation, impact: &Impact) -> Option<BodyId> {
    if simulation.world.contains(impact.body.0) {
        return Some(impact.body);
    }
    let pieces = simulation.history.pieces.descendants(impact.body);
    let measured = pieces
        .into_iter()
        .filter_map(|id| Some((simulation.debris.wait().distance(id, impact.point)?, id)));
    let nearest = measured.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    nearest.map(|(_, id)| id)
}

fn resolve(simulation: &mut Simulation, impact: Impact) {
    if let Some(event) = refusal(simulation, &impact) {
        apply_unbroken(simulation, &impact, Some(event));
    } else if simulation.is_breaking(impact.body) {
        wait(simulation, impact);
    } else {
        submit(simulation, impact);
    }
}

/// The event that says why an impact does not break the body; `None` if it does.
fn refusal(simulation: &Simulation, impact: &Impact) -> Option<Event> {
    let entity = simulation.world.entity(impact.body.0).ok()?;
    let material = entity.get::<&Breakable>()?.asset.material;
    let generation = *entity.get::<&Generation>()?;
    let body = impact.body;
    // Where it takes the worker to tell, a job is submitted.
    if !breaks(&simulation.world, impact).unwrap_or(true) {
        return below_threshold(simulation, impact);
    }
    (!generation.can_break(&material)).then_some(Event::Unbreakable { body })
}

/// The event of an impact that is too weak to break its body.
fn below_threshold(simulation: &Simulation, impact: &Impact) -> Option<Event> {
    let damage_threshold = damage_threshold(&simulation.world, impact)?;
    Some(Event::BelowThreshold(impact.weak_blow(damage_threshold)))
}

/// Puts an impact that was too weak to break its body into effect, as the worker has found.
pub(crate) fn resolve_weak(simulation: &mut Simulation, impact: &Impact) {
    let event = below_threshold(simulation, impact);
    apply_unbroken(simulation, impact, event);
}

/// Pushes and weakens a body that an impact does not break, and reports why it does not.
fn apply_unbroken(simulation: &mut Simulation, impact: &Impact, event: Option<Event>) {
    push_unbroken(simulation, impact);
    simulation.events.extend(event);
    weaken(simulation, impact);
}

/// Applies the impulse of an impact that breaks nothing to a free piece, as much as the piece can absorb. One that the
/// engine moves is the engine's to push.
pub(crate) fn push_unbroken(simulation: &mut Simulation, impact: &Impact) {
    if impact.already_applied || impact.impulse == Vec3::ZERO {
        return;
    }
    let (body, point) = (impact.body, impact.point);
    let push = Push {
        impulse: impact.impulse,
        energy: impact.energy,
        max_speed: simulation.settings.max_push_speed,
    };
    if simulation.world.satisfies::<&Debris>(body.0) {
        simulation.debris.wait_mut().push(body, point, &push);
    } else if is_free(simulation, body) {
        simulation.events.push(Event::Pushed { body, point, push });
    }
}

/// Whether a body has no anchors.
fn is_free(simulation: &Simulation, body: BodyId) -> bool {
    let anchors = simulation.world.get::<&Anchors>(body.0);
    anchors.is_ok_and(|anchors| anchors.is_free())
}

/// Keeps an impact until the body's job is done.
fn wait(simulation: &mut Simulation, impact: Impact) {
    let limit = simulation.settings.waiting_impacts;
    let motion = simulation.motion(impact.body).unwrap_or_default();
    let pending = simulation.world.get::<&mut PendingBreak>(impact.body.0);
    let is_kept = pending.is_ok_and(|mut pending| {
        let has_room = pending.waiting.len() < limit;
        if has_room {
            pending.waiting.push((impact, motion.pose));
        }
        has_room
    });
    if !is_kept {
        drop_impact(simulation, impact, DropReason::TooManyWaiting);
    }
}

fn drop_impact(simulation: &mut Simulation, impact: Impact, reason: DropReason) {
    push_unbroken(simulation, &impact);
    simulation.statistics.dropped += 1;
    let body = impact.body;
    simulation.events.push(Event::Dropped { body, reason });
}

/// Submits the job that breaks the body.
fn submit(simulation: &mut Simulation, impact: Impact) {
    if simulation.jobs.worker.is_full() {
        return drop_impact(simulation, impact, DropReason::QueueFull);
    }
    take_pose(simulation, impact.body);
    let is_told = simulation.network.is_told(&simulation.world, impact.body);
    let to_local = |asset: &BreakableAsset, seed: &mut BreakSeed, motion: &Motion| {
        let spin = angle(seed.seed, seed.impacts);
        seed.impacts += 1;
        let mut local = into_body_space(&impact, asset, motion.pose, spin);
        if is_told {
            round_impact(&mut local);
        }
        local
    };
    let Some((mut job, _)) = break_job(simulation, impact.body, to_local) else {
        return;
    };
    find_cracks(simulation, impact.body, &mut job);
    let entity = simulation.world.entity(impact.body.0).ok();
    job.threshold_check = entity.and_then(|entity| deferred_check(entity, &impact));
    if !submit_job(simulation, impact, job) {
        drop_impact(simulation, impact, DropReason::QueueFull);
    }
}

/// Finds the cracks along which a break goes on.
fn find_cracks(simulation: &Simulation, body: BodyId, job: &mut BreakJob) {
    if job.cracks_stay && !job.impact.blade {
        let damage = simulation.world.get::<&Damage>(body.0);
        let cracks = damage.map(|damage| damage.cracks.at(job.impact.point, job.impact.radius));
        job.impact.kept = cracks.ok().flatten();
    }
}

/// Gives a body whose mesh changes until it breaks the shape of now.
fn take_pose(simulation: &Simulation, body: BodyId) {
    if let Ok(mut breakable) = simulation.world.get::<&mut Breakable>(body.0) {
        let now = breakable.shape.now();
        if let Some(now) = now {
            breakable.shape = now;
        }
    }
}

/// Submits a break of the log again; false when that is not possible. A log of another game does not have the cracks
/// along which it went on: they are found.
pub(crate) fn submit_logged(
    simulation: &mut Simulation,
    body: BodyId,
    logged: &LoggedImpact,
    held_at: Option<&Arc<[Anchor]>>,
    keep: Keep,
    finds_cracks: bool,
) -> bool {
    let local = logged.to_local_impact();
    let Some((mut job, impact)) = local_break(simulation, body, local, held_at) else {
        return false;
    };
    if finds_cracks && job.impact.kept.is_none() {
        find_cracks(simulation, body, &mut job);
    }
    job.options.keep = keep;
    job.is_replay = true;
    submit_job(simulation, impact, job)
}

/// Submits a break that another game has told, and gives its job.
pub(crate) fn submit_told(
    simulation: &mut Simulation,
    body: BodyId,
    local: LocalImpact,
    held_at: Option<&Arc<[Anchor]>>,
    finds_cracks: bool,
) -> Option<JobId> {
    let (mut job, impact) = local_break(simulation, body, local, held_at)?;
    if finds_cracks {
        find_cracks(simulation, body, &mut job);
    }
    submit_job(simulation, impact, job);
    let pending = simulation.world.get::<&PendingBreak>(body.0);
    pending.ok().map(|pending| pending.job)
}

/// The job of a break by an impact in body space, and the impact in world space. `held_at` is where the body is held.
fn local_break(
    simulation: &mut Simulation,
    body: BodyId,
    local: LocalImpact,
    held_at: Option<&Arc<[Anchor]>>,
) -> Option<(BreakJob, Impact)> {
    let to_local = |_: &BreakableAsset, _: &mut BreakSeed, _: &Motion| local;
    let (mut job, pose) = break_job(simulation, body, to_local)?;
    if let Some(held_at) = held_at {
        job.anchors = Anchors::Boxes(held_at.clone());
    }
    let point = pose.transform_point(local.point.as_vec3());
    let normal = pose.rotation * local.normal.as_vec3();
    let impulse = pose.rotation * local.impulse.as_vec3();
    let impact = Impact {
        already_applied: local.already_applied,
        ..Impact::new(body, point, normal, impulse, local.energy as f32)
    };
    Some((job, impact))
}

fn submit_job(simulation: &mut Simulation, impact: Impact, job: BreakJob) -> bool {
    let body = impact.body;
    let local_impact = job.impact;
    let frame = simulation.statistics.frame;
    let worker = &mut simulation.jobs.worker;
    let job = worker.submit(Some(body), frame, Task::Break(Box::new(job)));
    let Some((job, cancel)) = job.and_then(|job| Some((job, worker.cancel_flag(job)?))) else {
        return false;
    };
    let pending = PendingBreak {
        job,
        cancel,
        impact,
        local_impact,
        waiting: Vec::new(),
    };
    // The job was made from the entity, which therefore exists.
    let _ = simulation.world.insert_one(body.0, pending);
    true
}

/// The job that breaks a body, with all that the worker needs copied or shared, and the body's pose.
fn break_job(
    simulation: &mut Simulation,
    body: BodyId,
    to_local: impl FnOnce(&BreakableAsset, &mut BreakSeed, &Motion) -> LocalImpact,
) -> Option<(BreakJob, Pose)> {
    let settings = &simulation.settings;
    type Query<'a> = (
        &'a Breakable,
        &'a Anchors,
        Option<&'a BodyBonds>,
        &'a mut BreakSeed,
        &'a Motion,
        &'a Generation,
        &'a Damage,
        Satisfies<&'a Intact>,
    );
    let query = simulation.world.query_one_mut::<Query>(body.0);
    let (breakable, anchors, bonds, seed, motion, generation, damage, intact) = query.ok()?;
    let asset = &*breakable.asset;
    let impact = to_local(asset, seed, motion);
    let of_blade = simulation.blades.of(impact.cut_by());
    let pattern = of_blade.unwrap_or(&asset.pattern);
    let job = BreakJob {
        shape: breakable.shape.clone(),
        pattern: pattern.clone(),
        fit: asset.fit,
        impact,
        anchors: anchors_of_break(anchors, bonds),
        options: asset.piece_options(settings.check_pieces, damage.bars_of_break(intact)),
        max_push_speed: f64::from(settings.max_push_speed),
        lattice: asset.stress_lattice(),
        threshold_check: None,
        weakness: asset.weakness.clone(),
        held_pieces_stay: asset.material.held_pieces_stay,
        cracks_stay: asset.material.cracks_stay,
        has_own_colliders: generation.depth == 0,
        is_intact: intact,
        is_replay: false,
        is_repeatable: settings.wait_for_results,
    };
    Some((job, motion.pose))
}

/// An impact in the space of its body, as the body's next break would have it.
pub(crate) fn in_body_space(simulation: &Simulation, impact: &Impact) -> Option<LocalImpact> {
    let entity = simulation.world.entity(impact.body.0).ok()?;
    let breakable = entity.get::<&Breakable>()?;
    let seed = entity.get::<&BreakSeed>()?;
    let spin = angle(seed.seed, seed.impacts);
    let pose = entity.get::<&Motion>()?.pose;
    Some(into_body_space(impact, &breakable.asset, pose, spin))
}

fn into_body_space(impact: &Impact, asset: &BreakableAsset, pose: Pose, spin: f64) -> LocalImpact {
    let to_body = Quat::inverse(pose.rotation);
    let radius = impact.break_radius(&asset.material);
    let pushed = f64::from(impact.residual.pushed_radius);
    let reach = if pushed > 0.0 {
        pushed.min(radius.metres)
    } else {
        radius.metres
    };
    LocalImpact {
        point: pose.inverse_transform_point(impact.point).as_dvec3(),
        normal: (to_body * impact.normal).as_dvec3(),
        impulse: (to_body * impact.impulse).as_dvec3(),
        already_applied: impact.already_applied,
        energy: f64::from(impact.energy),
        residual_impulse: (to_body * impact.residual.impulse).as_dvec3(),
        residual_energy: f64::from(impact.residual.energy),
        reach,
        radius,
        spin,
        blade: impact.blade,
        kerf: f64::from(impact.kerf),
        kept: None,
    }
}
