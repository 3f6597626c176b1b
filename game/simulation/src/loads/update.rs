//! Takes the forces of a step, and has bodies solved whose loads have changed.

use hecs::EntityRef;
use rapier3d::math::Pose;

use super::body_force::BodyForce;
use super::hanging::add_hanging_forces;
use super::load_list::{change, load_list, resultant};
use super::resting::{LoadBy, StepForces, Told};
use crate::debris::{time_passes, BodyRef, ContactForce};
use crate::pieces::components::Breakable;
use crate::pieces::Anchors;
use crate::simulation::Simulation;
use crate::structure::BodyBonds;
use crate::types::{BodyId, Motion};

/// Change of the loads on a body, in parts of them and of its own weight, from which on the stress in it is solved
/// again...
const NOTABLE_CHANGE: f64 = 0.05;
/// ... and the least change that counts, N.
const MIN_NOTABLE: f64 = 1.0;

/// How a held body may give way under loads.
struct Bearing {
    /// It may break itself.
    has_strength: bool,
    /// It is held by bonds, which may break.
    is_touching: bool,
}

impl Bearing {
    /// `None` of a body to which loads do not matter.
    fn of(entity: EntityRef) -> Option<Self> {
        if !entity.has::<BodyBonds>() {
            return None;
        }
        let (breakable, anchors) = (entity.get::<&Breakable>(), entity.get::<&Anchors>());
        let own = Self {
            has_strength: breakable.is_some_and(|own| own.asset.material.has_strength()),
            is_touching: anchors.is_some_and(|own| own.is_touching()),
        };
        (own.has_strength || own.is_touching).then_some(own)
    }
}

/// Whether loads matter to a body: it is held, and may break under them, or is held by bonds that may.
pub(crate) fn feels_loads(entity: EntityRef) -> bool {
    Bearing::of(entity).is_some()
}

/// Takes the forces that the host has told of its last step, of `dt` seconds, and queues bodies whose loads have changed.
pub(crate) fn update_loads(simulation: &mut Simulation, dt: f32) {
    if simulation.loads.is_idle() {
        return;
    }
    let told = std::mem::take(&mut simulation.loads.told);
    if time_passes(dt) {
        let mut forces = step_forces(simulation, &told);
        let mut hanging = std::mem::take(&mut simulation.loads.hanging);
        add_hanging_forces(simulation, &mut hanging, &mut forces);
        simulation.loads.hanging = hanging;
        let Simulation { loads, debris, .. } = simulation;
        let world = debris.wait();
        loads.take(&forces, dt, |by| {
            Told::by_host(world.pressing(by.body()), by)
        });
    }
    for body in simulation.loads.take_changed() {
        if let BodyRef::Breakable(body) = body {
            note_loads(simulation, body);
        }
    }
}

/// Takes the forces of the last step of the debris world.
pub(crate) fn take_debris_forces(simulation: &mut Simulation) {
    let world = simulation.debris.wait();
    let dt = world.contact_time;
    if !time_passes(dt) {
        return;
    }
    let forces = step_forces(simulation, &world.contact_forces);
    let Simulation { loads, debris, .. } = simulation;
    let world = debris.wait();
    loads.take(&forces, dt, |by| {
        Told::by_debris(world.pressing(by.body()), by)
    });
}

/// The contact forces of a step on bodies to which they matter.
fn step_forces(simulation: &Simulation, contacts: &[ContactForce]) -> StepForces {
    let mut forces = StepForces::new();
    for contact in contacts {
        if let Some(pose) = loaded_pose(simulation, contact.on) {
            let by = LoadBy::Contact(contact.by);
            let sum: &mut BodyForce = forces.entry((contact.on, by)).or_default();
            sum.add(&BodyForce::new(contact, pose), 1.0);
        }
    }
    forces
}

/// The pose of a body to which loads matter.
fn loaded_pose(simulation: &Simulation, body: BodyRef) -> Option<Pose> {
    if simulation.loads.hanging.contains(body) {
        return simulation.pose_of(body);
    }
    let entity = simulation.world.entity(body.breakable()?.0).ok()?;
    let pose = entity.get::<&Motion>()?.pose;
    feels_loads(entity).then_some(pose)
}

/// Takes the loads on a body if they have changed notably.
fn note_loads(simulation: &mut Simulation, body: BodyId) {
    let entity = simulation.world.entity(body.0);
    let Ok(entity) = entity.as_ref().map(|entity| *entity) else {
        return simulation.loads.note(body, Vec::new());
    };
    let Some(bearing) = Bearing::of(entity) else {
        return simulation.loads.note(body, Vec::new());
    };
    let Some(breakable) = entity.get::<&Breakable>() else {
        return;
    };
    // One that is not prepared yet breaks later.
    let Some(Ok(solid)) = breakable.shape.reported() else {
        return;
    };
    let loads = &simulation.loads;
    let forces = loads.lasting(BodyRef::Breakable(body));
    let list = load_list(forces.map(|(_, force)| force), solid.bounds().diagonal());
    let known = loads.noted(body);
    let sum: f64 = known.iter().map(|own| own.load.force.length()).sum();
    let material = &breakable.asset.material;
    let gravity = f64::from(simulation.settings.gravity.length());
    let weight = solid.mass().volume * f64::from(material.density) * gravity;
    let notable = NOTABLE_CHANGE * (sum + weight) + MIN_NOTABLE;
    if change(known, &list) <= notable {
        return;
    }
    let Bearing {
        has_strength,
        is_touching,
    } = bearing;
    let mut bonds = entity.get::<&mut BodyBonds>();
    let unknown = bonds
        .as_mut()
        .filter(|own| is_touching && !own.has_supports());
    if let Some(unknown) = unknown {
        unknown.is_to_be_solved |= has_strength;
    } else if has_strength {
        simulation.jobs.to_solve.push(body);
    }
    if let Some(bonds) = &mut bonds {
        bonds.is_weighed = false;
    }
    let structure = &mut simulation.structure;
    structure.is_to_be_weighed |= is_touching && structure.can_give_way;
    drop((bonds, breakable));
    simulation.loads.note(body, list);
}

/// Force on a body and its moment about a point, by all that rests and hangs on it; all in world space.
pub(crate) fn load_on(
    simulation: &Simulation,
    body: BodyId,
    pose: Pose,
    about: glam::Vec3,
) -> [glam::DVec3; 2] {
    let list = simulation.loads.noted(body);
    if list.is_empty() {
        return [glam::DVec3::ZERO; 2];
    }
    let about = pose.inverse_transform_point(about).as_dvec3();
    let to_world = pose.rotation.as_dquat();
    resultant(list, about).map(|own| to_world * own)
}
