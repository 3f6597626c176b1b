//! The systems that hand builds of colliders to the worker, and apply their results.

use super::collider_job::BuiltColliders;
use super::job::Task;
use super::queue::JobKind;
use crate::debris::{BodyRef, ExternalBody};
use crate::simulation::Simulation;

/// Submits requested builds as long as the worker has room for them.
pub(crate) fn submit_collider_builds(simulation: &mut Simulation) {
    let Simulation { jobs, settings, .. } = simulation;
    while jobs.has_room(settings, JobKind::Colliders) {
        let Some(job) = simulation.environment.collider_builds.next_job() else {
            return;
        };
        let (frame, task) = (simulation.statistics.frame, Task::BuildColliders(job));
        jobs.worker.submit(None, frame, task);
    }
}

/// Gives a body the colliders that the worker has built, unless the build was cancelled or replaced.
pub(crate) fn apply_built_colliders(simulation: &mut Simulation, built: BuiltColliders) {
    let builds = &mut simulation.environment.collider_builds;
    let Some(motion) = builds.finish(built.owner, built.generation) else {
        simulation.statistics.stale += 1;
        return;
    };
    let Some(desc) = built.desc else {
        return;
    };
    let result = match built.owner {
        BodyRef::External(key) => simulation.set_external_body(key, ExternalBody { desc, motion }),
        BodyRef::Breakable(body) => simulation.set_proxy(body, &desc),
    };
    // A body may have broken meanwhile.
    simulation.statistics.stale += u64::from(result.is_err());
}
