//! Figures that are taken of a structure while it comes to rest.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use super::figures::{FloatingGap, Hold, StructureMember, WeakPlace};
use super::gap;
use super::pieces::{collapses, Pieces};
use super::source::Source;
use crate::event::{Event, StrainedBond};
use crate::pieces::components::StressState;
use crate::simulation::Simulation;
use crate::structure::{hold, BodyBonds, HoldingBond};
use crate::types::BodyId;

/// All that was seen of a structure.
pub(super) struct Observed {
    pub sources: BTreeMap<BodyId, Source>,
    pub pieces: Pieces,
    /// The first bonds that were known of a member.
    bonds: BTreeMap<BodyId, Vec<HoldingBond>>,
    /// Bodies that nothing has held from the start.
    unsupported: BTreeSet<BodyId>,
    /// By member: the greatest strain that was told of it.
    strained: BTreeMap<BodyId, StrainedBond>,
}

impl Observed {
    pub fn new(simulation: &Simulation, bodies: &[BodyId]) -> Self {
        let source = |body: &BodyId| Some((*body, Source::new(simulation, *body)?));
        Self {
            sources: bodies.iter().filter_map(source).collect(),
            pieces: Pieces::of(bodies.iter().map(|body| (*body, *body)).collect()),
            bonds: BTreeMap::new(),
            unsupported: BTreeSet::new(),
            strained: BTreeMap::new(),
        }
    }

    /// Takes a step, with its events.
    pub fn note(&mut self, simulation: &Simulation, events: &[Event]) {
        for event in events {
            match event {
                Event::Unsupported { body } => {
                    self.unsupported.insert(*body);
                }
                Event::Strained(strained) => self.note_strain(*strained),
                _ => {}
            }
        }
        collapses(events).for_each(|broken| self.pieces.note(broken));
        for body in self.sources.keys() {
            let bonds = simulation.world.get::<&BodyBonds>(body.0);
            let is_held = |bonds: &BodyBonds| bonds.is_known && bonds.level.is_some();
            if !self.bonds.contains_key(body) && bonds.is_ok_and(|bonds| is_held(&bonds)) {
                let bonds = hold::bonds(&simulation.world, *body);
                self.bonds.insert(*body, bonds);
            }
        }
    }

    /// The gap to the nearest member that was held at the start, or external body, of one that floats.
    fn nearest(
        &self,
        simulation: &Simulation,
        body: BodyId,
        source: &Source,
    ) -> Option<FloatingGap> {
        let was_held = |own: &BodyId, source: &Source| {
            let bonds = self.bonds.get(own);
            !source.anchors.is_touching() || bonds.is_some_and(|bonds| !bonds.is_empty())
        };
        let others = self.sources.iter();
        let held = others.filter(|(other, source)| **other != body && was_held(other, source));
        gap::nearest_held(simulation, held, source.placed(body), source.bounds()?)
    }

    fn note_strain(&mut self, strained: StrainedBond) {
        let Some(member) = self.pieces.owners.get(&strained.body) else {
            return;
        };
        let known = self.strained.entry(*member).or_insert(strained);
        if strained.utilisation > known.utilisation {
            *known = strained;
        }
    }

    /// The figures of a member at the end.
    pub fn member(&self, simulation: &Simulation, body: BodyId) -> Option<StructureMember> {
        let source = self.sources.get(&body)?;
        let solid = source.shape.prepared();
        let (volume, fault) = match solid {
            Some(Ok(solid)) => (solid.mass().volume, None),
            Some(Err(fault)) => (0.0, Some(fault)),
            None => (0.0, None),
        };
        let mass = volume * source.density;
        Some(StructureMember {
            body,
            mass,
            volume,
            hold: self.hold(simulation, body, source),
            weakest: self.weakest(simulation, body, mass),
            falls: self.pieces.fallen_share(body, volume),
            fault,
        })
    }

    fn hold(&self, simulation: &Simulation, body: BodyId, source: &Source) -> Hold {
        if !source.anchors.is_touching() {
            return Hold::Anchors;
        }
        let standing = hold::bonds(&simulation.world, body);
        if !standing.is_empty() {
            return Hold::Bonds(standing);
        }
        match self.bonds.get(&body).filter(|bonds| !bonds.is_empty()) {
            Some(bonds) if !self.unsupported.contains(&body) => Hold::Bonds(bonds.clone()),
            _ => Hold::Nothing {
                nearest: self.nearest(simulation, body, source),
            },
        }
    }

    /// The place that is nearest to failing, of a member and of what stays of it.
    fn weakest(&self, simulation: &Simulation, member: BodyId, mass: f64) -> Option<WeakPlace> {
        let weight = mass * f64::from(simulation.settings.gravity.length());
        let told = self
            .strained
            .get(&member)
            .map(|strained| (strained.point, strained.utilisation));
        let of_member = self
            .pieces
            .owners
            .iter()
            .filter(|(_, owner)| **owner == member);
        let seen = of_member.flat_map(|(body, _)| places(simulation, *body));
        let (point, utilisation) = seen.chain(told).max_by(|a, b| a.1.total_cmp(&b.1))?;
        let bonds = simulation.world.get::<&BodyBonds>(member.0);
        let load = bonds.map_or(0.0, |bonds| bonds.load());
        Some(WeakPlace {
            point,
            utilisation,
            load: weight + load,
        })
    }
}

/// The most used place in a body, and of each of its bonds: world space, with the utilisation.
fn places(simulation: &Simulation, body: BodyId) -> Vec<(Vec3, f32)> {
    let bonds = hold::bonds(&simulation.world, body).into_iter();
    let bonds = bonds.filter(|bond| !bond.is_loose);
    let mut places: Vec<_> = bonds.map(|bond| (bond.center, bond.utilisation)).collect();
    let inside = || {
        let state = simulation.world.get::<&StressState>(body.0).ok()?;
        let weakest = *state.graph.weakest()?;
        let pose = simulation.motion(body)?.pose;
        Some((pose.transform_point(weakest.center), weakest.utilisation))
    };
    places.extend(inside());
    places
}
