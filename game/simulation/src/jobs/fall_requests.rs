//! Requests to let bodies come down.

use std::collections::BTreeMap;

use hecs::World;

use super::job::Task;
use super::stress_job::StressJob;
use super::stress_requests::stress_job;
use crate::simulation::Simulation;
use crate::stress::components;
use crate::structure::BodyBonds;
use crate::types::BodyId;

/// Most bodies of a job that no bonds join.
const BATCH: usize = 16;

/// Has the bodies that nothing holds any more come down. Those that bonds join do so by one job, and so in one step: they
/// are one as long as the bonds hold. Others may be spread over steps.
pub(crate) fn submit_falls(simulation: &mut Simulation) {
    if simulation.jobs.to_fall.is_empty() {
        return;
    }
    let bodies = std::mem::take(&mut simulation.jobs.to_fall);
    let frame = simulation.statistics.frame;
    let joints = joints(&simulation.world, &bodies);
    for batch in batches(bodies, joints) {
        if simulation.jobs.worker.is_full() {
            simulation.jobs.to_fall.extend(batch);
            continue;
        }
        // What comes down there an authority elsewhere tells.
        let network = &simulation.network;
        let decided = |body: &BodyId| network.is_decided_elsewhere(&simulation.world, *body);
        let bodies = batch.into_iter().filter(|body| !decided(body));
        let jobs = bodies.filter_map(|body| Some((body, stress_job(simulation, body, None)?)));
        let (bodies, jobs): (Vec<BodyId>, Vec<StressJob>) = jobs.unzip();
        if !bodies.is_empty() {
            let worker = &mut simulation.jobs.worker;
            worker.submit(bodies, frame, Task::Fall(jobs));
        }
    }
}

/// By place in a list: pairs of bodies that bonds join.
fn joints(world: &World, bodies: &[BodyId]) -> Vec<[u32; 2]> {
    let places: BTreeMap<BodyId, u32> = bodies.iter().copied().zip(0..).collect();
    let mut joints = Vec::new();
    for (body, place) in &places {
        let Ok(bonds) = world.get::<&BodyBonds>(body.0) else {
            continue;
        };
        let firm = bonds.list().iter().filter(|bond| !bond.is_loose);
        let others = firm.filter_map(|bond| places.get(&bond.with.breakable()?));
        joints.extend(others.map(|other| [*place, *other]));
    }
    joints
}

/// Divides a list into batches that may come down one after the other.
fn batches(bodies: Vec<BodyId>, joints: Vec<[u32; 2]>) -> Vec<Vec<BodyId>> {
    let groups = components(bodies.len(), joints.into_iter());
    let mut by_group: BTreeMap<u32, Vec<BodyId>> = BTreeMap::new();
    for (body, group) in bodies.into_iter().zip(groups) {
        by_group.entry(group).or_default().push(body);
    }
    let mut batches: Vec<Vec<BodyId>> = Vec::new();
    for group in by_group.into_values() {
        match batches.last_mut() {
            Some(last) if last.len() + group.len() <= BATCH => last.extend(group),
            _ => batches.push(group),
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_bodies_are_one_batch_and_single_ones_some() {
        let mut world = World::new();
        let bodies: Vec<BodyId> = (0..60).map(|_| BodyId(world.spawn(()))).collect();
        // Every second one of the first forty.
        let joints: Vec<[u32; 2]> = (0..19).map(|k| [2 * k + 2, 2 * k]).collect();
        let found = batches(bodies.clone(), joints);
        let joined: Vec<BodyId> = bodies.iter().copied().step_by(2).take(20).collect();
        assert_eq!(found[0], joined);
        let sizes: Vec<usize> = found.iter().map(Vec::len).collect();
        assert_eq!(sizes, [20, 16, 16, 8]);
        let mut all: Vec<BodyId> = found.into_iter().flatten().collect();
        all.sort_unstable();
        assert_eq!(all, bodies);
    }
}
