//! The bonds of a body and the strain in it, as a save tells of them.

use glam::Vec3;
use hecs::EntityRef;

use super::log::PieceState;
use crate::debris::BodyRef;
use crate::jobs::bond_surface::is_loose;
use crate::pieces::components::{StressState, ToldStrain};
use crate::simulation::Simulation;
use crate::structure::{note_saved_bonds, BodyBond, BodyBonds, SavedBonds};
use crate::types::{BodyId, Motion};

/// Centres of a body's bonds that have broken, body space; as in the save that it came from, until its bonds are found.
pub fn broken_at(simulation: &Simulation, body: BodyId) -> Vec<Vec3> {
    let is_broken = |bond: &BodyBond| {
        bond.is_loose && !is_loose(&simulation.world, [BodyRef::Breakable(body), bond.with])
    };
    bonds_at(simulation, body, |saved| &saved.broken, is_broken)
}

/// Centres of those of which the host has been warned, in the same way.
pub fn strained_at(simulation: &Simulation, body: BodyId) -> Vec<Vec3> {
    let is_told = |bond: &BodyBond| bond.is_strained || bond.was_told;
    bonds_at(simulation, body, |saved| &saved.strained, is_told)
}

/// Centres of some of a body's bonds, body space; those of a save that it came from, until its bonds are found.
fn bonds_at(
    simulation: &Simulation,
    body: BodyId,
    in_save: impl Fn(&SavedBonds) -> &Vec<Vec3>,
    is_one: impl Fn(&BodyBond) -> bool,
) -> Vec<Vec3> {
    let world = &simulation.world;
    let (Ok(bonds), Ok(motion)) = (
        world.get::<&BodyBonds>(body.0),
        world.get::<&Motion>(body.0),
    ) else {
        return Vec::new();
    };
    if !bonds.is_known {
        return in_save(&bonds.saved).clone();
    }
    let found = bonds.list().iter().filter(|bond| is_one(bond));
    let center = |bond: &BodyBond| bond.face.center.as_vec3();
    let centers = found.map(|bond| motion.pose.inverse_transform_point(center(bond)));
    centers.collect()
}

/// Whether the host has been warned of a place inside a body.
pub fn is_strained(entity: EntityRef) -> bool {
    let state = entity.get::<&StressState>();
    entity.has::<ToldStrain>() || state.is_some_and(|state| state.is_strained)
}

/// Notes what a save says of a body, for when its bonds are found and it is solved. Bonds that have been found already are
/// searched again.
pub fn note_saved_state(simulation: &mut Simulation, body: BodyId, state: &PieceState) {
    let Simulation {
        world, structure, ..
    } = simulation;
    if !(state.broken_at.is_empty() && state.strained_at.is_empty()) {
        structure.to_search.insert(body);
    }
    let bonds = SavedBonds {
        broken: state.broken_at.clone(),
        strained: state.strained_at.clone(),
    };
    note_saved_bonds(world, body, bonds);
    // Refused when there is no such body, or nothing to be removed.
    if state.is_strained {
        let _ = world.insert_one(body.0, ToldStrain);
    } else {
        let _ = world.remove_one::<ToldStrain>(body.0);
    }
}
