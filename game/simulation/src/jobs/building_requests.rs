//! Requests to weigh a building, and the results: bonds that break, and bodies that come down.

use std::collections::{BTreeMap, BTreeSet};

use fracture_geometry::Solid;
use glam::DVec3;
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
use crate::structure::hold::update_supported;
use crate::structure::{sort_by_place, BodyBond, BodyBonds};
use crate::types::{BodyId, Motion};

/// Bonds from what has changed up to which a building is weighed at first; then twice as many, until what is beyond
/// bears what it did.
const FIRST_DEPTH: u32 = 4;

/// Most doublings: then it is all of any building.
const MOST_DOUBLINGS: u32 = 16;

/// Change of the forces on a body beyond those that were weighed, in parts of all that its bonds bear, from which on more
/// is to be weighed.
const NOTABLE_CHANGE: f64 = 0.02;

/// Weighs the building around what has changed. Nothing is done where no bond can break.
pub(crate) fn submit_building_job(simulation: &mut Simulation) {
    let has_room = simulation
        .jobs
        .has_room(&simulation.settings, JobKind::Structure);
    let frame = simulation.statistics.frame;
    if !has_room || !simulation.structure.take_to_be_weighed(frame) {
        return;
    }
    let region = region(&simulation.world, simulation.structure.weighed_wider);
    let Some(job) = building_job(simulation, &region) else {
        return;
    };
    let can_change = |bond: &BuildingBond| bond.strength.is_finite();
    simulation.structure.can_give_way |= job.bonds.iter().any(can_change);
    set_weighed(&simulation.world, &region.bodies, true);
    if !simulation.structure.can_give_way {
        return;
    }
    let task = Task::Weigh(Box::new(job));
    let submitted = simulation.jobs.worker.submit(None, frame, task);
    simulation.structure.is_weighing = submitted.is_some();
}

/// A part of a building that is weighed.
struct Region {
    /// Those that have changed.
    changed: Vec<BodyId>,
    /// All that are weighed, by id.
    bodies: BTreeSet<BodyId>,
    /// Those beside them, by id, which stay as they were.
    border: BTreeSet<BodyId>,
}

/// The part of a building that is around what has changed, doubled so many times.
fn region(world: &World, doublings: u32) -> Region {
    let mut query = world.query::<(hecs::Entity, &BodyBonds)>();
    let changed = query.iter().filter(|(_, bonds)| bonds.is_carried());
    let changed = changed.filter(|(_, bonds)| !bonds.is_weighed);
    let mut changed: Vec<BodyId> = changed.map(|(entity, _)| BodyId(entity)).collect();
    changed.sort_unstable();
    let mut bodies: BTreeSet<BodyId> = changed.iter().copied().collect();
    let mut border = bodies.clone();
    for _ in 0..FIRST_DEPTH << doublings.min(MOST_DOUBLINGS) {
        border = beside(world, &border, &bodies);
        if border.is_empty() {
            break;
        }
        bodies.extend(&border);
    }
    let border = beside(world, &border, &bodies);
    Region {
        changed,
        bodies,
        border,
    }
}

/// The carried bodies that are bonded to some, and are not among others.
fn beside(world: &World, of: &BTreeSet<BodyId>, among: &BTreeSet<BodyId>) -> BTreeSet<BodyId> {
    let mut found = BTreeSet::new();
    for body in of {
        let Ok(bonds) = world.get::<&BodyBonds>(body.0) else {
            continue;
        };
        let neighbors = bonds.list().iter().filter_map(|bond| bond.with.breakable());
        let is_carried = |body: &BodyId| {
            let bonds = world.get::<&BodyBonds>(body.0);
            bonds.is_ok_and(|bonds| bonds.is_carried())
        };
        found.extend(neighbors.filter(|body| !among.contains(body) && is_carried(body)));
    }
    found
}

fn set_weighed<'a>(world: &World, bodies: impl IntoIterator<Item = &'a BodyId>, is_weighed: bool) {
    for body in bodies {
        if let Ok(mut bonds) = world.get::<&mut BodyBonds>(body.0) {
            bonds.is_weighed = is_weighed;
        }
    }
}

/// A body of the building, with what its bonds are made of.
struct Member {
    node: u32,
    strength: BondStrength,
    stays: bool,
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
pub(crate) fn is_loose(world: &World, bodies: [BodyRef; 2]) -> bool {
    bond_strength(world, bodies).is_some_and(|strength| strength <= 0.0)
}

/// The strength of a bond between two bodies, Pa: infinite of materials without one. `None` where neither breaks.
pub(crate) fn bond_strength(world: &World, bodies: [BodyRef; 2]) -> Option<f64> {
    let strength = |body: BodyRef| BondStrength::of(world.entity(body.breakable()?.0).ok()?);
    let [one, other] = bodies.map(strength);
    Some(one.or(other)?.with(one.and(other)))
}

/// The job that weighs a part of a building, with its bodies and bonds in the order of their places; `None` where there is
/// nothing to be weighed.
fn building_job(simulation: &Simulation, region: &Region) -> Option<BuildingJob> {
    let mut job = BuildingJob {
        changed: region.changed.clone(),
        bodies: Vec::new(),
        nodes: Vec::new(),
        bonds: Vec::new(),
        ends: Vec::new(),
    };
    let mut bodies: Vec<BodyId> = region.bodies.union(&region.border).copied().collect();
    sort_by_place(&simulation.world, &mut bodies);
    let mut members = BTreeMap::new();
    for body in &bodies {
        let entity = simulation.world.entity(body.0).ok()?;
        let stays = region.border.contains(body);
        let found = node(simulation, entity, stays).zip(BondStrength::of(entity));
        if let Some((node, strength)) = found {
            let index = job.nodes.len() as u32;
            members.insert(
                *body,
                Member {
                    node: index,
                    strength,
                    stays,
                },
            );
            job.bodies.push(*body);
            job.nodes.push(node);
        }
    }
    for body in bodies.iter().filter(|body| region.bodies.contains(body)) {
        let Ok(bonds) = simulation.world.get::<&BodyBonds>(body.0) else {
            continue;
        };
        for bond in bonds.by_place() {
            job.bonds.extend(
                building_bond(simulation, &members, *body, bond).inspect(|_| {
                    job.ends.push([BodyRef::Breakable(*body), bond.with]);
                }),
            );
        }
    }
    (!job.bodies.is_empty()).then_some(job)
}

fn node(simulation: &Simulation, entity: EntityRef, stays: bool) -> Option<BuildingNode> {
    let breakable = entity.get::<&Breakable>()?;
    let solid: &Solid = breakable.shape.reported()?.ok()?;
    let pose = entity.get::<&Motion>()?.pose;
    let mass = solid.mass().volume * f64::from(breakable.asset.material.density);
    let center = breakable.center(pose)?;
    let body = BodyId(entity.entity());
    let [load, moment] = load_on(simulation, body, pose, center);
    Some(BuildingNode {
        center: center.as_dvec3(),
        weight: simulation.settings.gravity.as_dvec3() * mass,
        load,
        moment,
        size: 0.5 * solid.bounds().diagonal(),
        displacement: entity.get::<&BodyBonds>()?.displacement,
        stays,
    })
}

/// The bond of a body, if it is carried by it or comes first of the two.
fn building_bond(
    simulation: &Simulation,
    members: &BTreeMap<BodyId, Member>,
    body: BodyId,
    bond: &BodyBond,
) -> Option<BuildingBond> {
    let own = members.get(&body)?;
    let other = bond.with.breakable();
    let member = other.and_then(|other| members.get(&other));
    if member.is_some_and(|member| member.node < own.node && !member.stays) {
        return None; // counted from the other side
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
        friction: friction(simulation, body, other),
    })
}

/// The coefficient of friction between two bodies, the mean of both as in contacts of debris; of one with the engine's
/// bodies its own.
fn friction(simulation: &Simulation, body: BodyId, other: Option<BodyId>) -> f64 {
    let of = |body: BodyId| {
        let breakable = simulation.world.get::<&Breakable>(body.0).ok()?;
        let own = breakable.asset.contact.friction;
        Some(f64::from(own.unwrap_or(simulation.settings.friction)))
    };
    let own = of(body).unwrap_or_default();
    0.5 * (own + other.and_then(of).unwrap_or(own))
}

/// Takes what the bonds of a part of a building carry, unless more is to be weighed, and lets fall what nothing carries.
/// While any bond breaks or anything falls, the rest is weighed again.
pub(crate) fn apply_weighed(simulation: &mut Simulation, weighed: WeighedBuilding) {
    simulation.structure.is_weighing = false;
    if changes_beyond(&simulation.world, &weighed) {
        simulation.structure.weighed_wider += 1;
        return weigh_again(simulation, &weighed.changed);
    }
    simulation.structure.weighed_wider = 0;
    for (body, displacement) in &weighed.displacements {
        if let Ok(mut bonds) = simulation.world.get::<&mut BodyBonds>(body.0) {
            bonds.displacement = *displacement;
        }
    }
    let is_breaking = apply_loads(simulation, &weighed);
    let is_falling = let_fall(simulation, &weighed.falls);
    if is_breaking || is_falling {
        weigh_again(simulation, &weighed.changed);
    } else {
        take_equilibrium(simulation, &weighed);
    }
}

fn weigh_again(simulation: &mut Simulation, changed: &[BodyId]) {
    set_weighed(&simulation.world, changed, false);
    simulation.structure.is_to_be_weighed = true;
}

/// Queues bodies that are to fall; whether there are any that do not fall already.
fn let_fall(simulation: &mut Simulation, bodies: &[BodyId]) -> bool {
    let (world, to_fall) = (&simulation.world, &mut simulation.jobs.to_fall);
    let before = to_fall.len();
    let begins = |body: &&BodyId| {
        let bonds = world.get::<&mut BodyBonds>(body.0);
        bonds.is_ok_and(|mut bonds| !std::mem::replace(&mut bonds.falls, true))
    };
    to_fall.extend(bodies.iter().filter(begins));
    to_fall.len() > before
}

/// Takes where bodies are held in an equilibrium, and queues those whose loads have changed to be solved.
fn take_equilibrium(simulation: &mut Simulation, weighed: &WeighedBuilding) {
    let nodes = || weighed.displacements.iter().map(|(body, _)| *body);
    update_supported(simulation, nodes());
    let grounds = weighed
        .loads
        .iter()
        .filter_map(|([_, with], _)| with.breakable());
    let mut seen = BTreeSet::new();
    let carrying = nodes().chain(grounds).filter(|body| seen.insert(*body));
    let (world, jobs) = (&simulation.world, &mut simulation.jobs);
    let is_loaded = |body: &BodyId| {
        let bonds = world.get::<&mut BodyBonds>(body.0);
        bonds.is_ok_and(|mut bonds| bonds.note_loads())
    };
    jobs.to_solve.extend(carrying.filter(is_loaded));
}

/// Sets the loads of bonds, and tells of strained ones. Returns whether any bond breaks.
fn apply_loads(simulation: &mut Simulation, weighed: &WeighedBuilding) -> bool {
    let mut is_breaking = false;
    for ([one, other], load) in &weighed.loads {
        if load.is_broken {
            is_breaking = true;
            let ends = [*one, *other].map(BodyRef::breakable);
            set_weighed(&simulation.world, ends.iter().flatten(), false);
        }
        set_load(simulation, *other, *one, load.reversed());
        if let Some(strained) = set_load(simulation, *one, *other, *load) {
            simulation.events.push(strained);
        }
    }
    is_breaking
}

/// Whether the bonds with bodies beside those that were weighed bear notably more or less than before.
fn changes_beyond(world: &World, weighed: &WeighedBuilding) -> bool {
    let mut changes: BTreeMap<BodyId, DVec3> = BTreeMap::new();
    for ([one, other], load) in &weighed.loads {
        let Some(beyond) = other
            .breakable()
            .filter(|body| weighed.border.contains(body))
        else {
            continue;
        };
        if let Ok(mut bonds) = world.get::<&mut BodyBonds>(beyond.0) {
            let before = bonds.get_mut(*one).map(|bond| bond.load.force);
            *changes.entry(beyond).or_default() -= load.force + before.unwrap_or_default();
        }
    }
    changes.into_iter().any(|(body, change)| {
        let bonds = world.get::<&BodyBonds>(body.0);
        bonds.is_ok_and(|bonds| change.length() > NOTABLE_CHANGE * bonds.borne())
    })
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
    let is_told = is_new && std::mem::take(&mut bond.was_told);
    bond.load = load;
    bond.is_weighed = true;
    bond.is_loose |= load.is_broken;
    let strained = StrainedBond {
        body,
        point: bond.face.center.as_vec3(),
        utilisation: load.utilisation as f32,
    };
    (is_new && !is_told).then_some(Event::Strained(strained))
}
