//! Solids prepared in advance, when the worker has nothing better to do.

use crate::body::components::{Breakable, Intact};
use crate::body::BodyId;
use crate::event::{BreakFailure, Event};
use crate::simulation::Simulation;
use crate::worker::Task;

/// Queues shapes of new bodies, at most one for each worker thread, so that a break never waits for
/// more than that. When every step waits for its jobs anyway, the number of threads must not show.
pub(crate) fn submit(simulation: &mut Simulation) {
    let limit = match simulation.settings.wait_for_results {
        true => simulation.settings.queue_capacity,
        false => simulation.settings.threads,
    };
    while simulation.worker.outstanding() < limit {
        let Some(body) = simulation.unprepared.pop_front() else {
            return;
        };
        let Some(intact) = intact(simulation, body) else {
            continue;
        };
        match known(&intact) {
            Some(None) => {}
            Some(Some(reason)) => {
                simulation.statistics.failures += 1;
                simulation.events.push(Event::BreakFailed { body, reason });
            }
            None => {
                let frame = simulation.statistics.frame;
                simulation.worker.submit(
                    Some(body),
                    frame,
                    Task::Prepare(intact.shape, intact.pattern),
                );
            }
        }
    }
}

/// What preparing has led to, `None` while it has not happened.
fn known(intact: &Breakable) -> Option<Option<BreakFailure>> {
    if let Err(error) = intact.shape.prepared()? {
        return Some(Some(error));
    }
    Some(intact.pattern.made()?.err().map(BreakFailure::from))
}

/// A body that is still there and whole.
fn intact(simulation: &Simulation, body: BodyId) -> Option<Breakable> {
    let entity = simulation.world.entity(body.0).ok()?;
    entity.has::<Intact>().then_some(())?;
    Some(Breakable::clone(&*entity.get::<&Breakable>()?))
}
