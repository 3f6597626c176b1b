//! Bodies under their own weight: which are weighed, and what comes of it.

use glam::{Quat, Vec3};

use crate::event::Cause;
use crate::history::{LoggedCause, LoggedCollapse};
use crate::jobs::{Collapse, StressInput, StressJob, StressResult, Task};
use crate::pieces::components::{Breakable, Held, Pending, StressState};
use crate::pieces::Keep;
use crate::pieces::{BodyId, Motion};
use crate::simulation::Simulation;
use crate::swap::replace::{note_time, replace, BreakInfo};

/// Queues bodies to be weighed, at most one for each worker thread, so that a break never waits for
/// more than that. When every step waits for its jobs anyway, the number of threads must not show.
pub(crate) fn submit(simulation: &mut Simulation) {
    let limit = match simulation.settings.wait_for_results {
        true => simulation.settings.queue_capacity,
        false => simulation.settings.threads,
    };
    while simulation.worker.outstanding() < limit {
        let Some(body) = simulation.unweighed.pop_front() else {
            return;
        };
        if let Some(order) = order(simulation, body) {
            hand_over(simulation, body, order);
        }
    }
}

/// Hands a body to the worker that came apart under its weight before; false when it cannot.
pub(crate) fn submit_past(
    simulation: &mut Simulation,
    body: BodyId,
    past: &LoggedCollapse,
    lasting: Keep,
) -> bool {
    let Some(mut order) = order(simulation, body) else {
        return false;
    };
    order.strain = past.to_strain();
    order.making.lasting = lasting;
    hand_over(simulation, body, order)
}

fn hand_over(simulation: &mut Simulation, body: BodyId, order: StressJob) -> bool {
    let frame = simulation.statistics.frame;
    let task = Task::Weigh(Box::new(order));
    let job = simulation.worker.submit(Some(body), frame, task);
    job.is_some()
}

/// Everything the worker needs, copied or shared; nothing for what is free, has gone, or breaks
/// anyway: what remains of that is weighed.
fn order(simulation: &Simulation, body: BodyId) -> Option<StressJob> {
    let entity = simulation.world.entity(body.0).ok()?;
    let breakable = entity.get::<&Breakable>()?;
    let anchors = entity.get::<&Held>()?.0.clone();
    if !breakable.is_weighed() || anchors.is_free() || entity.has::<Pending>() {
        return None;
    }
    let turn = Quat::inverse(entity.get::<&Motion>()?.pose.rotation);
    Some(StressJob {
        shape: breakable.shape.clone(),
        lattice: breakable.lattice.clone(),
        strain: StressInput {
            gravity: (turn * simulation.settings.gravity).as_dvec3(),
            damage: breakable.damage.clone(),
        },
        anchors,
        strength: f64::from(breakable.material.strength),
        making: breakable.making(simulation.settings.check_pieces),
    })
}

/// Takes the result of a pass over a body. A hit that came meanwhile goes first; what it leaves is
/// weighed anew.
pub(crate) fn arrive(
    simulation: &mut Simulation,
    (body, frame): (BodyId, u64),
    weighed: StressResult,
    worker_ms: f32,
) {
    simulation.statistics.weighed += 1;
    simulation.statistics.weigh_ms = worker_ms;
    if !simulation.world.contains(body.0) || simulation.is_breaking(body) {
        return;
    }
    if let Ok(mut breakable) = simulation.world.get::<&mut Breakable>(body.0) {
        breakable.damage = weighed.damage;
    }
    match weighed.collapse {
        Some(collapse) => fall(simulation, (body, frame), collapse, worker_ms),
        None if !weighed.support.settled => simulation.unweighed.push_back(body),
        None => {}
    }
    // Refused when the body has just come apart.
    let _ = simulation
        .world
        .insert_one(body.0, StressState(weighed.support));
}

fn fall(
    simulation: &mut Simulation,
    (body, frame): (BodyId, u64),
    collapse: Collapse,
    worker_ms: f32,
) {
    let Some(pose) = simulation.motion(body).map(|motion| motion.pose) else {
        return;
    };
    note_time(simulation, worker_ms);
    simulation.statistics.collapses += 1;
    let blow = BreakInfo {
        cause: Cause::Weight,
        point: pose.transform_point(collapse.point.as_vec3()),
        normal: Vec3::Y,
        energy: 0.0,
        radius: 0.0,
        frame,
        worker_ms,
    };
    let cause = LoggedCause::Weight(LoggedCollapse::new(&collapse.strain));
    replace(simulation, body, collapse.outcome, (blow, cause));
}
