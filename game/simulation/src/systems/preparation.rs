//! Bodies prepared in advance, when the worker has nothing better to do.

use crate::body::components::{Breakable, Held};
use crate::body::BodyId;
use crate::event::{BreakFailure, Event};
use crate::simulation::Simulation;
use crate::worker::{Preparation, Task};

/// Queues new bodies, at most one for each worker thread, so that a break never waits for
/// more than that. When every step waits for its jobs anyway, the number of threads must not show.
pub(crate) fn submit(simulation: &mut Simulation) {
    let limit = match simulation.settings.wait_for_results {
        true => simulation.settings.queue_capacity,
        false => simulation.settings.threads,
    };
    while simulation.worker.outstanding() < limit {
        let Some(body) = simulation.unprepared.pop_front() else {
            return divide(simulation);
        };
        let Some(order) = order(simulation, body) else {
            continue;
        };
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

/// Has convex parts made of bodies that are in pieces, when nothing else is left to do: without them pieces break as
/// well, only later.
fn divide(simulation: &mut Simulation) {
    if simulation.worker.outstanding() == 0 {
        for parts in simulation.undivided.drain(..) {
            simulation.worker.make_parts(parts);
        }
    }
}

/// What preparing has led to, `None` while it has not happened.
fn known(order: &Preparation) -> Option<Option<BreakFailure>> {
    if let Err(error) = order.shape.prepared()? {
        return Some(Some(error));
    }
    Some(order.pattern.made()?.err().map(BreakFailure::from))
}

/// What there is to prepare about a body that is still there.
fn order(simulation: &Simulation, body: BodyId) -> Option<Preparation> {
    let entity = simulation.world.entity(body.0).ok()?;
    let breakable = entity.get::<&Breakable>()?;
    let held = entity.get::<&Held>()?;
    let in_chunks = breakable
        .finish
        .as_ref()
        .is_some_and(|f| f.chunks().is_some());
    Some(Preparation {
        shape: breakable.shape.clone(),
        pattern: breakable.pattern.clone(),
        collision: in_chunks && !held.0.is_free(),
        lattice: breakable.is_weighed().then(|| breakable.lattice.clone()),
    })
}
