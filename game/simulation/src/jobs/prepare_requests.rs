//! Requests to prepare new bodies, when the worker has time.

use std::sync::Arc;

use super::job::Task;
use super::prepare_job::PrepareJob;
use super::queue::JobKind;
use crate::event::Event;
use crate::pieces::components::Breakable;
use crate::pieces::{Anchors, BrokenPiece, ChunkedMesh, Shape};
use crate::simulation::Simulation;
use crate::stepped_lazy::Precompute;
use crate::types::{BodyId, BodyKind};

/// Queues the preparation of new bodies. When all are prepared, starts computing what breaks will need.
pub(crate) fn submit_preparations(simulation: &mut Simulation) {
    while simulation
        .jobs
        .has_room(&simulation.settings, JobKind::Other)
    {
        let Some(body) = simulation.jobs.to_prepare.pop_front() else {
            return precompute_if_idle(simulation);
        };
        let Some((job, precompute)) = prepare_job(simulation, body) else {
            continue;
        };
        simulation.jobs.to_precompute.extend(precompute);
        match job.earlier_result() {
            // Reported in the next step, as if a job had done it: whether the worker is done with a body of the
            // same shape already depends on its timing.
            Some(Ok(())) => simulation.jobs.prepared.push(body),
            Some(Err(reason)) => {
                simulation.statistics.failures += 1;
                simulation.events.push(Event::BreakFailed { body, reason });
            }
            None => {
                let frame = simulation.statistics.frame;
                let task = Task::Prepare(job);
                simulation.jobs.worker.submit(Some(body), frame, task);
            }
        }
    }
}

/// Reports the intact bodies that have been prepared, in their order.
pub(crate) fn report_prepared(simulation: &mut Simulation) {
    let mut prepared = std::mem::take(&mut simulation.jobs.prepared);
    prepared.sort_unstable();
    let is_intact = |body: &BodyId| simulation.kind(*body) == Some(BodyKind::Intact);
    prepared.retain(is_intact);
    for body in &prepared {
        // A threshold that follows from the size of the body is known now.
        simulation.update_contact_threshold(*body);
    }
    let events = prepared.into_iter().map(|body| Event::Prepared { body });
    simulation.events.extend(events);
}

fn precompute_if_idle(simulation: &mut Simulation) {
    let jobs = &mut simulation.jobs;
    if jobs.worker.outstanding() == 0 {
        for precompute in jobs.to_precompute.drain(..) {
            jobs.worker.precompute(precompute);
        }
    }
}

/// The job for a body, and what to compute after that; `None` for a body that has been removed.
fn prepare_job(simulation: &Simulation, body: BodyId) -> Option<(PrepareJob, Option<Precompute>)> {
    let entity = simulation.world.entity(body.0).ok()?;
    let breakable = entity.get::<&Breakable>()?;
    let is_free = entity.get::<&Anchors>()?.is_free();
    let (asset, shape) = (&breakable.asset, &breakable.shape);
    let hooks = asset.hooks.as_ref();
    let needs_hulls = is_free && shape.existing_source_hulls().is_none();
    let job = PrepareJob {
        shape: shape.clone(),
        pattern: asset.pattern.clone(),
        fit: asset.fit,
        radius: asset.material.break_radius(0.0),
        weakness: asset.weakness.clone(),
        has_chunks: hooks.is_some_and(|hooks| hooks.chunk_hooks().is_some()),
        is_anchored: !is_free,
        lattice: asset.stress_lattice(),
    };
    Some((job, needs_hulls.then(|| source_hulls(shape))))
}

/// Prepares the solid of a large free piece in advance: it is most of the body, and what breaks again.
pub(crate) fn prepare_piece_in_advance(simulation: &Simulation, piece: &BrokenPiece) {
    if !ChunkedMesh::is_large(piece.triangles as usize) {
        return;
    }
    let shape = Arc::downgrade(&piece.shape);
    simulation
        .jobs
        .worker
        .precompute(Box::new(move |should_stop| {
            let shape = shape.upgrade();
            shape.is_none_or(|shape| shape.prepare_in_advance(should_stop))
        }));
}

/// Computes the hulls of an intact body, most of which its remainder will reuse.
fn source_hulls(shape: &Arc<Shape>) -> Precompute {
    let shape = shape.clone();
    Box::new(move |should_stop| {
        let hulls = shape.source_hulls();
        hulls.is_none_or(|hulls| hulls.advance(should_stop))
    })
}
