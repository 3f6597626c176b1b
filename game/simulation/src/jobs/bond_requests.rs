//! Searches for bonds between bodies: who is looked at, and the results.

use std::collections::{BTreeMap, BTreeSet};

use fracture_geometry::support::AreaProperties;
use glam::Vec3;
use hecs::World;
use rapier3d::geometry::Aabb;
use rapier3d::prelude::BoundingVolume;

use super::bond_job::{BondJob, CandidatePair, FoundBonds, PlacedBody};
use super::bond_surface;
use super::job::Task;
use super::queue::JobKind;
use crate::debris::{BodyRef, ExternalBody};
use crate::environment::CellOccupancy;
use crate::pieces::components::{Breakable, Intact};
use crate::pieces::Anchors;
use crate::simulation::Simulation;
use crate::stress::building::BondLoad;
use crate::structure::{can_be_bonded, BodyBond, BodyBonds};
use crate::types::{BodyId, Motion};

/// Bodies that one job searches the bonds of at most...
const BODIES_PER_JOB: usize = 64;
/// ... and pairs of bodies from which on it is full: a break may have to wait for it.
const PAIRS_PER_JOB: usize = 256;

/// A body that may touch others.
struct TouchingBody {
    id: BodyId,
    /// World space.
    bounds: Aabb,
    /// Metres; `None` of a body with anchors of its own.
    gap: Option<f32>,
    is_prepared: bool,
}

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
    let Some(bodies) = held_bodies(simulation) else {
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

/// All bodies that may touch others, by id. `None` while an intact one is not prepared.
fn held_bodies(simulation: &Simulation) -> Option<Vec<TouchingBody>> {
    type Held<'a> = (
        hecs::Entity,
        &'a Breakable,
        &'a Anchors,
        &'a Motion,
        &'a BodyBonds,
        Option<&'a CellOccupancy>,
        Option<&'a Intact>,
    );
    let mut query = simulation.world.query::<Held>();
    let mut found = Vec::new();
    for (entity, breakable, anchors, motion, _, occupancy, intact) in query.iter() {
        let id = BodyId(entity);
        let prepared = breakable.shape.reported();
        let local_bounds = match &prepared {
            Some(Ok(solid)) => {
                let [low, high] = solid.bounds().as_vec3();
                Aabb::new(low, high)
            }
            // What cannot be prepared cannot break, and touches nothing.
            Some(Err(_)) => continue,
            None if intact.is_some() => return None,
            None => occupancy?.local_bounds(),
        };
        let gap = match anchors {
            Anchors::Touching { gap, .. } => Some(*gap),
            Anchors::Boxes(_) | Anchors::FromBounds(_) => None,
        };
        let bounds = local_bounds.transform_by(&motion.pose);
        found.push(TouchingBody {
            id,
            bounds: bounds.loosened(gap.unwrap_or(0.0)),
            gap,
            is_prepared: prepared.is_some(),
        });
    }
    found.sort_unstable_by_key(|body| body.id);
    Some(found)
}

/// Queues the bodies near places where external bodies have changed.
fn queue_near_changes(simulation: &mut Simulation, bodies: &[TouchingBody]) {
    let structure = &mut simulation.structure;
    let changed = std::mem::take(&mut structure.changed_places);
    for body in bodies.iter().filter(|body| body.gap.is_some()) {
        let is_near = |place: &Aabb| place.intersects(&body.bounds);
        if !structure.to_search.contains(&body.id) && changed.iter().any(is_near) {
            structure.to_search.insert(body.id);
        }
    }
}

/// A search that is being put together.
struct Search<'a> {
    simulation: &'a Simulation,
    /// All bodies that may be touched, by id.
    held: &'a [TouchingBody],
    bodies: Bodies,
    pairs: Vec<CandidatePair>,
    searched: BTreeSet<BodyId>,
}

impl<'a> Search<'a> {
    fn new(simulation: &'a Simulation, held: &'a [TouchingBody]) -> Self {
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
            let held = self.held;
            let found = held.binary_search_by_key(&body, |held| held.id);
            let Some(own) = found.ok().and_then(|index| held.get(index)) else {
                continue;
            };
            let near = held
                .iter()
                .filter(|other| other.bounds.intersects(&own.bounds));
            let near: Vec<&TouchingBody> = near.collect();
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
        let Some(index) = self.bodies.solid(self.simulation, own.id) else {
            return;
        };
        for other in near
            .iter()
            .filter(|other| !self.searched.contains(&other.id))
        {
            let solid = self.bodies.solid(self.simulation, other.id);
            // Two bodies with anchors of their own need none from each other.
            if let (Some(solid), Some(gap)) = (solid, larger(own.gap, other.gap)) {
                self.pairs.push(CandidatePair {
                    bodies: [index, solid],
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
    /// The index of a breakable body; `None` if it does not exist.
    fn solid(&mut self, simulation: &Simulation, body: BodyId) -> Option<usize> {
        let entity = simulation.world.entity(body.0).ok()?;
        let (pose, shape) = (
            entity.get::<&Motion>()?.pose,
            entity.get::<&Breakable>()?.shape.clone(),
        );
        Some(self.index(BodyRef::Breakable(body), || {
            PlacedBody::solid(body, shape, pose)
        }))
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

/// Takes the bonds that a job has found. One that was there before, or in a save, stays broken if it has, and is not told again if it is
/// strained.
pub(crate) fn apply_bonds(simulation: &mut Simulation, found: &FoundBonds) {
    simulation.structure.is_changed = true;
    let world = &simulation.world;
    let old = take_old(world, &found.searched);
    for bond in &found.bonds {
        let [one, other] = bond.bodies;
        if !(can_be_bonded(world, one) && can_be_bonded(world, other)) {
            continue;
        }
        let is_loose = bond_surface::is_loose(world, bond.bodies);
        let [had_broken, was_told] = saved_state(world, bond.bodies, bond.face.center.as_vec3());
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
            load: BondLoad::default(),
            is_weighed: false,
        };
        let other_face = AreaProperties {
            normal: -bond.face.normal,
            ..bond.face
        };
        insert(world, one, new(other, places, bond.face));
        insert(world, other, new(one, other_places, other_face));
    }
}

/// Whether a bond with a centre in world space had broken in a save that one of its bodies was restored from, and
/// whether the host had been warned of it.
fn saved_state(world: &World, bodies: [BodyRef; 2], center: Vec3) -> [bool; 2] {
    let state = |body: BodyId| {
        let bonds = world.get::<&BodyBonds>(body.0).ok()?;
        let motion = world.get::<&Motion>(body.0).ok()?;
        Some(
            bonds
                .saved
                .state(motion.pose.inverse_transform_point(center)),
        )
    };
    let [one, other] = bodies.map(|body| body.breakable().and_then(state).unwrap_or_default());
    [one[0] || other[0], one[1] || other[1]]
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
fn take_old(world: &World, searched: &[BodyId]) -> OldBonds {
    let bonds_of = |body: BodyId| world.get::<&mut BodyBonds>(body.0).ok();
    let mut found = OldBonds::default();
    for body in searched {
        let old = bonds_of(*body).map(|mut bonds| {
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
            if let Some(mut bonds) = bond.with.breakable().and_then(bonds_of) {
                bonds.remove(own);
            }
        }
    }
    found
}

fn insert(world: &World, body: BodyRef, bond: BodyBond) {
    let bonds = body
        .breakable()
        .map(|body| world.get::<&mut BodyBonds>(body.0));
    if let Some(Ok(mut bonds)) = bonds {
        bonds.insert(bond);
    }
}
