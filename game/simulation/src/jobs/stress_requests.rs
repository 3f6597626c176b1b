//! Requests to solve the stress in anchored bodies and in large pieces that land, and the results: which come apart.

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};
use hecs::EntityRef;
use rapier3d::math::Pose;

use super::job::Task;
use super::queue::JobKind;
use super::stress_job::{Collapse, StressInput, StressJob, StressResult};
use crate::event::{Cause, Event, StrainedBond};
use crate::history::{LoggedCause, LoggedCollapse};
use crate::loads::landing::torn_body;
use crate::pieces::components::{Breakable, Intact, PendingBreak, StressState, ToldStrain};
use crate::pieces::{Anchor, Anchors, Damage, Keep, PieceBars};
use crate::simulation::Simulation;
use crate::stress::{is_strained, StressGraph, StressLoad};
use crate::structure::{anchors_of_weight, BodyBonds};
use crate::swap::replace::{count_break, replace, BreakInfo};
use crate::types::{BodyId, JobId, Motion};

/// Queues the bodies whose stress is to be solved. While a building comes down they wait: each crack leaves pieces that are
/// to be searched, and count as ground until then, which only delays what comes down anyway. A step that waits for its
/// jobs does not weigh before these are known.
pub(crate) fn submit_stress_jobs(simulation: &mut Simulation) {
    if simulation.structure.gives_way() && !simulation.settings.wait_for_results {
        return;
    }
    while simulation
        .jobs
        .has_room(&simulation.settings, JobKind::Other)
    {
        let Some(body) = simulation.jobs.to_solve.pop() else {
            return;
        };
        let network = &simulation.network;
        if network.is_decided_elsewhere(&simulation.world, body) {
            continue;
        }
        if let Some(job) = stress_job(simulation, body, None) {
            submit(simulation, body, job);
        }
    }
}

/// Queues the bodies that have landed. What a blow of the same landing is breaking waits for its pieces.
pub(crate) fn submit_landings(simulation: &mut Simulation) {
    let mut landed = std::mem::take(&mut simulation.loads.landed);
    landed.retain(|own| {
        let jobs = &simulation.jobs;
        if !jobs.has_room(&simulation.settings, JobKind::Other) {
            return true;
        }
        let Some(body) = torn_body(simulation, own.body) else {
            return false;
        };
        if simulation.is_breaking(body) {
            return true;
        }
        let network = &simulation.network;
        if network.is_decided_elsewhere(&simulation.world, body) {
            return false;
        }
        if let Some(mut job) = free_job(simulation, body) {
            job.input.loads = own.loads.clone();
            job.input.spin = Some(own.spin);
            submit(simulation, body, job);
        }
        false
    });
    simulation.loads.landed = landed;
}

/// Submits a collapse of the log again, and gives its job; `None` when that is not possible.
pub(crate) fn submit_logged(
    simulation: &mut Simulation,
    body: BodyId,
    logged: &LoggedCollapse,
    held_at: Option<&Arc<[Anchor]>>,
    keep: Keep,
) -> Option<JobId> {
    let held = stress_job(simulation, body, held_at);
    let mut job = held.or_else(|| free_job(simulation, body))?;
    job.input = logged.to_strain();
    job.options.keep = keep;
    submit(simulation, body, job)
}

fn submit(simulation: &mut Simulation, body: BodyId, job: StressJob) -> Option<JobId> {
    let frame = simulation.statistics.frame;
    let task = Task::SolveStress(Box::new(job));
    simulation.jobs.worker.submit(Some(body), frame, task)
}

/// The job for a body, with all that the worker needs copied or shared; `held_at` is where a log says that it was held.
/// `None` for a body that is free, has no strength and is held, or has been removed, and for one that a job is breaking: its
/// remainder will be solved.
pub(super) fn stress_job(
    simulation: &Simulation,
    body: BodyId,
    held_at: Option<&Arc<[Anchor]>>,
) -> Option<StressJob> {
    let entity = simulation.world.entity(body.0).ok()?;
    let breakable = entity.get::<&Breakable>()?;
    let anchors = entity.get::<&Anchors>()?;
    let bonds = entity.get::<&BodyBonds>();
    let asset = &breakable.asset;
    if anchors.is_free() || entity.has::<PendingBreak>() {
        return None;
    }
    let anchors = match held_at {
        Some(held_at) => Anchors::Boxes(held_at.clone()),
        None if bonds.as_ref().is_some_and(|bonds| bonds.falls) => Anchors::free(),
        None => anchors_of_weight(&anchors, bonds.as_deref()),
    };
    let lattice = asset.stress_lattice();
    if lattice.is_none() && !anchors.is_free() {
        return None;
    }
    let pose = entity.get::<&Motion>()?.pose;
    let to_body = Quat::inverse(pose.rotation);
    Some(StressJob {
        shape: breakable.shape.clone(),
        lattice,
        support_graphs: simulation.jobs.support_graphs.clone(),
        input: StressInput {
            gravity: (to_body * simulation.settings.gravity).as_dvec3(),
            broken_bonds: breakable.broken_bonds.clone(),
            loads: loads(simulation, body, bonds.as_deref(), pose).into(),
            loose_supports: bonds.map_or_else(Arc::default, |bonds| bonds.loose_supports().into()),
            spin: None,
        },
        anchors,
        strength: f64::from(asset.material.tensile_strength),
        weakness: asset.weakness.clone(),
        neck: if entity.has::<Intact>() {
            0.0
        } else {
            f64::from(asset.material.min_neck)
        },
        options: asset.piece_options(simulation.settings.check_pieces, bars_of_break(entity)),
    })
}

/// The job for a free body, without its loads. `None` for a held one, for one without strength, and for one that a job is
/// breaking.
fn free_job(simulation: &Simulation, body: BodyId) -> Option<StressJob> {
    let entity = simulation.world.entity(body.0).ok()?;
    let breakable = entity.get::<&Breakable>()?;
    let asset = &breakable.asset;
    if !entity.get::<&Anchors>()?.is_free() || entity.has::<PendingBreak>() {
        return None;
    }
    Some(StressJob {
        shape: breakable.shape.clone(),
        lattice: Some(asset.stress_lattice()?),
        support_graphs: simulation.jobs.support_graphs.clone(),
        input: StressInput {
            gravity: DVec3::ZERO,
            broken_bonds: breakable.broken_bonds.clone(),
            loads: Arc::default(),
            loose_supports: Arc::default(),
            spin: Some(DVec3::ZERO),
        },
        anchors: Anchors::free(),
        strength: f64::from(asset.material.tensile_strength),
        weakness: asset.weakness.clone(),
        neck: 0.0,
        options: asset.piece_options(simulation.settings.check_pieces, bars_of_break(entity)),
    })
}

fn bars_of_break(entity: EntityRef) -> Option<Arc<PieceBars>> {
    let damage = entity.get::<&Damage>()?;
    damage.bars_of_break(entity.has::<Intact>())
}

/// Loads on a body at a pose: of its bonds, and of what rests and hangs on it.
fn loads(
    simulation: &Simulation,
    body: BodyId,
    bonds: Option<&BodyBonds>,
    pose: Pose,
) -> Vec<StressLoad> {
    let resting = simulation.loads.noted(body).iter();
    let mut loads = bonds.map_or_else(Vec::new, |bonds| bonds.loads(pose));
    loads.extend(resting.map(|placed| placed.load.clone()));
    loads
}

/// Applies the result for a body, submitted in step `frame`. A break that was submitted meanwhile goes
/// first, and its remainder is solved anew.
pub(crate) fn apply_stress_result(
    simulation: &mut Simulation,
    body: BodyId,
    frame: u64,
    result: StressResult,
    worker_ms: f32,
) {
    simulation.statistics.stress_solves += 1;
    simulation.statistics.stress_ms = worker_ms;
    if !simulation.world.contains(body.0) || simulation.is_breaking(body) {
        return;
    }
    let anchors = simulation.world.get::<&Anchors>(body.0);
    let is_free = anchors.is_ok_and(|own| own.is_free());
    let is_strained = !is_free && note_strain(simulation, body, &result.graph);
    if let Ok(mut breakable) = simulation.world.get::<&mut Breakable>(body.0) {
        breakable.broken_bonds = result.broken_bonds;
    }
    match result.collapse {
        Some(collapse) => apply_collapse(simulation, body, frame, collapse, worker_ms),
        None if is_free => return,
        None if !result.graph.settled => simulation.jobs.to_solve.push(body),
        None => {}
    }
    // Refused when the body has just come apart.
    let state = StressState {
        graph: result.graph,
        is_strained,
    };
    let _ = simulation.world.insert_one(body.0, state);
}

/// Warns of a body that has come near its strength. Returns whether it is near it.
fn note_strain(simulation: &mut Simulation, body: BodyId, graph: &StressGraph) -> bool {
    let known = simulation.world.get::<&StressState>(body.0);
    let was_strained = known.is_ok_and(|known| known.is_strained);
    let Some((peak, motion)) = graph.peak.zip(simulation.motion(body)) else {
        return false;
    };
    let is_strained = is_strained(f64::from(peak.utilisation), was_strained);
    let is_new = is_strained && !was_strained;
    let is_told = is_new && simulation.world.remove_one::<ToldStrain>(body.0).is_ok();
    if is_new && !is_told {
        simulation.events.push(Event::Strained(StrainedBond {
            body,
            point: motion.pose.transform_point(peak.center),
            utilisation: peak.utilisation,
        }));
    }
    is_strained
}

fn apply_collapse(
    simulation: &mut Simulation,
    body: BodyId,
    frame: u64,
    collapse: Collapse,
    worker_ms: f32,
) {
    let Some(motion) = simulation.motion(body) else {
        return;
    };
    count_break(simulation, worker_ms);
    simulation.statistics.collapses += 1;
    let info = BreakInfo {
        cause: Cause::Weight,
        point: motion.pose.transform_point(collapse.point.as_vec3()),
        normal: Vec3::Y,
        energy: 0.0,
        impulse: Vec3::ZERO,
        kept_impulse: Vec3::ZERO,
        kept_energy: 0.0,
        pushed_radius: 0.0,
        radius: 0.0,
        frame,
        worker_ms,
    };
    let logged = LoggedCause::Weight(LoggedCollapse::new(&collapse.input));
    replace(simulation, body, collapse.pieces, info, logged);
}
