//! Mirrored bodies whose shapes take long to build and are made on the worker.

use crate::debris::{BodyRef, ExternalBody};
use crate::jobs::{BuiltColliders, ColliderJob, JobKind, PendingColliders, Task};
use crate::simulation::Simulation;

/// Queues what waits to be made.
pub(crate) fn submit(simulation: &mut Simulation) {
    while simulation
        .jobs
        .has_room(&simulation.settings, JobKind::Colliders)
    {
        let Some(owner) = simulation.unmade.pop_front() else {
            return;
        };
        let Some(awaited) = simulation.awaited.get_mut(&owner) else {
            continue;
        };
        let version = awaited.version;
        if let Some(make) = awaited.make.take() {
            let frame = simulation.statistics.frame;
            let task = Task::BuildColliders(ColliderJob {
                owner,
                version,
                make,
            });
            simulation.jobs.worker.submit(None, frame, task);
        }
    }
}

/// Takes in what the worker has made, when it is still wanted.
pub(crate) fn arrive(simulation: &mut Simulation, made: BuiltColliders) {
    let current = |awaited: &PendingColliders| awaited.version == made.version;
    if !simulation.awaited.get(&made.owner).is_some_and(current) {
        simulation.statistics.stale += 1;
        return;
    }
    let awaited = simulation.awaited.remove(&made.owner);
    if let (Some(awaited), Some(desc)) = (awaited, made.mirror) {
        let motion = awaited.motion;
        let set = match made.owner {
            BodyRef::External(key) => {
                simulation.set_external_body(key, ExternalBody { desc, motion })
            }
            BodyRef::Breakable(body) => simulation.set_proxy(body, &desc),
        };
        // A body may have broken meanwhile.
        simulation.statistics.stale += u64::from(set.is_err());
    }
}
