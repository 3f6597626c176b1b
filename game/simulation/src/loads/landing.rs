//! Large pieces that land: whether the contacts that have stopped one may tear it.

use glam::Vec3;
use hecs::EntityRef;

use super::body_force::BodyForce;
use super::landed::Landed;
use super::load_list::load_list;
use crate::debris::Landing;
use crate::pieces::components::{Breakable, Debris, Generation};
use crate::pieces::Material;
use crate::simulation::Simulation;

/// Longest side of the smallest free pieces whose stress is solved when they land, metres: what is smaller is rubble,
/// which blows break. Two metres, less what a shape is contracted by.
const LARGE_SIZE: f32 = 1.95;

/// Length in thicknesses from which on a piece bends where it lands, and is not stopped all at once: planks, panes, sheets.
const SLENDER: f32 = 50.0;

/// Estimated share of the strength below which the stress of a landing is not solved.
const WORTH_SOLVING: f32 = 0.5;

/// Whether a free piece of a size may tear when it lands.
pub(crate) fn may_tear(material: &Material, size: f32) -> bool {
    material.has_strength() && size >= LARGE_SIZE
}

/// Takes the landings of the last steps of the debris world, and queues those that may be too hard.
pub(crate) fn take_landings(simulation: &mut Simulation) {
    if !simulation.debris.wait().has_landings() {
        return; // the common case
    }
    let mut room = simulation.settings.chain_breaks;
    for landing in simulation.debris.wait_mut().take_landings() {
        let landed = landed(simulation, &landing).filter(|_| room > 0);
        room -= usize::from(landed.is_some());
        simulation.loads.landed.extend(landed);
    }
}

/// The loads of a landing; `None` for one that is soft.
fn landed(simulation: &Simulation, landing: &Landing) -> Option<Landed> {
    let entity = simulation.world.entity(landing.body.0).ok()?;
    let debris = entity.get::<&Debris>()?;
    let (first, _) = landing.contacts.first()?;
    let to_body = first.rotation.inverse();
    let contacts = || landing.contacts.iter();
    let force: f32 = contacts().map(|(_, contact)| contact.force.length()).sum();
    if estimate(entity, &debris, force)? < WORTH_SOLVING {
        return None;
    }
    let forces = contacts().map(|(pose, contact)| BodyForce::new(contact, *pose));
    let diagonal = f64::from(debris.bounds.extents().length());
    let list = load_list(forces, diagonal).into_iter();
    Some(Landed {
        body: landing.body,
        spin: (to_body * landing.spin).as_dvec3(),
        loads: list.map(|placed| placed.load).collect(),
    })
}

/// An upper estimate of the share of its strength that a piece bears under a force: that of a plate of its volume, with
/// the longer sides of its box, which is bent over its middle. `None` for a slender one.
fn estimate(entity: EntityRef, debris: &Debris, force: f32) -> Option<f32> {
    let breakable = entity.get::<&Breakable>()?;
    let volume = entity.get::<&Generation>()?.volume? as f32;
    let [_, width, length] = sorted(debris.bounds.extents());
    let thickness = volume / (width * length);
    if length > SLENDER * thickness {
        return None;
    }
    let section = width * thickness * thickness / 6.0;
    let stress = force * length / (8.0 * section);
    Some(stress / breakable.asset.material.tensile_strength)
}

fn sorted(sides: Vec3) -> [f32; 3] {
    let mut sides = sides.to_array();
    sides.sort_by(f32::total_cmp);
    sides
}
