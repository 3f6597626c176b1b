//! Preparation of bodies in advance, when the worker has time.

use std::sync::Arc;

use super::{JobKind, Task};
use crate::event::{BreakFailure, Event};
use crate::pieces::components::Breakable;
use crate::pieces::{Anchors, LazyPattern, Precompute, Shape};
use crate::simulation::Simulation;
use crate::stress::LazyLattice;
use crate::types::BodyId;

/// The job that prepares a body.
pub(crate) struct Preparation {
    shape: Arc<Shape>,
    pattern: Arc<LazyPattern>,
    /// Whether also the collision meshes of anchored pieces are prepared.
    with_collision: bool,
    /// Stress lattice to be made as well.
    lattice: Option<Arc<LazyLattice>>,
}

impl Preparation {
    pub fn run(self) -> Result<(), BreakFailure> {
        let solid = self.shape.solid()?;
        self.shape.release_source_mesh();
        self.pattern.get()?;
        self.shape.cut_history(solid);
        if self.with_collision {
            let chunked_mesh = self.shape.chunked_mesh(solid);
            chunked_mesh.prepare_collision(solid.mesh());
            chunked_mesh.prepare_colliders(solid.mesh());
        }
        if let Some(lattice) = self.lattice.filter(|_| !solid.is_shell()) {
            // The stress job reports an error.
            let _ = lattice.get_or_make(solid);
        }
        Ok(())
    }

    /// The result of an earlier preparation of the same shape and pattern; `None` if there was none.
    fn earlier_result(&self) -> Option<Result<(), BreakFailure>> {
        if let Err(error) = self.shape.prepared()? {
            return Some(Err(error));
        }
        let pattern = self.pattern.made()?;
        Some(pattern.map(|_| ()).map_err(BreakFailure::from))
    }
}

/// Queues the preparation of new bodies. When all are prepared, starts computing what breaks will need.
pub(crate) fn submit_preparations(simulation: &mut Simulation) {
    while simulation
        .jobs
        .has_room(&simulation.settings, JobKind::Other)
    {
        let Some(body) = simulation.jobs.to_prepare.pop_front() else {
            return precompute_if_idle(simulation);
        };
        let Some((preparation, precompute)) = preparation(simulation, body) else {
            continue;
        };
        simulation.jobs.to_precompute.extend(precompute);
        match preparation.earlier_result() {
            Some(Ok(())) => {}
            Some(Err(reason)) => {
                simulation.statistics.failures += 1;
                simulation.events.push(Event::BreakFailed { body, reason });
            }
            None => {
                let frame = simulation.statistics.frame;
                let task = Task::Prepare(preparation);
                simulation.jobs.worker.submit(Some(body), frame, task);
            }
        }
    }
}

fn precompute_if_idle(simulation: &mut Simulation) {
    let jobs = &mut simulation.jobs;
    if jobs.worker.outstanding() == 0 {
        for precompute in jobs.to_precompute.drain(..) {
            jobs.worker.precompute(precompute);
        }
    }
}

/// The preparation of a body, and what to compute after that; `None` for a body that has been removed.
fn preparation(simulation: &Simulation, body: BodyId) -> Option<(Preparation, Option<Precompute>)> {
    let entity = simulation.world.entity(body.0).ok()?;
    let breakable = entity.get::<&Breakable>()?;
    let is_free = entity.get::<&Anchors>()?.is_free();
    let (asset, shape) = (&breakable.asset, &breakable.shape);
    let hooks = asset.hooks.as_ref();
    let has_chunk_hooks = hooks.is_some_and(|hooks| hooks.chunk_hooks().is_some());
    let needs_hulls = is_free && shape.existing_source_hulls().is_none();
    let preparation = Preparation {
        shape: shape.clone(),
        pattern: asset.pattern.clone(),
        with_collision: has_chunk_hooks && !is_free,
        lattice: asset.stress_lattice(),
    };
    Some((preparation, needs_hulls.then(|| source_hulls(shape))))
}

/// Computes the hulls of an intact body, most of which its remainder will reuse.
fn source_hulls(shape: &Arc<Shape>) -> Precompute {
    let shape = shape.clone();
    Box::new(move |should_cancel| {
        // A shape that could not be prepared is not tried again here.
        let is_prepared = matches!(shape.prepared(), Some(Ok(_)));
        let hulls = is_prepared.then(|| shape.source_hulls()).flatten();
        hulls.is_none_or(|hulls| hulls.get_or_cancel(should_cancel).is_some())
    })
}
