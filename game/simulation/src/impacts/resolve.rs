//! Hits: who is meant, whether it breaks, and the job that breaks it.

use glam::{Quat, Vec3};
use rapier3d::math::Pose;

use crate::event::{DropReason, Event};
use crate::history::LoggedImpact;
use crate::impacts::Impact;
use crate::jobs::{BreakJob, LocalImpact, Task};
use crate::pieces::components::{Breakable, Debris, Generation, Held, Pending, Proxy, Seed};
use crate::pieces::fraction_absorbed;
use crate::pieces::Keep;
use crate::pieces::{BodyId, Motion};
use crate::seeds::angle;
use crate::simulation::Simulation;

/// Takes the hits of this frame in order; where there are too many for the queue of jobs, those of most
/// energy first.
pub(crate) fn take(simulation: &mut Simulation) {
    for mut hit in simulation.hits.take(simulation.worker.room()) {
        let Some(body) = target(simulation, &hit) else {
            simulation.statistics.stale += 1;
            continue;
        };
        hit.body = body;
        take_one(simulation, hit);
    }
}

/// The body itself, or when it was broken the nearest of its pieces.
fn target(simulation: &Simulation, hit: &Impact) -> Option<BodyId> {
    if simulation.world.contains(hit.body.0) {
        return Some(hit.body);
    }
    let pieces = simulation.history.pieces.descendants(hit.body).into_iter();
    let measured = pieces.filter_map(|id| Some((distance(simulation, id, hit.point)?, id)));
    let nearest = measured.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    nearest.map(|(_, id)| id)
}

fn distance(simulation: &Simulation, body: BodyId, point: Vec3) -> Option<f32> {
    let entity = simulation.world.entity(body.0).ok()?;
    let piece = entity.get::<&Debris>().map(|debris| debris.handle);
    let proxy = entity.get::<&Proxy>().map(|proxy| proxy.0);
    simulation.debris.distance(piece.or(proxy)?, point)
}

fn take_one(simulation: &mut Simulation, hit: Impact) {
    match refuse(simulation, &hit) {
        Some(event) => {
            push_whole(simulation, &hit);
            simulation.events.push(event);
        }
        None if simulation.is_breaking(hit.body) => wait(simulation, hit),
        None => submit(simulation, hit),
    }
}

/// Why a hit does not break the body, if it does not.
fn refuse(simulation: &Simulation, hit: &Impact) -> Option<Event> {
    let entity = simulation.world.entity(hit.body.0).ok()?;
    let material = entity.get::<&Breakable>()?.material;
    let generation = *entity.get::<&Generation>()?;
    let body = hit.body;
    let impulse = hit.impulse.length();
    if impulse < material.toughness && !hit.blade {
        let toughness = material.toughness;
        return Some(Event::BelowThreshold {
            body,
            impulse,
            toughness,
        });
    }
    let small = generation.is_too_small(&material);
    let broken_enough = generation.depth >= material.max_generation;
    (small || broken_enough).then_some(Event::Unbreakable { body })
}

/// A hit that breaks nothing still moves a free piece.
pub(crate) fn push_whole(simulation: &mut Simulation, hit: &Impact) {
    let piece = simulation.world.get::<&Debris>(hit.body.0);
    let Some(handle) = piece.ok().map(|debris| debris.handle) else {
        return;
    };
    if !hit.already_applied {
        let mass = simulation.debris.mass(handle).unwrap_or(f32::MAX);
        let strength = f64::from(hit.impulse.length());
        let part = fraction_absorbed(f64::from(mass), strength, f64::from(hit.energy));
        let impulse = hit.impulse * part as f32;
        simulation.debris.hit(handle, impulse, hit.point);
    }
}

/// Keeps a hit until the body's job is done.
fn wait(simulation: &mut Simulation, hit: Impact) {
    let limit = simulation.settings.waiting_hits;
    let waits = simulation.world.get::<&mut Pending>(hit.body.0);
    let taken = waits.is_ok_and(|mut pending| {
        let room = pending.waiting.len() < limit;
        if room {
            pending.waiting.push(hit);
        }
        room
    });
    if !taken {
        drop_hit(simulation, hit, DropReason::TooManyWaiting);
    }
}

fn drop_hit(simulation: &mut Simulation, hit: Impact, reason: DropReason) {
    push_whole(simulation, &hit);
    simulation.statistics.dropped += 1;
    let body = hit.body;
    simulation.events.push(Event::Dropped { body, reason });
}

/// Hands the body to the worker.
fn submit(simulation: &mut Simulation, impact: Impact) {
    if simulation.worker.is_full() {
        return drop_hit(simulation, impact, DropReason::QueueFull);
    }
    let Some(order) = order(simulation, &impact) else {
        return;
    };
    if let Err(impact) = hand_over(simulation, impact, order) {
        drop_hit(simulation, impact, DropReason::QueueFull);
    }
}

/// Hands the body to the worker for a break that came to pass before; false when it cannot.
pub(crate) fn submit_past(
    simulation: &mut Simulation,
    body: BodyId,
    past: &LoggedImpact,
    lasting: Keep,
) -> bool {
    let again =
        |_: &Breakable, _: &mut Seed, motion: &Motion| (past.to_local_impact(), motion.pose);
    let Some((mut order, pose)) = order_of(simulation, body, again) else {
        return false;
    };
    order.making.lasting = lasting;
    let point = pose.transform_point(order.hit.point.as_vec3());
    let normal = pose.rotation * order.hit.normal.as_vec3();
    let energy = order.hit.energy as f32;
    let impact = Impact {
        already_applied: true,
        ..Impact::new(body, point, normal, Vec3::ZERO, energy)
    };
    hand_over(simulation, impact, order).is_ok()
}

fn hand_over(simulation: &mut Simulation, impact: Impact, order: BreakJob) -> Result<(), Impact> {
    let body = impact.body;
    let local = order.hit;
    let frame = simulation.statistics.frame;
    let task = Task::Break(Box::new(order));
    let worker = &mut simulation.worker;
    let job = worker.submit(Some(body), frame, task);
    let Some((job, cancel)) = job.and_then(|job| Some((job, worker.cancel_flag(job)?))) else {
        return Err(impact);
    };
    let pending = Pending {
        job,
        cancel,
        hit: impact,
        local,
        waiting: Vec::new(),
    };
    // The order was made from the entity.
    let _ = simulation.world.insert_one(body.0, pending);
    Ok(())
}

/// Everything the worker needs, copied or shared.
fn order(simulation: &mut Simulation, impact: &Impact) -> Option<BreakJob> {
    let next = |breakable: &Breakable, seed: &mut Seed, motion: &Motion| {
        let spin = angle(seed.seed, seed.hits);
        seed.hits += 1;
        let hit = into_body_space(impact, breakable, motion.pose, spin);
        (hit, motion.pose)
    };
    Some(order_of(simulation, impact.body, next)?.0)
}

fn order_of(
    simulation: &mut Simulation,
    body: BodyId,
    hit: impl FnOnce(&Breakable, &mut Seed, &Motion) -> (LocalImpact, Pose),
) -> Option<(BreakJob, Pose)> {
    let settings = &simulation.settings;
    type Parts<'a> = (&'a Breakable, &'a Held, &'a mut Seed, &'a Motion);
    let query = simulation.world.query_one_mut::<Parts>(body.0);
    let (breakable, anchors, seed, motion) = query.ok()?;
    let (hit, pose) = hit(breakable, seed, motion);
    let order = BreakJob {
        shape: breakable.shape.clone(),
        pattern: match hit.blade {
            true => simulation.blade.clone(),
            false => breakable.pattern.clone(),
        },
        fit: breakable.fit,
        hit,
        anchors: anchors.0.clone(),
        making: breakable.making(settings.check_pieces),
        max_push_speed: f64::from(settings.max_push_speed),
        lattice: breakable.is_weighed().then(|| breakable.lattice.clone()),
    };
    Some((order, pose))
}

fn into_body_space(impact: &Impact, breakable: &Breakable, pose: Pose, spin: f64) -> LocalImpact {
    let turn = Quat::inverse(pose.rotation);
    let radius = impact
        .radius
        .unwrap_or_else(|| breakable.material.radius(impact.energy));
    LocalImpact {
        point: pose.inverse_transform_point(impact.point).as_dvec3(),
        normal: (turn * impact.normal).as_dvec3(),
        impulse: (turn * impact.impulse).as_dvec3(),
        already_applied: impact.already_applied,
        energy: f64::from(impact.energy),
        radius: f64::from(radius),
        spin,
        blade: impact.blade,
    }
}
