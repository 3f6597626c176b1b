//! Surroundings whose shapes take long to build and are made on the worker.

use crate::debris::Surrounding;
use crate::simulation::Simulation;
use crate::worker::{Awaited, MadeMirror, MirrorOrder, Task};

/// Jobs up to which mirrors are queued: a break waits for so many at most.
const MOST_JOBS: usize = 16;

/// Queues what waits to be made.
pub(crate) fn submit(simulation: &mut Simulation) {
    let limit = match simulation.settings.wait_for_results {
        true => simulation.settings.queue_capacity,
        false => MOST_JOBS.min(simulation.settings.queue_capacity),
    };
    while simulation.worker.outstanding() < limit {
        let Some(key) = simulation.unmade.pop_front() else {
            return;
        };
        let Some(awaited) = simulation.awaited.get_mut(&key) else {
            continue;
        };
        let version = awaited.version;
        if let Some(make) = awaited.make.take() {
            let frame = simulation.statistics.frame;
            let task = Task::Mirror(MirrorOrder { key, version, make });
            simulation.worker.submit(None, frame, task);
        }
    }
}

/// Takes in what the worker has made, when it is still wanted.
pub(crate) fn arrive(simulation: &mut Simulation, made: MadeMirror) {
    let current = |awaited: &Awaited| awaited.version == made.version;
    if !simulation.awaited.get(&made.key).is_some_and(current) {
        simulation.statistics.stale += 1;
        return;
    }
    let awaited = simulation.awaited.remove(&made.key);
    if let (Some(awaited), Some(mirror)) = (awaited, made.mirror) {
        let motion = awaited.motion;
        let surrounding = Surrounding { mirror, motion };
        if simulation.set_surrounding(made.key, surrounding).is_err() {
            simulation.statistics.failures += 1;
        }
    }
}
