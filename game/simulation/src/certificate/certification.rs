//! A structure at rest, from which any member can be taken out.

use super::figures::{FallingMember, Removal, StructureMember};
use super::observed::Observed;
use super::pieces::{collapses, Pieces};
use super::structure_copy;
use crate::error::SimulationError;
use crate::event::Event;
use crate::simulation::Simulation;
use crate::structure::BodyBonds;
use crate::types::BodyId;

/// Steps in which a structure comes to rest, at least: jobs, and the frames after which a removed body is missed.
const MIN_STEPS: usize = 1000;
/// Further steps for each body: bonds fail one after the other.
const STEPS_PER_BODY: usize = 20;

/// A structure whose bodies have been looked at, and of which any can be taken out.
pub struct Certification {
    /// At rest: what its weight brings down has gone.
    simulation: Simulation,
    members: Vec<StructureMember>,
    pieces: Pieces,
}

impl Certification {
    /// Looks at the held bodies of a simulation in which no step has been taken yet. Takes as long as their
    /// preparation and a solve of the stress in each; for a worker of the host.
    pub fn new(simulation: Simulation) -> Self {
        Self::unless_cancelled(simulation, &|| false)
    }

    /// As [`Self::new`], but ends early once `is_cancelled` says so: the certificate is incomplete then, and of no use.
    pub fn unless_cancelled(mut simulation: Simulation, is_cancelled: &dyn Fn() -> bool) -> Self {
        simulation.set_wait_for_results(true);
        structure_copy::remove_hooks(&mut simulation.world);
        let bodies = held_bodies(&simulation);
        for body in &bodies {
            // Refused for bodies without strength.
            let _ = simulation.solve_stress(*body);
        }
        let mut observed = Observed::new(&simulation, &bodies);
        run(&mut simulation, |simulation, events| {
            observed.note(simulation, events);
            !is_cancelled()
        });
        let members = bodies
            .iter()
            .filter_map(|body| observed.member(&simulation, *body));
        Self {
            members: members.collect(),
            pieces: observed.pieces,
            simulation,
        }
    }

    /// The held bodies, in the order in which they were added.
    pub fn members(&self) -> &[StructureMember] {
        &self.members
    }

    /// Finds what comes down when a member is taken out of the structure as it stands. Takes milliseconds, and more
    /// where much comes down.
    ///
    /// # Errors
    /// [`SimulationError`] when no thread can be started.
    pub fn without(&self, body: BodyId) -> Result<Removal, SimulationError> {
        let mut copy = structure_copy::copy(&self.simulation)?;
        let mut pieces = Pieces::of(self.pieces.owners.clone());
        // The levels and the loads of the whole structure are those to compare with.
        run(&mut copy, |_, _| true);
        let taken = self.pieces.owners.get(&body);
        let of_member = |piece: &BodyId| taken.is_some() && pieces.owners.get(piece) == taken;
        let removed: Vec<BodyId> = held_bodies(&copy).into_iter().filter(of_member).collect();
        for body in removed {
            copy.remove(body);
        }
        run(&mut copy, |_, events| {
            collapses(events).for_each(|fall| pieces.note(fall));
            true
        });
        Ok(self.removal(body, &pieces))
    }

    fn removal(&self, removed: BodyId, pieces: &Pieces) -> Removal {
        let (mut falls, mut mass, mut standing) = (Vec::new(), 0.0, 0.0);
        for member in self.members.iter().filter(|member| member.body != removed) {
            let share = pieces.fallen_share(member.body, member.volume);
            standing += member.mass * (1.0 - member.falls);
            mass += member.mass * share;
            if share > 0.0 {
                falls.push(FallingMember {
                    body: member.body,
                    share,
                });
            }
        }
        falls.sort_by(|a, b| b.share.total_cmp(&a.share));
        Removal {
            removed,
            falls,
            share: if standing > 0.0 { mass / standing } else { 0.0 },
        }
    }
}

/// The bodies that are held, or may be, by id.
fn held_bodies(simulation: &Simulation) -> Vec<BodyId> {
    let mut query = simulation.world.query::<(hecs::Entity, &BodyBonds)>();
    let mut bodies: Vec<BodyId> = query.iter().map(|(entity, _)| BodyId(entity)).collect();
    bodies.sort_unstable();
    bodies
}

/// Takes steps without time until a structure is at rest, and gives the events of each; ends early when that is answered
/// by false.
fn run(simulation: &mut Simulation, mut note: impl FnMut(&Simulation, &[Event]) -> bool) {
    let most = MIN_STEPS + STEPS_PER_BODY * simulation.world.len() as usize;
    for _ in 0..most {
        simulation.step(0.0);
        let events = std::mem::take(&mut simulation.events);
        if !note(simulation, &events) || is_at_rest(simulation) {
            return;
        }
    }
}

/// Whether nothing is left to be found out of a structure.
fn is_at_rest(simulation: &Simulation) -> bool {
    let jobs = &simulation.jobs;
    jobs.worker.outstanding() == 0
        && jobs.to_prepare.is_empty()
        && jobs.to_solve.is_empty()
        && jobs.to_fall.is_empty()
        && simulation.structure.is_idle()
        && !simulation.environment.collider_builds.is_building()
}
