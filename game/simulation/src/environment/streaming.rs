//! Streaming of external bodies: all are known, those near breakable bodies are active, that is in the
//! debris world.
//!
//! A collider costs the debris world in each of its steps, wherever it is; a level has tens of thousands.
//! A body is activated within 3 m of a cell that breakable bodies are in, and deactivated when it has
//! been farther than 6 m from all of them for 120 frames. Bodies that joints connect are active together.
//! Queries meet active and inactive ones.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use glam::Vec3;
use rapier3d::geometry::{Aabb, Ray};
use rapier3d::math::Pose;
use rapier3d::parry::query::ShapeCastOptions;
use rapier3d::parry::shape::SharedShape;
use rapier3d::prelude::BoundingVolume;

use super::bvh::KeyedBvh;
use super::entry::ExternalEntry;
use super::grid::OccupancyGrid;
use super::joint_graph::JointGraph;
use crate::debris::{BodyRef, BodyType, DebrisWorld, ExternalBody, RayHit};
use crate::types::Motion;

/// Distance to an occupied cell within which a body is activated, metres.
const ACTIVATION_DISTANCE: f32 = 3.0;

/// Distance to all occupied cells beyond which a body is deactivated, metres.
const DEACTIVATION_DISTANCE: f32 = 6.0;

/// Frames for which a body stays active before it is checked for deactivation: fewer would have it come
/// and go.
const DEACTIVATION_DELAY: u64 = 120;

/// Checks for deactivation in one frame at most, so that many at once do not take long.
const MAX_DEACTIVATION_CHECKS: usize = 64;

/// Greatest way of a shape in a cast, metres: its box has to be finite.
const MAX_CAST_DISTANCE: f32 = 1e6;

/// A change to be made to the debris world.
enum Change {
    Remove(u64),
    /// Adds a body or replaces it.
    Add(u64),
}

/// An active body that may be far from all breakable bodies by now.
struct DeactivationCheck {
    key: u64,
    /// Frame in which it was queued.
    queued_in: u64,
}

/// Bodies to be checked for deactivation, oldest first.
#[derive(Default)]
struct DeactivationQueue(VecDeque<DeactivationCheck>);

impl DeactivationQueue {
    /// Queues a body, unless it is queued.
    fn push(&mut self, key: u64, entry: &mut ExternalEntry, frame: u64) {
        if !entry.is_queued {
            entry.is_queued = true;
            self.0.push_back(DeactivationCheck {
                key,
                queued_in: frame,
            });
        }
    }

    /// The next body that was queued long enough ago.
    fn pop_due(&mut self, frame: u64) -> Option<u64> {
        let first = self.0.front()?;
        if first.queued_in + DEACTIVATION_DELAY > frame {
            return None;
        }
        self.0.pop_front().map(|check| check.key)
    }
}

/// All external bodies, by key.
#[derive(Default)]
pub(crate) struct EnvironmentStreaming {
    entries: BTreeMap<u64, ExternalEntry>,
    bvh: KeyedBvh,
    joints: JointGraph,
    /// Bodies to be checked for activation: new ones, and those whose box has changed.
    activation_candidates: Vec<u64>,
    deactivation_queue: DeactivationQueue,
    /// Bodies that debris touches: bodies near them are near debris.
    touched: Vec<u64>,
    changes: Vec<Change>,
    active: BTreeSet<u64>,
}

impl EnvironmentStreaming {
    /// Adds or replaces a body.
    pub fn set(&mut self, key: u64, body: ExternalBody, grid: &mut OccupancyGrid) {
        let was_active = self.take_out(key, grid);
        let mut entry = ExternalEntry::new(body);
        entry.insert_into(&mut self.bvh, key);
        if was_active && entry.is_anchor() {
            self.changes.push(Change::Remove(key));
        } else if was_active {
            self.active.insert(key);
            self.changes.push(Change::Add(key));
        }
        self.entries.insert(key, entry);
        self.activation_candidates.push(key);
    }

    /// Removes a body; `false` if there is none.
    pub fn remove(&mut self, key: u64, grid: &mut OccupancyGrid) -> bool {
        let is_known = self.entries.contains_key(&key);
        if self.take_out(key, grid) {
            self.changes.push(Change::Remove(key));
        }
        is_known
    }

    /// Removes a body's entry. Returns whether it was active.
    fn take_out(&mut self, key: u64, grid: &mut OccupancyGrid) -> bool {
        let Some(mut entry) = self.entries.remove(&key) else {
            return false;
        };
        entry.remove_from(&mut self.bvh);
        entry.occupancy.vacate(grid);
        self.active.remove(&key)
    }

    /// Takes a body's motion. Returns whether it is active; `None` if there is none.
    pub fn set_motion(&mut self, key: u64, motion: Motion) -> Option<bool> {
        let entry = self.entries.get_mut(&key)?;
        if entry.set_motion(&mut self.bvh, motion) {
            self.activation_candidates.push(key);
        }
        Some(self.active.contains(&key))
    }

    /// Takes the bodies that debris has touched in the last step, sorted by body: they occupy cells like
    /// debris.
    pub fn set_touched(&mut self, touched: &[(BodyRef, Motion)], grid: &mut OccupancyGrid) {
        let is_touched = |key: u64| {
            let body = BodyRef::External(key);
            touched
                .binary_search_by_key(&body, |(owner, _)| *owner)
                .is_ok()
        };
        for key in self.touched.drain(..).filter(|key| !is_touched(*key)) {
            if let Some(entry) = self.entries.get_mut(&key) {
                entry.occupancy.vacate(grid);
            }
        }
        for (owner, motion) in touched {
            let Some(key) = owner.external() else {
                continue;
            };
            if let Some(entry) = self.entries.get_mut(&key) {
                entry.occupancy.update(grid, motion, false);
                self.touched.push(key);
            }
        }
    }

    /// Adds or replaces a joint.
    pub fn set_joint(&mut self, joint: u64, bodies: [BodyRef; 2]) {
        self.remove_joint(joint);
        self.joints.add(joint, bodies);
        let external = bodies.into_iter().filter_map(BodyRef::external);
        self.activation_candidates.extend(external);
    }

    /// Removes a joint, if there is one.
    pub fn remove_joint(&mut self, joint: u64) {
        let bodies = self.joints.remove(joint).into_iter().flatten();
        let external = bodies.filter_map(BodyRef::external);
        self.activation_candidates.extend(external);
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Number of active bodies.
    pub fn active_len(&self) -> usize {
        self.active.len()
    }

    /// The keys of active bodies from one on, in order.
    pub fn active_from(&self, key: u64) -> impl Iterator<Item = u64> + '_ {
        self.active.range(key..).copied()
    }

    /// Activates and deactivates bodies now that breakable bodies are in other cells. Costs next to
    /// nothing if none has come into another cell.
    pub fn update(&mut self, grid: &mut OccupancyGrid, frame: u64, world: &mut DebrisWorld) {
        self.find_candidates(grid);
        self.activate_candidates(grid, frame);
        self.queue_deactivations(grid, frame);
        self.deactivate_distant(grid, frame);
        for change in self.changes.drain(..) {
            match change {
                Change::Remove(key) => {
                    world.remove(BodyRef::External(key));
                }
                Change::Add(key) => {
                    if let Some(entry) = self.entries.get(&key) {
                        world.set_external_body(key, &entry.body);
                    }
                }
            }
        }
    }

    /// Finds inactive bodies near the cells that have become occupied.
    fn find_candidates(&mut self, grid: &mut OccupancyGrid) {
        let first = self.activation_candidates.len();
        for cell in grid.newly_occupied.drain(..) {
            let near = cell.bounds().loosened(ACTIVATION_DISTANCE);
            let is_inactive = |key: &u64| !self.active.contains(key);
            let found = self.bvh.intersecting(&near).filter(is_inactive);
            self.activation_candidates.extend(found);
        }
        if let Some(found) = self.activation_candidates.get_mut(first..) {
            found.sort_unstable();
        }
    }

    fn activate_candidates(&mut self, grid: &OccupancyGrid, frame: u64) {
        let mut candidates = std::mem::take(&mut self.activation_candidates);
        for key in candidates.drain(..) {
            let Some(entry) = self.entries.get_mut(&key) else {
                continue;
            };
            let bounds = entry.bounds;
            if entry.is_anchor() {
                continue;
            }
            if self.active.contains(&key) {
                self.deactivation_queue.push(key, entry, frame);
            } else if grid.is_occupied(&bounds.loosened(ACTIVATION_DISTANCE))
                || self.is_held_by_joints(key, grid)
            {
                self.activate(key);
            }
        }
        self.activation_candidates = candidates;
    }

    /// Activates a body, and all that joints connect it to.
    fn activate(&mut self, key: u64) {
        for key in self.joints.island_of(key) {
            if self.entries.contains_key(&key) && self.active.insert(key) {
                self.changes.push(Change::Add(key));
            }
        }
    }

    /// Queues active bodies near the cells that have become vacant.
    fn queue_deactivations(&mut self, grid: &mut OccupancyGrid, frame: u64) {
        for cell in grid.newly_vacant.drain(..) {
            let near = cell.bounds().loosened(DEACTIVATION_DISTANCE);
            for key in self
                .bvh
                .intersecting(&near)
                .filter(|key| self.active.contains(key))
            {
                if let Some(entry) = self.entries.get_mut(&key) {
                    self.deactivation_queue.push(key, entry, frame);
                }
            }
        }
    }

    /// Deactivates those of the bodies that were queued long ago that are far from all occupied cells.
    fn deactivate_distant(&mut self, grid: &OccupancyGrid, frame: u64) {
        for _ in 0..MAX_DEACTIVATION_CHECKS {
            let Some(key) = self.deactivation_queue.pop_due(frame) else {
                return;
            };
            let Some(entry) = self.entries.get_mut(&key).filter(|entry| entry.is_queued) else {
                continue; // removed, or replaced by another body
            };
            entry.is_queued = false;
            let near = entry.bounds.loosened(DEACTIVATION_DISTANCE);
            if !grid.is_occupied(&near) && !self.is_held_by_joints(key, grid) {
                self.deactivate(key);
            }
        }
    }

    /// Deactivates a body, and all that joints connect it to.
    fn deactivate(&mut self, key: u64) {
        for key in self.joints.island_of(key) {
            if self.active.remove(&key) {
                self.changes.push(Change::Remove(key));
            }
        }
    }

    /// Whether joints connect a body to a breakable one, or to one near occupied cells.
    fn is_held_by_joints(&self, key: u64, grid: &OccupancyGrid) -> bool {
        if !self.joints.has_joints(key) {
            return false; // the common case
        }
        let island = self.joints.island_of(key);
        let mut entries = island.iter().filter_map(|key| self.entries.get(key));
        self.joints.is_any_joined_to_breakable(&island)
            || entries.any(|entry| grid.is_occupied(&entry.bounds.loosened(DEACTIVATION_DISTANCE)))
    }

    /// The first inactive body on a ray of unit direction that is none of `except`.
    pub fn cast_ray(
        &self,
        origin: Vec3,
        direction: Vec3,
        max_distance: f32,
        except: &[BodyRef],
    ) -> Option<RayHit> {
        let ray = Ray::new(origin, direction);
        let cast = |key: u64, max_distance: f32| {
            let entry = self.inactive(key)?;
            let is_met = !except.contains(&BodyRef::External(key));
            is_met.then(|| entry.cast_ray(&ray, max_distance))?
        };
        let distance = |key, max_distance| Some(cast(key, max_distance)?.time_of_impact);
        let key = self.bvh.cast_ray(&ray, max_distance, distance)?;
        let hit = cast(key, max_distance)?;
        let distance = hit.time_of_impact;
        let (body, point) = (BodyRef::External(key), origin + distance * direction);
        Some(RayHit::new(Some(body), point, hit.normal, distance))
    }

    /// The first inactive body that a shape meets while it moves in a unit direction; of equally distant
    /// ones that of the least key.
    pub fn cast_shape(
        &self,
        shape: &SharedShape,
        pose: &Pose,
        direction: Vec3,
        options: ShapeCastOptions,
    ) -> Option<RayHit> {
        let start = shape.compute_aabb(pose);
        let distance = options.max_time_of_impact.min(MAX_CAST_DISTANCE);
        let way = start.merged(&start.translated(direction * distance));
        let cast = |key: u64| {
            let entry = self.inactive(key)?;
            Some((key, entry.cast_shape(shape, pose, direction, options)?))
        };
        let hits = self.intersecting(&way).into_iter().filter_map(cast);
        let (key, hit) =
            hits.min_by(|(_, a), (_, b)| a.time_of_impact.total_cmp(&b.time_of_impact))?;
        let body = Some(BodyRef::External(key));
        Some(RayHit::new(
            body,
            hit.witness1,
            hit.normal1,
            hit.time_of_impact,
        ))
    }

    /// All inactive bodies that a shape overlaps.
    pub fn overlap_shape(&self, shape: &SharedShape, pose: &Pose) -> BTreeSet<BodyRef> {
        let overlaps = |key: &u64| {
            let entry = self.inactive(*key);
            entry.is_some_and(|entry| entry.overlaps(shape, pose))
        };
        let near = self.intersecting(&shape.compute_aabb(pose));
        let overlapped = near.into_iter().filter(overlaps);
        overlapped.map(BodyRef::External).collect()
    }

    /// A body.
    pub fn body(&self, key: u64) -> Option<&ExternalBody> {
        Some(&self.entries.get(&key)?.body)
    }

    /// Whether the engine's physics moves a body.
    pub fn is_dynamic(&self, key: u64) -> bool {
        let entry = self.entries.get(&key);
        entry.is_some_and(|entry| matches!(entry.body.desc.body_type, BodyType::Dynamic(_)))
    }

    /// Whether a body does not move at all, so that it holds others.
    pub fn is_fixed(&self, key: u64) -> bool {
        let entry = self.entries.get(&key);
        let is_fixed = |body_type| matches!(body_type, BodyType::Fixed | BodyType::Anchor);
        entry.is_some_and(|entry| is_fixed(entry.body.desc.body_type))
    }

    /// Whether any body does not move at all.
    pub fn has_fixed(&self) -> bool {
        self.entries.keys().any(|key| self.is_fixed(*key))
    }

    /// A box around a body that does not move at all, world space.
    pub fn fixed_bounds(&self, key: u64) -> Option<Aabb> {
        self.bounds(key).filter(|_| self.is_fixed(key))
    }

    /// The bodies that do not move at all and whose boxes intersect a box, by key.
    pub fn fixed_in(&self, bounds: &Aabb) -> impl Iterator<Item = (u64, &ExternalBody)> {
        let body = |key: u64| Some((key, &self.entries.get(&key)?.body));
        let keys = self.intersecting(bounds).into_iter();
        keys.filter(|key| self.is_fixed(*key)).filter_map(body)
    }

    /// The collision groups that the colliders of a body belong to; `None` if there is no such body.
    pub fn memberships(&self, key: u64) -> Option<u32> {
        let colliders = &self.entries.get(&key)?.body.desc.colliders;
        let memberships = colliders.iter().map(|c| c.groups.memberships);
        Some(memberships.fold(0, |all, own| all | own))
    }

    /// A box around a body, world space.
    pub fn bounds(&self, key: u64) -> Option<Aabb> {
        Some(self.entries.get(&key)?.bounds)
    }

    fn inactive(&self, key: u64) -> Option<&ExternalEntry> {
        let entry = self.entries.get(&key);
        entry.filter(|entry| !(entry.is_anchor() || self.active.contains(&key)))
    }

    /// The keys of bodies whose boxes intersect a box, sorted.
    fn intersecting(&self, bounds: &Aabb) -> BTreeSet<u64> {
        self.bvh.intersecting(bounds).collect()
    }
}
