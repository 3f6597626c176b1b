//! Large bodies that land: whether the contacts that have stopped one may tear it.

use fracture_geometry::Solid;
use glam::Vec3;
use hecs::EntityRef;

use super::body_force::BodyForce;
use super::landed::Landed;
use super::load_list::load_list;
use crate::debris::Landing;
use crate::pieces::components::{Breakable, Debris, Generation, Intact};
use crate::pieces::{Anchors, Material};
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Longest side of the smallest pieces whose stress is solved when they land, metres: what is smaller is rubble,
/// which blows break. Two metres, less what a shape is contracted by.
const LARGE_SIZE: f32 = 1.95;

/// The same of intact bodies, of which there are fewer.
const LARGE_INTACT_SIZE: f32 = 0.3;

/// Length in thicknesses from which on a body bends where it lands, and is not stopped all at once: planks, panes, sheets.
const SLENDER: f32 = 50.0;

/// Estimated share of the strength below which the stress of a landing is not solved.
const WORTH_SOLVING: f32 = 0.5;

/// Whether a free piece of a size may tear when it lands.
pub(crate) fn may_tear(material: &Material, size: f32) -> bool {
    material.has_strength() && size >= LARGE_SIZE
}

/// Whether an intact body is free, and may tear when it lands.
pub(crate) fn feels_landings(entity: EntityRef) -> bool {
    let anchors = entity.get::<&Anchors>();
    let is_free = anchors.is_some_and(|own| own.is_free());
    is_free && entity.has::<Intact>() && Plate::that_may_tear(entity).is_some()
}

/// Takes the landings of the last steps of the debris world, and queues those that may be too hard.
pub(crate) fn take_landings(simulation: &mut Simulation) {
    if !simulation.debris.wait().has_landings() {
        return; // the common case
    }
    let landings = simulation.debris.wait_mut().take_landings();
    queue(simulation, landings);
}

/// Takes the landings of the host's last step.
pub(crate) fn take_host_landings(simulation: &mut Simulation) {
    simulation.loads.landings.end_step();
    let landings = std::mem::take(&mut simulation.loads.landings.done);
    queue(simulation, landings);
}

fn queue(simulation: &mut Simulation, landings: Vec<Landing>) {
    let mut room = simulation.settings.chain_breaks;
    for landing in landings {
        let landed = landed(simulation, &landing).filter(|_| room > 0);
        room -= usize::from(landed.is_some());
        simulation.loads.landed.extend(landed);
    }
}

/// The loads of a landing; `None` for one that is soft.
fn landed(simulation: &Simulation, landing: &Landing) -> Option<Landed> {
    let body = torn_body(simulation, landing.body)?;
    let entity = simulation.world.entity(body.0).ok()?;
    let plate = Plate::that_may_tear(entity)?;
    let (first, _) = landing.contacts.first()?;
    let to_body = first.rotation.inverse();
    let contacts = || landing.contacts.iter();
    let force: f32 = contacts().map(|(_, contact)| contact.force.length()).sum();
    let strength = entity.get::<&Breakable>()?.asset.material.tensile_strength;
    if plate.stress(force)? < WORTH_SOLVING * strength {
        return None;
    }
    let forces = contacts().map(|(pose, contact)| BodyForce::new(contact, *pose));
    let list = load_list(forces, plate.diagonal()).into_iter();
    Some(Landed {
        body,
        spin: (to_body * landing.spin).as_dvec3(),
        loads: list.map(|placed| placed.load).collect(),
    })
}

/// The body that a landing may tear: the one that has landed or, where a blow of the same landing has broken that, its
/// largest piece. Both have the same space.
pub(crate) fn torn_body(simulation: &Simulation, landed: BodyId) -> Option<BodyId> {
    let free_volume = |body: &BodyId| {
        let entity = simulation.world.entity(body.0).ok()?;
        entity.get::<&Debris>()?;
        Plate::of(entity).map(|plate| plate.volume)
    };
    if simulation.world.satisfies::<&Breakable>(landed.0) {
        return Some(landed);
    }
    let pieces = simulation.history.pieces.descendants(landed).into_iter();
    let measured = pieces.filter_map(|piece| Some((free_volume(&piece)?, piece)));
    let largest = measured.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    largest.map(|(_, piece)| piece)
}

/// A plate of a body's volume with the longer sides of its box.
struct Plate {
    /// Of the box, ascending, metres.
    sides: [f32; 3],
    /// m^3
    volume: f32,
}

impl Plate {
    /// That of a body that is large and has a strength.
    fn that_may_tear(entity: EntityRef) -> Option<Self> {
        let material = entity.get::<&Breakable>()?.asset.material;
        if !material.has_strength() {
            return None; // the common case
        }
        let least = if entity.has::<Intact>() {
            LARGE_INTACT_SIZE
        } else {
            LARGE_SIZE
        };
        Self::of(entity).filter(|plate| plate.sides[2] >= least)
    }

    /// `None` of an intact body that is not prepared.
    fn of(entity: EntityRef) -> Option<Self> {
        let (mut sides, volume) = match entity.get::<&Debris>() {
            Some(debris) => {
                let volume = entity.get::<&Generation>()?.volume?;
                (debris.bounds.extents().to_array(), volume)
            }
            None => {
                let breakable = entity.get::<&Breakable>()?;
                let solid: &Solid = breakable.shape.reported()?.ok()?;
                let sides = solid.bounds().extents().as_vec3();
                (sides.to_array(), solid.mass().volume)
            }
        };
        sides.sort_by(f32::total_cmp);
        let volume = volume as f32;
        Some(Self { sides, volume })
    }

    fn diagonal(&self) -> f64 {
        f64::from(Vec3::from_array(self.sides).length())
    }

    /// The stress of a plate that a force (N) bends over its middle, Pa: no less than that of the body. `None` of a slender
    /// one.
    fn stress(&self, force: f32) -> Option<f32> {
        let [_, width, length] = self.sides;
        let thickness = self.volume / (width * length);
        if length > SLENDER * thickness {
            return None;
        }
        let section = width * thickness * thickness / 6.0;
        Some(force * length / (8.0 * section))
    }
}
