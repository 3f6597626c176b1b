//! Bodies prepared in advance, when the worker has nothing better to do.

use std::sync::Arc;

use crate::event::{BreakFailure, Event};
use crate::jobs::{Preparation, Task};
use crate::pieces::components::{Breakable, Held};
use crate::pieces::{BodyId, Precompute, Shape};
use crate::simulation::Simulation;

/// Queues new bodies, at most one for each worker thread, so that a break never waits for
/// more than that. When every step waits for its jobs anyway, the number of threads must not show.
pub(crate) fn submit(simulation: &mut Simulation) {
    let limit = match simulation.settings.wait_for_results {
        true => simulation.settings.queue_capacity,
        false => simulation.settings.threads,
    };
    while simulation.worker.outstanding() < limit {
        let Some(body) = simulation.unprepared.pop_front() else {
            return make_late(simulation);
        };
        let Some((order, late)) = order(simulation, body) else {
            continue;
        };
        simulation.foreseen.extend(late);
        match known(&order) {
            Some(None) => {}
            Some(Some(reason)) => {
                simulation.statistics.failures += 1;
                simulation.events.push(Event::BreakFailed { body, reason });
            }
            None => {
                let frame = simulation.statistics.frame;
                let task = Task::Prepare(order);
                simulation.worker.submit(Some(body), frame, task);
            }
        }
    }
}

/// Has made what breaks need besides, when nothing else is left to do: a break that comes first makes it itself.
fn make_late(simulation: &mut Simulation) {
    if simulation.worker.outstanding() == 0 {
        for late in simulation.foreseen.drain(..) {
            simulation.worker.foresee(late);
        }
    }
}

/// Finds the hulls of a whole, which what is left of it has most of.
fn hulls_of(shape: &Arc<Shape>) -> Precompute {
    let shape = shape.clone();
    Box::new(move |stop| {
        // What could not be prepared is not tried again here.
        let is_prepared = matches!(shape.prepared(), Some(Ok(_)));
        let hulls = is_prepared.then(|| shape.hulls()).flatten();
        hulls.is_none_or(|hulls| hulls.get_unless(stop).is_some())
    })
}

/// What preparing has led to, `None` while it has not happened.
fn known(order: &Preparation) -> Option<Option<BreakFailure>> {
    if let Err(error) = order.shape.prepared()? {
        return Some(Some(error));
    }
    Some(order.pattern.made()?.err().map(BreakFailure::from))
}

/// What there is to prepare about a body that is still there, and what to make when all else is.
fn order(simulation: &Simulation, body: BodyId) -> Option<(Preparation, Option<Precompute>)> {
    let entity = simulation.world.entity(body.0).ok()?;
    let breakable = entity.get::<&Breakable>()?;
    let held = entity.get::<&Held>()?;
    let is_free = held.0.is_free();
    let in_chunks = breakable
        .finish
        .as_ref()
        .is_some_and(|f| f.chunks().is_some());
    let shape = &breakable.shape;
    let is_sought = is_free && shape.known_hulls().is_none();
    let preparation = Preparation {
        shape: shape.clone(),
        pattern: breakable.pattern.clone(),
        collision: in_chunks && !is_free,
        lattice: breakable.is_weighed().then(|| breakable.lattice.clone()),
    };
    Some((preparation, is_sought.then(|| hulls_of(shape))))
}
