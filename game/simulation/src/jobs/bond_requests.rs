//! Searches for bonds between bodies: who is looked at, and the results.

use std::collections::{BTreeMap, BTreeSet};

use fracture_geometry::support::AreaProperties;
use glam::Vec3;
use hecs::ViewBorrow;
use rapier3d::math::Pose;
use rapier3d::prelude::BoundingVolume;

use super::bond_job::{BondJob, CandidatePair, FoundBonds, PlacedBody};
use super::bond_surface::{strength_between, BondSurface};
use super::job::Task;
use super::queue::JobKind;
use super::touching_bodies::{TouchingBodies, TouchingBody};
use crate::debris::{BodyRef, ExternalBody};
use crate::pieces::components::Breakable;
use crate::pieces::Anchors;
use crate::simulation::Simulation;
use crate::stress::building::BondLoad;
use crate::structure::{BodyBond, BodyBonds};
use crate::types::{BodyId, Motion};

/// Bodies that one job searches the bonds of at most...
const BODIES_PER_JOB: usize = 64;
/// ... and pairs of bodies from which on it is full: a break may have to wait for it.
const PAIRS_PER_JOB: usize = 256;

/// Submits searches for the bodies that wait for one. Colliders that are being built are waited for.
pub(crate) fn submit_bond_searches(simulation: &mut Simulation) {
    let frame = simulation.statistics.frame;
    let structure = &mut simulation.structure;
    if !structure.is_used {
        structure.to_search.clear();
        return;
    }
    structure.queue_moved(frame);
    let has_work = !(structure.to_search.is_empty() && structure.changed_places.is_empty());
    let has_room = simulation
        .jobs
        .has_room(&simulation.settings, JobKind::Structure);
    if !has_work || !has_room || simulation.environment.collider_builds.is_building() {
        return;
    }
    let Some(bodies) = TouchingBodies::of(simulation) else {
        return;
    };
    queue_near_changes(simulation, &bodies);
    let mut waiting = std::mem::take(&mut simulation.structure.to_search);
    let mut postponed = Vec::new();
    while simulation
        .jobs
        .has_room(&simulation.settings, JobKind::Structure)
    {
        let job = Search::new(simulation, &bodies).run(&mut waiting, &mut postponed);
        if job.searched.is_empty() {
            break;
        }
        let task = Task::FindBonds(job);
        let submitted = simulation.jobs.worker.submit(None, frame, task);
        simulation.structure.searches.extend(submitted);
    }
    waiting.extend(postponed);
    simulation.structure.to_search = waiting;
}

/// Queues the bodies near places where external bodies have changed.
fn queue_near_changes(simulation: &mut Simulation, bodies: &TouchingBodies) {
    let structure = &mut simulation.structure;
    let changed = std::mem::take(&mut structure.changed_places);
    let is_near = |body: &&TouchingBody| changed.iter().any(|place| place.intersects(&body.bounds));
    let touching = bodies.list().iter().filter(|body| body.gap.is_some());
    structure
        .to_search
        .extend(touching.filter(is_near).map(|body| body.id));
}

/// A search that is being put together.
struct Search<'a> {
    simulation: &'a Simulation,
    held: &'a TouchingBodies,
    bodies: Bodies,
    pairs: Vec<CandidatePair>,
    searched: BTreeSet<BodyId>,
}

impl<'a> Search<'a> {
    fn new(simulation: &'a Simulation, held: &'a TouchingBodies) -> Self {
        Self {
            simulation,
            held,
            bodies: Bodies::default(),
            pairs: Vec::new(),
            searched: BTreeSet::new(),
        }
    }

    /// Makes a job for the first of the waiting bodies. Those near a body that is not prepared are postponed.
    fn run(mut self, waiting: &mut BTreeSet<BodyId>, postponed: &mut Vec<BodyId>) -> BondJob {
        while self.searched.len() < BODIES_PER_JOB && self.pairs.len() < PAIRS_PER_JOB {
            let Some(body) = waiting.pop_first() else {
                break;
            };
            // One that has been removed meanwhile is forgotten.
            let Some(own) = self.held.get(body) else {
                continue;
            };
            let near = self.held.intersecting(&own.bounds);
            if near.iter().all(|other| other.is_prepared) {
                self.searched.insert(body);
                self.add_pairs(own, &near);
            } else {
                postponed.push(body);
            }
        }
        BondJob {
            searched: self.searched.into_iter().collect(),
            bodies: self.bodies.list,
            pairs: self.pairs,
            up: -self.simulation.settings.gravity.normalize_or(Vec3::NEG_Y),
        }
    }

    /// Adds the pairs of a body with those near it that have not been searched themselves.
    fn add_pairs(&mut self, own: &TouchingBody, near: &[&TouchingBody]) {
        let index = self.bodies.solid(own);
        for other in near
            .iter()
            .filter(|other| !self.searched.contains(&other.id))
        {
            // Two bodies with anchors of their own need none from each other.
            if let Some(gap) = larger(own.gap, other.gap) {
                self.pairs.push(CandidatePair {
                    bodies: [index, self.bodies.solid(other)],
                    gap,
                });
            }
        }
        let Some(gap) = own.gap else {
            return;
        };
        let streaming = &self.simulation.environment.streaming;
        for (key, external) in streaming.fixed_in(&own.bounds) {
            let ground = self.bodies.external(key, external);
            self.pairs.push(CandidatePair {
                bodies: [index, ground],
                gap,
            });
        }
    }
}

fn larger(one: Option<f32>, other: Option<f32>) -> Option<f32> {
    one.into_iter().chain(other).reduce(f32::max)
}

/// The bodies of a job, each once.
#[derive(Default)]
struct Bodies {
    list: Vec<PlacedBody>,
    indices: BTreeMap<BodyRef, usize>,
}

impl Bodies {
    /// The index of a breakable body.
    fn solid(&mut self, body: &TouchingBody) -> usize {
        self.index(BodyRef::Breakable(body.id), || {
            PlacedBody::solid(body.id, body.shape.clone(), body.pose)
        })
    }

    fn external(&mut self, key: u64, body: &ExternalBody) -> usize {
        self.index(BodyRef::External(key), || PlacedBody::external(key, body))
    }

    fn index(&mut self, owner: BodyRef, make: impl FnOnce() -> PlacedBody) -> usize {
        let list = &mut self.list;
        *self.indices.entry(owner).or_insert_with(|| {
            list.push(make());
            list.len() - 1
        })
    }
}

/// All else that is looked at of a body with bonds.
type Bonded<'a> = (&'a Breakable, &'a Anchors, &'a Motion);

/// Takes the bonds that a job has found. One that was there before, or in a save, stays broken if it has, and is not told
/// again if it is strained.
pub(crate) fn apply_bonds(simulation: &mut Simulation, found: &FoundBonds) {
    let frame = simulation.statistics.frame;
    simulation
        .structure
        .set_bonds_taken(found.bonds.len(), frame);
    let others = simulation.world.view::<Bonded>();
    let mut view = simulation.world.view::<&mut BodyBonds>();
    let old = take_old(&mut view, &found.searched);
    for bond in &found.bonds {
        let bodies = bond.bodies.map(BodyRef::breakable);
        let is_gone = |body: &BodyId| !view.contains(body.0);
        if bodies.iter().flatten().any(is_gone) {
            continue;
        }
        let [one, other] = bond.bodies;
        let own = bodies.map(|body| others.get(body?.0));
        let surfaces =
            own.map(|own| own.map(|(breakable, anchors, _)| BondSurface::of(breakable, anchors)));
        let is_loose = strength_between(surfaces).is_some_and(|strength| strength <= 0.0);
        let center = bond.face.center.as_vec3();
        let states = bodies.iter().zip(own);
        let states =
            states.filter_map(|(body, own)| saved_state(&mut view, (*body)?, own?.2.pose, center));
        let [had_broken, was_told] =
            states.fold([false; 2], |all, own| [all[0] || own[0], all[1] || own[1]]);
        let was_broken = had_broken || old.broken.contains(&[one, other]);
        let [places, other_places] = bond.places.clone();
        let new = |with, places, face| BodyBond {
            with,
            places,
            face,
            is_loose: is_loose || was_broken,
            is_strained: old.strained.contains(&[one, other]),
            was_told,
            supports: false,
            holds: false,
            load: BondLoad::default(),
            is_weighed: false,
        };
        let other_face = AreaProperties {
            normal: -bond.face.normal,
            ..bond.face
        };
        insert(&mut view, bodies[0], new(other, places, bond.face));
        insert(&mut view, bodies[1], new(one, other_places, other_face));
    }
}

/// Whether a bond with a centre in world space had broken in a save that a body was restored from, and whether the host had
/// been warned of it.
fn saved_state(
    view: &mut ViewBorrow<&mut BodyBonds>,
    body: BodyId,
    pose: Pose,
    center: Vec3,
) -> Option<[bool; 2]> {
    let saved = &view.get_mut(body.0)?.saved;
    Some(saved.state(pose.inverse_transform_point(center)))
}

/// Ends of the bonds that were there before, either way round.
#[derive(Default)]
struct OldBonds {
    /// Those that have broken.
    broken: BTreeSet<[BodyRef; 2]>,
    /// Those that are near their strength.
    strained: BTreeSet<[BodyRef; 2]>,
}

/// Takes the bonds of bodies away, to be replaced by those that were found.
fn take_old(view: &mut ViewBorrow<&mut BodyBonds>, searched: &[BodyId]) -> OldBonds {
    let mut found = OldBonds::default();
    for body in searched {
        let old = view.get_mut(body.0).map(|bonds| {
            bonds.is_known = true;
            bonds.take()
        });
        let own = BodyRef::Breakable(*body);
        for bond in old.iter().flatten() {
            let ends = [[own, bond.with], [bond.with, own]];
            if bond.is_loose {
                found.broken.extend(ends);
            }
            if bond.is_strained {
                found.strained.extend(ends);
            }
            let other = bond.with.breakable();
            if let Some(bonds) = other.and_then(|other| view.get_mut(other.0)) {
                bonds.remove(own);
            }
        }
    }
    found
}

fn insert(view: &mut ViewBorrow<&mut BodyBonds>, body: Option<BodyId>, bond: BodyBond) {
    if let Some(bonds) = body.and_then(|body| view.get_mut(body.0)) {
        bonds.insert(bond);
    }
}
