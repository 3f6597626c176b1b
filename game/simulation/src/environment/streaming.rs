//! All that there is of the embedding layer's world, of which the debris world has what is near debris.
//!
//! A mirror costs the debris world in each of its steps, wherever it is; a level has tens of thousands.
//! So they are kept here with their shapes, found by place, and are in the debris world while a body of
//! the simulation is near. Rays and other questions meet both.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rapier3d::geometry::Aabb;
use rapier3d::prelude::BoundingVolume;

use super::bvh::KeyedBvh;
use super::entry::ExternalEntry;
use super::grid::OccupancyGrid;
use super::joint_graph::JointGraph;
use crate::debris::{BodyRef, ExternalBody};
use crate::types::Motion;

/// What is nearer than this to a cell that a body is in comes into the debris world, metres.
const NEAR: f32 = 3.0;

/// What is farther than this from all of them leaves it, metres, when it has been for so many steps.
const FAR: f32 = 6.0;
const LINGER: u64 = 120;

/// Doubts that are resolved in one step at most.
const MOST: usize = 64;

/// What the debris world has to do.
enum Change {
    /// Take this mirror away.
    Remove(u64),
    /// Add this one, or replace it.
    Add(u64),
}

/// The mirrors of the embedding layer's bodies, by key.
#[derive(Default)]
pub(crate) struct EnvironmentStreaming {
    pub(super) entries: BTreeMap<u64, ExternalEntry>,
    pub(super) tree: KeyedBvh,
    pins: JointGraph,
    /// What has come, or has left its box in the tree.
    unsure: Vec<u64>,
    /// What may be far from everything by now, and since which step.
    doubted: VecDeque<(u64, u64)>,
    /// Bodies that debris touches: what is near them is near debris.
    touched: Vec<u64>,
    changes: Vec<Change>,
    /// What the debris world has.
    pub(super) present: BTreeSet<u64>,
}

impl EnvironmentStreaming {
    /// Adds or replaces a mirror.
    pub fn set(&mut self, key: u64, external: ExternalBody, places: &mut OccupancyGrid) {
        let was_present = self.take(key, places);
        let mut entry = ExternalEntry::new(external);
        entry.place(&mut self.tree, key);
        if was_present {
            self.present.insert(key);
            self.changes.push(Change::Add(key));
        }
        self.entries.insert(key, entry);
        self.unsure.push(key);
    }

    /// Takes a mirror away; `false` when there is none.
    pub fn remove(&mut self, key: u64, places: &mut OccupancyGrid) -> bool {
        let known = self.entries.contains_key(&key);
        if self.take(key, places) {
            self.changes.push(Change::Remove(key));
        }
        known
    }

    /// Takes an entry out of everything; whether it was in the debris world.
    fn take(&mut self, key: u64, places: &mut OccupancyGrid) -> bool {
        let Some(mut entry) = self.entries.remove(&key) else {
            return false;
        };
        entry.unplace(&mut self.tree);
        entry.haunt.leave(places);
        self.present.remove(&key)
    }

    /// Takes note of where one is now; whether it is in the debris world. `None` when there is none.
    pub fn follow(&mut self, key: u64, motion: Motion) -> Option<bool> {
        let entry = self.entries.get_mut(&key)?;
        if entry.follow(&mut self.tree, motion) {
            self.unsure.push(key);
        }
        Some(self.present.contains(&key))
    }

    /// Bodies that debris has touched in the last step, in the order of their keys.
    pub fn note_touched(&mut self, handed: &[(BodyRef, Motion)], places: &mut OccupancyGrid) {
        let touched = handed
            .iter()
            .filter_map(|(owner, motion)| Some((owner.external()?, motion)));
        let is_touched = |key: u64| {
            handed
                .binary_search_by_key(&BodyRef::External(key), |(owner, _)| *owner)
                .is_ok()
        };
        for key in self.touched.drain(..).filter(|key| !is_touched(*key)) {
            if let Some(entry) = self.entries.get_mut(&key) {
                entry.haunt.leave(places);
            }
        }
        for (key, motion) in touched {
            if let Some(entry) = self.entries.get_mut(&key) {
                entry.haunt.follow(places, motion, false);
                self.touched.push(key);
            }
        }
    }

    /// What a joint holds together is in the debris world together.
    pub fn pin(&mut self, joint: u64, ends: [BodyRef; 2]) {
        self.unpin(joint);
        self.pins.add(joint, ends);
        self.unsure
            .extend(ends.into_iter().filter_map(BodyRef::external));
    }

    /// A joint is no more.
    pub fn unpin(&mut self, joint: u64) {
        let ends = self.pins.remove(joint);
        let ends = ends.into_iter().flatten();
        self.unsure.extend(ends.filter_map(BodyRef::external));
    }

    /// Mirrors that there are, and those of them in the debris world.
    pub fn count(&self) -> [usize; 2] {
        [self.entries.len(), self.present.len()]
    }

    /// The keys of those in the debris world, from one on, in order.
    pub fn present(&self, from: u64) -> impl Iterator<Item = u64> + '_ {
        self.present.range(from..).copied()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Tells the debris world what to do now that bodies are in other places: take a mirror away, or add
    /// or replace one; `step` counts steps. Does nothing where nothing has moved by metres.
    pub fn update(
        &mut self,
        places: &mut OccupancyGrid,
        step: u64,
        mut tell: impl FnMut(u64, Option<&ExternalBody>),
    ) {
        self.approach(places);
        self.resolve_unsure(places, step);
        self.doubt(places, step);
        self.resolve_doubts(places, step);
        for change in self.changes.drain(..) {
            match change {
                Change::Remove(key) => tell(key, None),
                Change::Add(key) => {
                    if let Some(entry) = self.entries.get(&key) {
                        tell(key, Some(&entry.external));
                    }
                }
            }
        }
    }

    /// What is near the cells that something has come into.
    fn approach(&mut self, places: &mut OccupancyGrid) {
        let first = self.unsure.len();
        for cell in places.entered.drain(..) {
            let near = cell.bounds().loosened(NEAR);
            let absent = |key: &u64| !self.present.contains(key);
            self.unsure.extend(self.tree.touched(&near).filter(absent));
        }
        if let Some(found) = self.unsure.get_mut(first..) {
            found.sort_unstable();
        }
    }

    fn resolve_unsure(&mut self, places: &OccupancyGrid, step: u64) {
        let mut unsure = std::mem::take(&mut self.unsure);
        for key in unsure.drain(..) {
            let Some(bounds) = self.entries.get(&key).map(|entry| entry.bounds) else {
                continue;
            };
            if self.present.contains(&key) {
                doubt_one(&mut self.entries, &mut self.doubted, key, step);
            } else if places.is_any_in(&bounds.loosened(NEAR)) || self.is_pinned(key, places) {
                self.bring(key);
            }
        }
        self.unsure = unsure;
    }

    /// Brings one into the debris world, and with it all that joints tie it to.
    fn bring(&mut self, key: u64) {
        for key in self.pins.tied_to(key) {
            if self.entries.contains_key(&key) && self.present.insert(key) {
                self.changes.push(Change::Add(key));
            }
        }
    }

    /// What was near cells that the last body has left.
    fn doubt(&mut self, places: &mut OccupancyGrid, step: u64) {
        let mut left = std::mem::take(&mut places.left);
        for cell in left.drain(..) {
            let far = cell.bounds().loosened(FAR);
            let near = self.tree.touched(&far);
            for key in near.filter(|key| self.present.contains(key)) {
                doubt_one(&mut self.entries, &mut self.doubted, key, step);
            }
        }
        places.left = left;
    }

    fn resolve_doubts(&mut self, places: &OccupancyGrid, step: u64) {
        for _ in 0..MOST {
            let due = |(since, _): &&(u64, u64)| since + LINGER <= step;
            let Some((_, key)) = self.doubted.front().filter(due).copied() else {
                return;
            };
            self.doubted.pop_front();
            let Some(entry) = self.entries.get_mut(&key).filter(|entry| entry.doubted) else {
                continue; // it has gone, or is another one by now
            };
            entry.doubted = false;
            let bounds = entry.bounds;
            if places.is_any_in(&bounds.loosened(FAR)) || self.is_pinned(key, places) {
                continue;
            }
            self.dismiss(key);
        }
    }

    /// Takes one out of the debris world, and with it all that joints tie it to.
    fn dismiss(&mut self, key: u64) {
        for key in self.pins.tied_to(key) {
            if self.present.remove(&key) {
                self.changes.push(Change::Remove(key));
            }
        }
    }

    /// Whether joints tie it to something that is near a body, or is one.
    fn is_pinned(&self, key: u64, places: &OccupancyGrid) -> bool {
        if !self.pins.is_tied(key) {
            return false; // the common case
        }
        let near = |bounds: &Aabb| places.is_any_in(&bounds.loosened(FAR));
        let tied = self.pins.tied_to(key);
        self.pins.is_tied_to_body(&tied)
            || tied
                .iter()
                .filter_map(|key| self.entries.get(key))
                .any(|entry| near(&entry.bounds))
    }
}

/// Has someone see later if one is far from everything.
fn doubt_one(
    entries: &mut BTreeMap<u64, ExternalEntry>,
    doubted: &mut VecDeque<(u64, u64)>,
    key: u64,
    step: u64,
) {
    let entry = entries.get_mut(&key);
    if let Some(entry) = entry.filter(|entry| !entry.doubted) {
        entry.doubted = true;
        doubted.push_back((step, key));
    }
}
