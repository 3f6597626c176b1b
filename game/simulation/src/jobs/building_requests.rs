//! Requests to weigh a building, and the results: bonds that break, and bodies that come down.

use std::collections::{BTreeMap, BTreeSet};

use fracture_geometry::Solid;
use glam::DVec3;
use hecs::{ViewBorrow, World};

use super::bond_surface::BondSurface;
use super::building_job::{BuildingJob, WeighedBuilding};
use super::building_region::Region;
use super::job::Task;
use super::queue::JobKind;
use crate::debris::BodyRef;
use crate::event::{Event, StrainedBond};
use crate::loads::update::load_on;
use crate::pieces::components::Breakable;
use crate::pieces::Anchors;
use crate::simulation::Simulation;
use crate::stress::building::{BondLoad, BuildingBond, BuildingNode, Displacement};
use crate::stress::is_strained;
use crate::structure::hold::update_supported;
use crate::structure::{BodyBond, BodyBonds, RegionNode};
use crate::types::{BodyId, Motion};

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
    let region = Region::new(&simulation.world, simulation.structure.weighed_wider);
    let Some(job) = building_job(simulation, &region) else {
        return;
    };
    let can_change = |bond: &BuildingBond| bond.strength.is_finite();
    simulation.structure.can_give_way |= job.bonds.iter().any(can_change);
    set_weighed(&simulation.world, &region.inside, true);
    if !simulation.structure.can_give_way {
        return;
    }
    let task = Task::Weigh(Box::new(job));
    let submitted = simulation.jobs.worker.submit(None, frame, task);
    simulation.structure.is_weighing = submitted.is_some();
}

fn set_weighed<'a>(world: &World, bodies: impl IntoIterator<Item = &'a BodyId>, is_weighed: bool) {
    let mut view = world.view::<&mut BodyBonds>();
    for body in bodies {
        if let Some(bonds) = view.get_mut(body.0) {
            bonds.is_weighed = is_weighed;
        }
    }
}

/// The job that weighs a part of a building, with its bodies and bonds in the order of their places; `None` where there is
/// nothing to be weighed.
fn building_job(simulation: &Simulation, region: &Region) -> Option<BuildingJob> {
    let (mut bodies, mut nodes, mut surfaces) = (Vec::new(), Vec::new(), Vec::new());
    let mut view = simulation.world.view::<WeighedBody>();
    for body in region.bodies.iter().copied() {
        let Some((breakable, motion, anchors, bonds)) = view.get_mut(body.0) else {
            continue;
        };
        let stays = bonds.node.is_some_and(|node| node.stays);
        let node = node(simulation, body, (breakable, motion, bonds), stays);
        let index = nodes.len() as u32;
        bonds.node = node.is_some().then_some(RegionNode { index, stays });
        if let Some(node) = node {
            bodies.push(body);
            nodes.push(node);
            surfaces.push(BondSurface::of(breakable, anchors));
        }
    }
    drop(view);
    let view = simulation.world.view::<&BodyBonds>();
    let (mut bonds, mut ends) = (Vec::with_capacity(4 * nodes.len()), Vec::new());
    let weighed = bodies.iter().zip(&nodes).zip(0..);
    for ((body, _), index) in weighed.filter(|((_, node), _)| !node.stays) {
        let list = view.get(body.0).into_iter();
        for bond in list.flat_map(BodyBonds::by_place) {
            if let Some(found) = building_bond(simulation, &view, &surfaces, index, bond) {
                bonds.push(found);
                ends.push([BodyRef::Breakable(*body), bond.with]);
            }
        }
    }
    (!bodies.is_empty()).then_some(BuildingJob {
        changed: region.changed.clone(),
        bodies,
        nodes,
        bonds,
        ends,
    })
}

/// All of a body that is weighed.
type WeighedBody<'a> = (&'a Breakable, &'a Motion, &'a Anchors, &'a mut BodyBonds);

fn node(
    simulation: &Simulation,
    body: BodyId,
    (breakable, motion, bonds): (&Breakable, &Motion, &BodyBonds),
    stays: bool,
) -> Option<BuildingNode> {
    let solid: &Solid = breakable.shape.reported()?.ok()?;
    let mass = solid.mass().volume * f64::from(breakable.asset.material.density);
    let center = breakable.center(motion.pose)?;
    let [load, moment] = load_on(simulation, body, motion.pose, center);
    Some(BuildingNode {
        center: center.as_dvec3(),
        weight: simulation.settings.gravity.as_dvec3() * mass,
        load,
        moment,
        size: 0.5 * solid.bounds().diagonal(),
        displacement: bonds.displacement,
        stays,
    })
}

/// The bond of a node that is weighed, if the node is carried by it or comes first of the two. `surfaces` are those of the
/// nodes.
fn building_bond(
    simulation: &Simulation,
    view: &ViewBorrow<&BodyBonds>,
    surfaces: &[BondSurface],
    own: u32,
    bond: &BodyBond,
) -> Option<BuildingBond> {
    let surface_of = |node: u32| surfaces.get(node as usize).copied();
    let own_surface = surface_of(own)?;
    let other = bond.with.breakable();
    let found = other.and_then(|other| {
        let node = view.get(other.0)?.node?;
        Some((node, surface_of(node.index)?))
    });
    if found.is_some_and(|(other, _)| other.index < own && !other.stays) {
        return None; // counted from the other side
    }
    let surface = match (found, other) {
        (Some((_, surface)), _) => Some(surface),
        // `None` of one that is gone.
        (None, Some(ground)) => Some(BondSurface::of_body(&simulation.world, ground)?),
        (None, None) => None,
    };
    let strength = own_surface.strength(surface);
    Some(BuildingBond {
        nodes: [own, found.map_or(own, |(other, _)| other.index)],
        is_grounded: found.is_none(),
        face: bond.face,
        strength: if bond.is_loose { 0.0 } else { strength },
        friction: own_surface.friction(surface, simulation.settings.friction),
    })
}

/// Takes what the bonds of a part of a building carry, unless more is to be weighed, and lets fall what nothing carries.
/// While any bond breaks or anything falls, the rest is weighed again.
pub(crate) fn apply_weighed(simulation: &mut Simulation, weighed: &WeighedBuilding) {
    simulation.structure.is_weighing = false;
    if changes_beyond(&simulation.world, weighed) {
        simulation.structure.weighed_wider += 1;
        return weigh_again(simulation, &weighed.changed);
    }
    simulation.structure.weighed_wider = 0;
    set_displacements(&simulation.world, &weighed.displacements);
    let is_breaking = apply_loads(simulation, weighed);
    let is_falling = let_fall(simulation, &weighed.falls);
    if is_breaking || is_falling {
        weigh_again(simulation, &weighed.changed);
    } else {
        take_equilibrium(simulation, weighed);
    }
}

fn set_displacements(world: &World, displacements: &[(BodyId, Displacement)]) {
    let mut view = world.view::<&mut BodyBonds>();
    for (body, displacement) in displacements {
        if let Some(bonds) = view.get_mut(body.0) {
            bonds.displacement = *displacement;
        }
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
    let nodes: Vec<BodyId> = weighed
        .displacements
        .iter()
        .map(|(body, _)| *body)
        .collect();
    update_supported(simulation, &nodes);
    let grounds = weighed
        .loads
        .iter()
        .filter_map(|([_, with], _)| with.breakable());
    let mut seen = BTreeSet::new();
    let carrying = nodes
        .into_iter()
        .chain(grounds)
        .filter(|body| seen.insert(*body));
    let (world, jobs) = (&simulation.world, &mut simulation.jobs);
    let mut view = world.view::<&mut BodyBonds>();
    let is_loaded = |body: &BodyId| view.get_mut(body.0).is_some_and(BodyBonds::note_loads);
    jobs.to_solve.extend(carrying.filter(is_loaded));
}

/// Sets the loads of bonds, and tells of strained ones. Returns whether any bond breaks.
fn apply_loads(simulation: &mut Simulation, weighed: &WeighedBuilding) -> bool {
    let mut view = simulation.world.view::<&mut BodyBonds>();
    let mut is_breaking = false;
    for ([one, other], load) in &weighed.loads {
        is_breaking |= load.is_broken;
        set_load(&mut view, *other, *one, load.reversed());
        if let Some(strained) = set_load(&mut view, *one, *other, *load) {
            simulation.events.push(Event::Strained(strained));
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

/// Sets the load of a bond of a body, which is to be weighed again where it breaks. Returns its place if it is to be told
/// that it has come near its strength.
fn set_load(
    view: &mut ViewBorrow<&mut BodyBonds>,
    body: BodyRef,
    with: BodyRef,
    load: BondLoad,
) -> Option<StrainedBond> {
    let body = body.breakable()?;
    let bonds = view.get_mut(body.0)?;
    bonds.is_weighed &= !load.is_broken;
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
    (is_new && !is_told).then_some(strained)
}
