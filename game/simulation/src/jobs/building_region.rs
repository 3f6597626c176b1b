//! The part of a building that is weighed: what has changed, and what is around it.

use std::ops::Range;

use fracture_geometry::Solid;
use hecs::{Entity, ViewBorrow};

use super::bond_surface::BondSurface;
use super::building_job::BuildingJob;
use crate::debris::BodyRef;
use crate::loads::update::load_on;
use crate::pieces::components::Breakable;
use crate::pieces::Anchors;
use crate::simulation::Simulation;
use crate::stress::building::{BuildingBond, BuildingNode};
use crate::structure::{BodyBond, BodyBonds};
use crate::types::{BodyId, Motion};

/// Bonds from what has changed up to which a building is weighed at first; then twice as many, until what is beyond
/// bears what it did.
const FIRST_DEPTH: u32 = 4;

/// Most doublings: then it is all of any building.
const MOST_DOUBLINGS: u32 = 16;

/// All of a body that is weighed.
type WeighedBody<'a> = (&'a Breakable, &'a Motion, &'a Anchors, &'a mut BodyBonds);

/// A part of a building that is weighed. Its bodies are marked as nodes of it, and as weighed.
pub(super) struct Region<'a> {
    simulation: &'a Simulation,
    /// Number of the bodies that have changed; they come first.
    changed: usize,
    /// Number of those and of what is around them; the rest is beside these, and stays as it was.
    inside: usize,
    nodes: Vec<(BodyId, BuildingNode)>,
    /// By node.
    surfaces: Vec<BondSurface>,
}

impl<'a> Region<'a> {
    /// The part of a building that is around what has changed, doubled so many times.
    pub fn new(simulation: &'a Simulation, doublings: u32) -> Self {
        let mut changed = Vec::new();
        let mut all = simulation.world.query::<(Entity, &mut BodyBonds)>();
        for (entity, bonds) in all.iter() {
            bonds.node = None;
            let is_changed = bonds.is_carried() && !bonds.is_weighed;
            changed.extend(is_changed.then_some(BodyId(entity)));
        }
        drop(all);
        let mut view = simulation.world.view::<WeighedBody>();
        let mut region = Self {
            simulation,
            changed: 0,
            inside: 0,
            nodes: Vec::with_capacity(changed.len()),
            surfaces: Vec::with_capacity(changed.len()),
        };
        for body in changed {
            region.add(&mut view, body, false);
        }
        region.changed = region.nodes.len();
        let mut last = 0..region.changed;
        for _ in 0..FIRST_DEPTH << doublings.min(MOST_DOUBLINGS) {
            if last.is_empty() {
                break;
            }
            last = region.add_beside(&mut view, last, false);
        }
        region.inside = region.nodes.len();
        region.add_beside(&mut view, last, true);
        region
    }

    /// Adds the carried bodies that are bonded to some, and gives their range.
    fn add_beside(
        &mut self,
        view: &mut ViewBorrow<WeighedBody>,
        of: Range<usize>,
        stays: bool,
    ) -> Range<usize> {
        let mut found: Vec<BodyId> = Vec::new();
        for (body, _) in self.nodes.get(of).into_iter().flatten() {
            let own = view.get_mut(body.0);
            found.extend(own.iter().flat_map(|(.., bonds)| bonds.neighbors()));
        }
        let begin = self.nodes.len();
        for body in found {
            self.add(view, body, stays);
        }
        begin..self.nodes.len()
    }

    /// Adds a body if it is carried and not there yet.
    fn add(&mut self, view: &mut ViewBorrow<WeighedBody>, body: BodyId, stays: bool) {
        let Some((breakable, motion, anchors, bonds)) = view.get_mut(body.0) else {
            return;
        };
        if bonds.node.is_some() || !bonds.is_carried() {
            return;
        }
        let Some(node) = node(self.simulation, body, (breakable, motion, bonds), stays) else {
            return;
        };
        bonds.node = Some(self.nodes.len() as u32);
        bonds.is_weighed |= !stays;
        self.nodes.push((body, node));
        self.surfaces.push(BondSurface::of(breakable, anchors));
    }

    /// The job that weighs it; `None` where there is nothing to be weighed.
    pub fn into_job(self) -> Option<BuildingJob> {
        let bodies = self.nodes.iter().map(|(body, _)| *body);
        let view = self.simulation.world.view::<&BodyBonds>();
        let mut bonds = Vec::with_capacity(4 * self.inside);
        for (body, own) in bodies.clone().take(self.inside).zip(0..) {
            let list = view.get(body.0).into_iter();
            bonds.extend(list.flat_map(BodyBonds::list).filter_map(|bond| {
                let found = self.building_bond(&view, own, bond)?;
                Some(([BodyRef::Breakable(body), bond.with], found))
            }));
        }
        drop(view);
        let changed = bodies.take(self.changed).collect();
        (!self.nodes.is_empty()).then_some(BuildingJob {
            changed,
            nodes: self.nodes,
            bonds,
        })
    }

    /// The bond of a node that is weighed, if the node is carried by it or comes first of the two.
    fn building_bond(
        &self,
        view: &ViewBorrow<&BodyBonds>,
        own: u32,
        bond: &BodyBond,
    ) -> Option<BuildingBond> {
        let surface_of = |node: u32| self.surfaces.get(node as usize).copied();
        let own_surface = surface_of(own)?;
        let other = bond.with.breakable();
        let found = other.and_then(|other| {
            let node = view.get(other.0)?.node?;
            Some((node, surface_of(node)?))
        });
        if found.is_some_and(|(other, _)| other < own) {
            return None; // counted from the other side; what stays comes after all others
        }
        let surface = match (found, other) {
            (Some((_, surface)), _) => Some(surface),
            // `None` of one that is gone.
            (None, Some(ground)) => Some(BondSurface::of_body(&self.simulation.world, ground)?),
            (None, None) => None,
        };
        let strength = own_surface.strength(surface);
        Some(BuildingBond {
            nodes: [own, found.map_or(own, |(other, _)| other)],
            is_grounded: found.is_none(),
            face: bond.face,
            strength: if bond.is_loose { 0.0 } else { strength },
            friction: own_surface.friction(surface, self.simulation.settings.friction),
        })
    }
}

/// A body as a node; `None` of one that is not prepared or cannot be.
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
