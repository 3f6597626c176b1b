//! Requests to weigh a building, and the results: bonds that break, and bodies that come down.

use std::collections::BTreeMap;

use glam::DVec3;
use hecs::{ViewBorrow, World};

use super::building_job::WeighedBuilding;
use super::building_region::Region;
use super::job::Task;
use super::queue::JobKind;
use crate::debris::BodyRef;
use crate::event::{Event, StrainedBond};
use crate::simulation::Simulation;
use crate::stress::building::{BondLoad, BuildingBond, Displacement};
use crate::stress::is_strained;
use crate::structure::hold::update_supported;
use crate::structure::BodyBonds;
use crate::types::BodyId;

/// Change of the forces on a body beyond those that were weighed, in parts of all that its bonds bear, from which on more
/// is to be weighed.
const NOTABLE_CHANGE: f64 = 0.02;

/// Weighs the building around what has changed. Nothing is done where no bond can break.
pub(crate) fn submit_building_job(simulation: &mut Simulation) {
    let (settings, frame) = (&simulation.settings, simulation.statistics.frame);
    let is_due = simulation.structure.is_to_be_weighed
        && simulation.jobs.has_room(settings, JobKind::Structure)
        && simulation.structure.take_to_be_weighed(frame);
    if !is_due {
        return;
    }
    let region = Region::new(simulation, simulation.structure.weighed_wider);
    let Some(job) = region.into_job() else {
        return;
    };
    let can_change = |(_, bond): &(_, BuildingBond)| bond.strength.is_finite();
    simulation.structure.can_give_way |= job.bonds.iter().any(can_change);
    if !simulation.structure.can_give_way {
        return;
    }
    let task = Task::Weigh(Box::new(job));
    let submitted = simulation.jobs.worker.submit(None, frame, task);
    simulation.structure.is_weighing = submitted.is_some();
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
        simulation.structure.gave_way_in_turn += 1;
        weigh_again(simulation, &weighed.changed);
    } else {
        simulation.structure.gave_way_in_turn = 0;
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
    let mut view = simulation.world.view::<&mut BodyBonds>();
    for body in changed {
        if let Some(bonds) = view.get_mut(body.0) {
            bonds.is_weighed = false;
        }
    }
    drop(view);
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
    let ends = weighed.loads.iter();
    let grounds = ends.filter_map(|([_, with], _)| with.breakable());
    let carrying = nodes.into_iter().chain(grounds);
    let (world, jobs) = (&simulation.world, &mut simulation.jobs);
    let mut view = world.view::<&mut BodyBonds>();
    // Of one that comes again the loads are noted by then.
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
