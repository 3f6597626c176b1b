//! Finds what holds each body, and the bodies that nothing holds.

use glam::DVec3;
use hecs::{Entity, Query, Satisfies, ViewBorrow, World};

use super::body_bonds::{BodyBond, BodyBonds, HoldingBond, Neighbor};
use super::neighbors::Neighbors;
use super::place_order::sort_by_place;
use crate::debris::BodyRef;
use crate::event::Event;
use crate::pieces::components::{AnchoredRemainder, Breakable, Intact, PendingBreak};
use crate::pieces::Anchors;
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Finds the level of each body, and where it is held, if something has changed. Bodies that nothing holds are queued to
/// fall, those whose supports have changed to be solved.
pub(crate) fn update_holds(simulation: &mut Simulation) {
    let frame = simulation.statistics.frame;
    let structure = &mut simulation.structure;
    if !(structure.is_used && structure.take_changed(frame)) {
        return;
    }
    simulation.structure.had_ground |= has_ground(simulation);
    if !simulation.structure.had_ground {
        tell_no_ground(simulation);
        return;
    }
    let up = simulation.up();
    let changed = find_levels(&mut simulation.world);
    simulation.structure.set_levels_found(changed.len(), frame);
    let others = simulation.world.view::<Held>();
    let neighbors = Neighbors::of(&simulation.world, &changed);
    let mut view = simulation.world.view::<&mut BodyBonds>();
    for (body, neighbors) in changed.iter().copied().zip(neighbors.by_body()) {
        let Some((bonds, held)) = view.get_mut(body.0).zip(others.get(body.0)) else {
            continue;
        };
        match update_hold(bonds, held, neighbors, up) {
            // Once it is known what the others bear.
            HoldChange::Lifts if simulation.structure.can_give_way => bonds.is_to_be_solved = true,
            HoldChange::None => {}
            HoldChange::Supports | HoldChange::Lifts => simulation.jobs.to_solve.push(body),
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
    let mut view = world.view::<&mut BodyBonds>();
    let mut level = 0;
    let mut neighbors = Vec::new();
    while !(frontier.is_empty() && on_ground.is_empty()) {
        level += 1;
        let mut next = std::mem::take(&mut on_ground);
        for body in frontier {
            if let Some(bonds) = view.get_mut(body.0) {
                neighbors.extend(bonds.neighbors());
            }
            let reached = |neighbor: &BodyId| reach(&mut view, *neighbor, level);
            next.extend(neighbors.drain(..).filter(reached));
        }
        frontier = next;
    }
    note_changed_levels(&mut view, &before);
    drop(view);
    let view = world.view::<&BodyBonds>();
    touching.retain(|body| is_to_be_updated(&view, *body));
    sort_by_place(world, &mut touching);
    touching
}

/// Notes the bodies whose levels are not those before, and their neighbors.
fn note_changed_levels(view: &mut ViewBorrow<&mut BodyBonds>, before: &[(BodyId, Option<u32>)]) {
    let mut changed = Vec::new();
    for (body, level) in before {
        let bonds = view.get_mut(body.0);
        if let Some(bonds) = bonds.filter(|bonds| bonds.level != *level) {
            changed.push(*body);
            changed.extend(bonds.neighbors());
        }
    }
    for body in changed {
        if let Some(bonds) = view.get_mut(body.0) {
            bonds.is_updated = false;
        }
    }
}

/// Whether something has changed for a body, or a neighbor is gone.
fn is_to_be_updated(view: &ViewBorrow<&BodyBonds>, body: BodyId) -> bool {
    let is_gone = |neighbor: BodyId| !view.contains(neighbor.0);
    let bonds = view.get(body.0);
    bonds.is_some_and(|bonds| !bonds.is_updated || bonds.neighbors().any(is_gone))
}

/// Gives a body its level, unless it has one. Returns whether it had none.
fn reach(view: &mut ViewBorrow<&mut BodyBonds>, body: BodyId, level: u32) -> bool {
    let bonds = view.get_mut(body.0);
    let new = bonds.filter(|bonds| bonds.level.is_none());
    new.map(|bonds| bonds.level = Some(level)).is_some()
}

/// Takes all bodies as held before: what a save does not have was there when they were added first.
pub(crate) fn note_held_before(world: &World) {
    for bonds in world.query::<&mut BodyBonds>().iter() {
        bonds.was_held = true;
    }
}

/// Updates where bodies are held, from the loads with which they have been weighed.
pub(crate) fn update_supported(simulation: &Simulation, bodies: &[BodyId]) {
    let up = simulation.up();
    let neighbors = Neighbors::of(&simulation.world, bodies);
    let mut view = simulation.world.view::<&mut BodyBonds>();
    for (body, neighbors) in bodies.iter().zip(neighbors.by_body()) {
        if let Some(bonds) = view.get_mut(body.0) {
            bonds.update_supports(neighbors, up);
        }
    }
}

/// All else that is looked at of a held body.
type Held<'a> = (
    &'a Breakable,
    Satisfies<&'a Intact>,
    Satisfies<&'a PendingBreak>,
    Satisfies<&'a AnchoredRemainder>,
);

/// Updates what holds a body.
fn update_hold(
    bonds: &mut BodyBonds,
    (breakable, is_intact, is_breaking, is_remainder): <Held as Query>::Item<'_>,
    neighbors: &[Neighbor],
    up: DVec3,
) -> HoldChange {
    bonds.is_updated = true;
    bonds.is_weighed = false;
    let was_known = bonds.has_supports();
    let is_changed = bonds.update_supports(neighbors, up);
    if bonds.level.is_none() {
        // A break under way leaves pieces that are looked at.
        let falls = !is_breaking && !bonds.falls;
        bonds.falls |= falls;
        let was_held = was_known || bonds.was_held || is_remainder;
        return match (falls, was_held) {
            (false, _) => HoldChange::None,
            (true, true) => HoldChange::Lost,
            (true, false) => HoldChange::NeverHeld,
        };
    }
    // Whether an intact body carries its weight at the start is looked at where the host asks.
    let has_strength = breakable.asset.material.has_strength();
    if is_changed && has_strength && (was_known || !is_intact) {
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

fn level_of(world: &World, body: BodyRef) -> Option<u32> {
    match body {
        BodyRef::External(_) => Some(0),
        BodyRef::Breakable(body) => world.get::<&BodyBonds>(body.0).ok()?.level,
    }
}
