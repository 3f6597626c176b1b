//! Finds what holds each body, and the bodies that nothing holds.

use glam::DVec3;
use hecs::{Entity, World};

use super::body_bonds::{can_be_bonded, BodyBond, BodyBonds, HoldingBond};
use super::place_order::sort_by_place;
use crate::debris::BodyRef;
use crate::event::Event;
use crate::pieces::components::{AnchoredRemainder, Breakable, Intact, PendingBreak};
use crate::pieces::{Anchor, Anchors};
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Force upwards from which on a bond holds a body up, in parts of all that its bonds bear.
const LIFTING_SHARE: f64 = 1e-3;

/// Finds the level of each body, and where it is held, if something has changed. Bodies that nothing holds are queued to
/// fall, those whose supports have changed to be solved.
pub(crate) fn update_holds(simulation: &mut Simulation) {
    let frame = simulation.statistics.frame;
    let structure = &mut simulation.structure;
    let is_changed = structure.is_used && structure.take_changed(frame);
    if !is_changed {
        return;
    }
    simulation.structure.had_ground |= has_ground(simulation);
    if !simulation.structure.had_ground {
        tell_no_ground(simulation);
        return;
    }
    simulation.structure.is_to_be_weighed = true;
    let up = simulation.up();
    for body in find_levels(&mut simulation.world) {
        let change = update_hold(&simulation.world, body, up);
        if change == HoldChange::Lifts && simulation.structure.can_give_way {
            // Once it is known what the others bear.
            if let Ok(mut bonds) = simulation.world.get::<&mut BodyBonds>(body.0) {
                bonds.is_to_be_solved = true;
            }
            continue;
        }
        match change {
            HoldChange::None => {}
            HoldChange::Supports | HoldChange::Lifts => simulation.jobs.to_solve.push_back(body),
            HoldChange::Lost => simulation.jobs.to_fall.push(body),
            HoldChange::NeverHeld => {
                simulation.jobs.to_fall.push(body);
                simulation.events.push(Event::Unsupported { body });
            }
        }
    }
}

/// Tells once that there is no ground, as soon as a bond between two bodies is known.
fn tell_no_ground(simulation: &mut Simulation) {
    let mut bodies = simulation.world.query::<(&Anchors, &BodyBonds)>();
    let is_searched = |(anchors, bonds): (&Anchors, &BodyBonds)| {
        anchors.is_touching() && !bonds.list().is_empty()
    };
    if bodies.iter().any(is_searched) && !simulation.structure.told_no_ground {
        simulation.structure.told_no_ground = true;
        simulation.events.push(Event::NoGround);
    }
}

/// A change of what holds a body after which the stress job looks at it.
#[derive(PartialEq)]
enum HoldChange {
    None,
    /// Other places hold it than before.
    Supports,
    /// Nothing of what has lifted it does any more.
    Lifts,
    /// Nothing holds it any more.
    Lost,
    /// Nothing has held it from the start.
    NeverHeld,
}

/// Whether there is anything that holds bodies of itself.
fn has_ground(simulation: &Simulation) -> bool {
    let mut bodies = simulation.world.query::<(&Anchors, &BodyBonds)>();
    let has_anchors = bodies.iter().any(|(anchors, _)| is_ground(anchors));
    has_anchors || simulation.environment.streaming.has_fixed()
}

fn is_ground(anchors: &Anchors) -> bool {
    !(anchors.is_touching() || anchors.is_free())
}

/// Finds the levels: from bodies with anchors of their own, from external bodies, and from bodies whose bonds are
/// not known yet. Returns those of the bodies that are held by touch and have known bonds, in order, for which anything
/// has changed: their bonds, their level, or that of a neighbor.
fn find_levels(world: &mut World) -> Vec<BodyId> {
    let (mut frontier, mut on_ground, mut touching) = (Vec::new(), Vec::new(), Vec::new());
    let mut before = Vec::new();
    type Node<'a> = (Entity, &'a Anchors, &'a mut BodyBonds);
    for (entity, anchors, bonds) in world.query_mut::<Node>() {
        let body = BodyId(entity);
        before.push((body, bonds.level.take()));
        if is_ground(anchors) || !bonds.is_known {
            bonds.level = Some(0);
            frontier.push(body);
            continue;
        }
        touching.push(body);
        let is_external = |bond: &BodyBond| bond.with.external().is_some();
        if bonds.list().iter().any(is_external) {
            bonds.level = Some(1);
            on_ground.push(body);
        }
    }
    let mut level = 0;
    let mut neighbors = Vec::new();
    while !(frontier.is_empty() && on_ground.is_empty()) {
        level += 1;
        let mut next = std::mem::take(&mut on_ground);
        for body in frontier {
            if let Ok(bonds) = world.get::<&BodyBonds>(body.0) {
                neighbors.extend(bonds.list().iter().filter_map(|bond| bond.with.breakable()));
            }
            next.extend(
                neighbors
                    .drain(..)
                    .filter(|neighbor| reach(world, *neighbor, level)),
            );
        }
        frontier = next;
    }
    note_changed_levels(world, &before);
    touching.retain(|body| is_to_be_updated(world, *body));
    sort_by_place(world, &mut touching);
    touching
}

/// Notes the bodies whose levels are not those before, and their neighbors.
fn note_changed_levels(world: &World, before: &[(BodyId, Option<u32>)]) {
    let mut changed = Vec::new();
    for (body, level) in before {
        let Ok(bonds) = world.get::<&BodyBonds>(body.0) else {
            continue;
        };
        if bonds.level != *level {
            changed.push(*body);
            changed.extend(bonds.list().iter().filter_map(|bond| bond.with.breakable()));
        }
    }
    for body in changed {
        if let Ok(mut bonds) = world.get::<&mut BodyBonds>(body.0) {
            bonds.is_updated = false;
        }
    }
}

/// Whether something has changed for a body, or a neighbor is gone.
fn is_to_be_updated(world: &World, body: BodyId) -> bool {
    let bonds = world.get::<&BodyBonds>(body.0);
    let is_gone = |bond: &BodyBond| !can_be_bonded(world, bond.with);
    bonds.is_ok_and(|bonds| !bonds.is_updated || bonds.list().iter().any(is_gone))
}

/// Gives a body its level, unless it has one. Returns whether it had none.
fn reach(world: &World, body: BodyId, level: u32) -> bool {
    let Ok(mut bonds) = world.get::<&mut BodyBonds>(body.0) else {
        return false;
    };
    let is_new = bonds.level.is_none();
    if is_new {
        bonds.level = Some(level);
    }
    is_new
}

/// Takes all bodies as held before: what a save does not have was there when they were added first.
pub(crate) fn note_held_before(world: &World) {
    for bonds in world.query::<&mut BodyBonds>().iter() {
        bonds.was_held = true;
    }
}

/// Updates where bodies are held, from the loads with which they have been weighed.
pub(crate) fn update_supported(simulation: &Simulation, bodies: impl Iterator<Item = BodyId>) {
    let (world, up) = (&simulation.world, simulation.up());
    for body in bodies {
        update_supports(world, body, up);
        let bonds = world.get::<&BodyBonds>(body.0);
        let places = bonds.map(|bonds| places(world, &bonds));
        if let (Ok([held_at, supported_at]), Ok(mut bonds)) =
            (places, world.get::<&mut BodyBonds>(body.0))
        {
            bonds.set_held(held_at, supported_at);
        }
    }
}

/// Updates where a body is held.
fn update_hold(world: &World, body: BodyId, up: DVec3) -> HoldChange {
    update_supports(world, body, up);
    let places = world
        .get::<&BodyBonds>(body.0)
        .map(|bonds| places(world, &bonds));
    let (Ok([held_at, supported_at]), Ok(entity)) = (places, world.entity(body.0)) else {
        return HoldChange::None;
    };
    let has_strength = |breakable: &Breakable| breakable.asset.material.has_strength();
    let breakable = entity.get::<&Breakable>();
    let has_strength = breakable.is_some_and(|breakable| has_strength(&breakable));
    let Some(mut bonds) = entity.get::<&mut BodyBonds>() else {
        return HoldChange::None;
    };
    bonds.is_updated = true;
    bonds.is_weighed = false;
    let was_known = bonds.has_supports();
    let is_changed = bonds.set_held(held_at, supported_at);
    if bonds.level.is_none() {
        // A break under way leaves pieces that are looked at.
        let falls = !entity.has::<PendingBreak>() && !bonds.falls;
        bonds.falls |= falls;
        let was_held = was_known || bonds.was_held || entity.has::<AnchoredRemainder>();
        return match (falls, was_held) {
            (false, _) => HoldChange::None,
            (true, true) => HoldChange::Lost,
            (true, false) => HoldChange::NeverHeld,
        };
    }
    // Whether an intact body carries its weight at the start is looked at where the host asks.
    if is_changed && has_strength && (was_known || !entity.has::<Intact>()) {
        if bonds.is_lifted(up) {
            HoldChange::Supports
        } else {
            HoldChange::Lifts
        }
    } else {
        HoldChange::None
    }
}

/// The bonds of a body with what is held.
pub(crate) fn bonds(world: &World, body: BodyId) -> Vec<HoldingBond> {
    let Ok(own) = world.get::<&BodyBonds>(body.0) else {
        return Vec::new();
    };
    let bonds = own.list().iter().filter_map(|bond| {
        level_of(world, bond.with)?;
        Some(HoldingBond {
            with: bond.with,
            area: bond.face.area as f32,
            center: bond.face.center.as_vec3(),
            supports: bond.supports,
            is_loose: bond.is_loose,
            utilisation: bond.load.utilisation as f32,
        })
    });
    bonds.collect()
}

/// Forgets the bonds of a body with what is gone, and notes which of the others hold it: those that lift it, and where that
/// is not known, those with what is nearer to the ground.
fn update_supports(world: &World, body: BodyId, up: DVec3) {
    let Ok(bonds) = world.get::<&BodyBonds>(body.0) else {
        return;
    };
    let own = bonds.level;
    let least = LIFTING_SHARE * bonds.borne();
    let lifts = |bond: &BodyBond| {
        let is_held = own.is_some() && level_of(world, bond.with).is_some();
        is_held && bond.load.force.dot(up) > least
    };
    let is_lower = |bond: &BodyBond| {
        let level = level_of(world, bond.with);
        level.zip(own).is_some_and(|(level, own)| level < own)
    };
    let is_lifted = bonds.list().iter().any(lifts);
    let supports = |bond: &BodyBond| {
        if is_lifted && bond.is_weighed {
            lifts(bond)
        } else {
            is_lower(bond)
        }
    };
    let list = bonds.list().iter();
    let list = list.filter(|bond| can_be_bonded(world, bond.with));
    let kept: Vec<(BodyRef, bool)> = list.map(|bond| (bond.with, supports(bond))).collect();
    drop(bonds);
    if let Ok(mut bonds) = world.get::<&mut BodyBonds>(body.0) {
        bonds.keep(&kept);
    }
}

/// Where a body is held by anything, and by what holds it up.
fn places(world: &World, bonds: &BodyBonds) -> [Vec<Anchor>; 2] {
    let (mut held_at, mut supported_at) = (Vec::new(), Vec::new());
    for bond in bonds.by_place() {
        if level_of(world, bond.with).is_some() {
            held_at.extend_from_slice(&bond.places);
        }
        if bond.supports {
            supported_at.extend_from_slice(&bond.places);
        }
    }
    [held_at, supported_at]
}

fn level_of(world: &World, body: BodyRef) -> Option<u32> {
    match body {
        BodyRef::External(_) => Some(0),
        BodyRef::Breakable(body) => world.get::<&BodyBonds>(body.0).ok()?.level,
    }
}
