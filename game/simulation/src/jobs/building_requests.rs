//! Requests to weigh a building, and the results: bonds that break, and bodies that come down.

use std::collections::{BTreeMap, BTreeSet};

use fracture_geometry::Solid;
use hecs::{EntityRef, World};

use super::building_job::{BuildingJob, WeighedBuilding};
use super::job::Task;
use super::queue::JobKind;
use crate::debris::BodyRef;
use crate::event::{Event, StrainedBond};
use crate::loads::update::load_on;
use crate::pieces::components::Breakable;
use crate::pieces::Anchors;
use crate::simulation::Simulation;
use crate::stress::building::{BondLoad, BuildingBond, BuildingNode};
use crate::stress::is_strained;
use crate::structure::{BodyBond, BodyBonds};
use crate::types::{BodyId, Motion};

/// Weighs the building when what holds what has changed. Nothing is done where no bond can break.
pub(crate) fn submit_building_job(simulation: &mut Simulation) {
    let has_room = simulation
        .jobs
        .has_room(&simulation.settings, JobKind::Other);
    let structure = &mut simulation.structure;
    if !has_room || structure.is_weighing || !std::mem::take(&mut structure.is_to_be_weighed) {
        return;
    }
    let job = building_job(simulation);
    simulation.structure.can_give_way = job.is_some();
    let Some(job) = job else {
        return;
    };
    let (frame, task) = (simulation.statistics.frame, Task::Weigh(Box::new(job)));
    let submitted = simulation.jobs.worker.submit(None, frame, task);
    simulation.structure.is_weighing = submitted.is_some();
}

/// A body of the building, with what its bonds are made of.
struct Member {
    node: u32,
    strength: BondStrength,
}

/// Strength of the bonds of a body: infinite without a strength of its material.
#[derive(Clone, Copy)]
struct BondStrength {
    /// Pa
    material: f64,
    factor: f64,
}

impl BondStrength {
    fn of(entity: EntityRef) -> Option<Self> {
        let strength = entity.get::<&Breakable>()?.asset.material.tensile_strength;
        let factor = match &*entity.get::<&Anchors>()? {
            Anchors::Touching { bond_strength, .. } => f64::from(*bond_strength),
            Anchors::Boxes(_) | Anchors::FromBounds(_) => 1.0,
        };
        let material = if strength > 0.0 {
            f64::from(strength)
        } else {
            f64::INFINITY
        };
        Some(Self { material, factor })
    }

    /// The strength of a bond between two bodies, Pa.
    fn with(self, other: Option<Self>) -> f64 {
        let other = other.unwrap_or(self);
        let factor = self.factor.min(other.factor);
        if factor > 0.0 {
            self.material.min(other.material) * factor
        } else {
            0.0
        }
    }
}

/// Whether the bond between two bodies is loose from the start.
pub(super) fn is_loose(world: &World, bodies: [BodyRef; 2]) -> bool {
    bond_strength(world, bodies).is_some_and(|strength| strength <= 0.0)
}

/// The strength of a bond between two bodies, Pa: infinite of materials without one. `None` where neither breaks.
pub(crate) fn bond_strength(world: &World, bodies: [BodyRef; 2]) -> Option<f64> {
    let strength = |body: BodyRef| BondStrength::of(world.entity(body.breakable()?.0).ok()?);
    let [one, other] = bodies.map(strength);
    Some(one.or(other)?.with(one.and(other)))
}

/// The job with all bodies that are held by touch; `None` where no bond can break or is loose.
fn building_job(simulation: &Simulation) -> Option<BuildingJob> {
    let mut job = BuildingJob {
        bodies: Vec::new(),
        nodes: Vec::new(),
        bonds: Vec::new(),
        ends: Vec::new(),
    };
    let mut members = BTreeMap::new();
    let mut query = simulation.world.query::<(hecs::Entity, &BodyBonds)>();
    let mut bodies: Vec<_> = query
        .iter()
        .filter(|(_, bonds)| bonds.is_carried())
        .collect();
    bodies.sort_unstable_by_key(|(entity, _)| BodyId(*entity));
    for (entity, _) in &bodies {
        let entity = simulation.world.entity(*entity).ok()?;
        let found = node(simulation, entity).zip(BondStrength::of(entity));
        if let Some((node, strength)) = found {
            let body = BodyId(entity.entity());
            let index = job.nodes.len() as u32;
            members.insert(
                body,
                Member {
                    node: index,
                    strength,
                },
            );
            job.bodies.push(body);
            job.nodes.push(node);
        }
    }
    for (entity, bonds) in &bodies {
        let body = BodyId(*entity);
        for bond in bonds.list() {
            job.bonds.extend(
                building_bond(simulation, &members, body, bond).inspect(|_| {
                    job.ends.push([BodyRef::Breakable(body), bond.with]);
                }),
            );
        }
    }
    let can_change = |bond: &BuildingBond| bond.strength.is_finite();
    job.bonds.iter().any(can_change).then_some(job)
}

fn node(simulation: &Simulation, entity: EntityRef) -> Option<BuildingNode> {
    let breakable = entity.get::<&Breakable>()?;
    let solid: &Solid = breakable.shape.reported()?.ok()?;
    let pose = entity.get::<&Motion>()?.pose;
    let mass = solid.mass().volume * f64::from(breakable.asset.material.density);
    let center = pose.transform_point(solid.mass().center.as_vec3());
    let body = BodyId(entity.entity());
    let [load, moment] = load_on(simulation, body, pose, center);
    Some(BuildingNode {
        center: center.as_dvec3(),
        weight: simulation.settings.gravity.as_dvec3() * mass,
        load,
        moment,
        size: 0.5 * solid.bounds().diagonal(),
    })
}

/// The bond of a body, if it is carried by it or has the smaller id of the two.
fn building_bond(
    simulation: &Simulation,
    members: &BTreeMap<BodyId, Member>,
    body: BodyId,
    bond: &BodyBond,
) -> Option<BuildingBond> {
    let own = members.get(&body)?;
    let other = bond.with.breakable();
    let member = other.and_then(|other| members.get(&other));
    if let (Some(other), Some(_)) = (other, member) {
        if other < body {
            return None; // counted from the other side
        }
    }
    let of_ground = || BondStrength::of(simulation.world.entity(other?.0).ok()?);
    let other_strength = member.map(|member| member.strength).or_else(of_ground);
    if other.is_some() && other_strength.is_none() {
        return None; // it is gone
    }
    let strength = own.strength.with(other_strength);
    Some(BuildingBond {
        nodes: [own.node, member.map_or(own.node, |member| member.node)],
        is_grounded: member.is_none(),
        face: bond.face,
        strength: if bond.is_loose { 0.0 } else { strength },
    })
}

/// Takes what the bonds of a building carry. While any of them breaks, the building is weighed again before anything
/// comes down.
pub(crate) fn apply_weighed(simulation: &mut Simulation, weighed: WeighedBuilding) {
    simulation.structure.is_weighing = false;
    let is_breaking = weighed.loads.iter().any(|(_, load)| load.is_broken);
    for ([one, other], load) in &weighed.loads {
        set_load(simulation, *other, *one, load.reversed());
        if let Some(strained) = set_load(simulation, *one, *other, *load) {
            simulation.events.push(strained);
        }
    }
    if is_breaking {
        simulation.structure.is_to_be_weighed = true;
        return;
    }
    let grounds = weighed
        .loads
        .iter()
        .filter_map(|([_, with], _)| with.breakable());
    let carrying: BTreeSet<BodyId> = weighed.bodies.into_iter().chain(grounds).collect();
    let (world, to_solve) = (&simulation.world, &mut simulation.jobs.to_solve);
    let bonds_of = |body: &BodyId| world.get::<&mut BodyBonds>(body.0).ok();
    let is_loaded = |body: &BodyId| bonds_of(body).is_some_and(|mut bonds| bonds.note_loads());
    to_solve.extend(carrying.into_iter().filter(is_loaded));
    let falls = |body: &BodyId| {
        bonds_of(body).is_some_and(|mut bonds| !std::mem::replace(&mut bonds.falls, true))
    };
    to_solve.extend(weighed.falls.into_iter().filter(falls));
}

/// Sets the load of a bond of a body. Returns the event if that has brought it near its strength.
fn set_load(
    simulation: &Simulation,
    body: BodyRef,
    with: BodyRef,
    load: BondLoad,
) -> Option<Event> {
    let body = body.breakable()?;
    let mut bonds = simulation.world.get::<&mut BodyBonds>(body.0).ok()?;
    let bond = bonds.get_mut(with)?;
    let is_strained = is_strained(load.utilisation, bond.is_strained);
    let is_new = is_strained && !bond.is_strained;
    bond.is_strained = is_strained;
    bond.load = load;
    bond.is_loose |= load.is_broken;
    let strained = StrainedBond {
        body,
        point: bond.face.center.as_vec3(),
        utilisation: load.utilisation as f32,
    };
    is_new.then_some(Event::Strained(strained))
}
