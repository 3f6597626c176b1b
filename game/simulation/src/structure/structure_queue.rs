//! Bodies whose bonds are to be searched, and what has changed around them.

use std::collections::{BTreeMap, BTreeSet};

use rapier3d::geometry::Aabb;

use crate::debris::WeldEnd;
use crate::types::{BodyId, JobId};

/// Frames for which a body that was moved has to rest before its bonds are searched again, and after which one that was
/// removed is missed.
const REST_FRAMES: u64 = 5;

/// Frames for which a building is not weighed while bonds are being searched in it: bodies that have not been searched
/// carry anything.
const SEARCH_FRAMES: u64 = 12;

/// The same of a building that was never weighed.
const FIRST_SEARCH_FRAMES: u64 = 600;

/// Work that is to be done to know what holds what.
#[derive(Default)]
pub(crate) struct StructureQueue {
    /// Whether any body is held by touch; nothing is done before.
    pub is_used: bool,
    /// Whether the host has it wait.
    pub is_paused: bool,
    /// Bodies whose bonds are to be searched.
    pub to_search: BTreeSet<BodyId>,
    /// Boxes in which external bodies that do not move have come, gone or changed, world space.
    pub changed_places: Vec<Aabb>,
    /// Whether there was ever anything that holds bodies of itself: without it nothing falls.
    pub had_ground: bool,
    /// Whether the host has been told that there is none.
    pub told_no_ground: bool,
    /// Whether a body may have lost what holds it, or gained something.
    pub is_changed: bool,
    /// Whether what the bonds carry has changed since they were weighed.
    pub is_to_be_weighed: bool,
    /// Whether any bond may give way: otherwise nothing is weighed.
    pub can_give_way: bool,
    /// Whether the worker is weighing them.
    pub is_weighing: bool,
    /// Whether they have ever been weighed.
    pub was_weighed: bool,
    /// Number of times that more had to be weighed than what is near a change.
    pub weighed_wider: u32,
    /// Searches for bonds that the worker has not finished.
    pub searches: BTreeSet<JobId>,
    /// The frame since which a weighing waits for searches.
    waits_since: Option<u64>,
    /// The frame in which the first of the bodies was removed that have not been missed yet.
    removed_in: Option<u64>,
    /// The frames in which bodies were moved by the host.
    moved: BTreeMap<BodyId, u64>,
    /// By body that is about to fall: its ends of welds with pieces that fell before it.
    weld_ends: BTreeMap<BodyId, Vec<WeldEnd>>,
    /// Number of welds made so far.
    welds: u64,
}

impl StructureQueue {
    /// Takes a body that the host has moved in a frame.
    pub fn set_moved(&mut self, body: BodyId, frame: u64) {
        if self.is_used {
            self.moved.insert(body, frame);
        }
    }

    /// Takes a frame in which a body that may hold others was removed by the host.
    pub fn set_removed(&mut self, frame: u64) {
        self.is_changed = true;
        self.removed_in.get_or_insert(frame);
    }

    /// Takes whether what holds what has changed. A body that was removed is missed some frames later: the host may
    /// add it anew, as it does to make an object intact again.
    pub fn take_changed(&mut self, frame: u64) -> bool {
        if self
            .removed_in
            .is_some_and(|removed_in| frame < removed_in + REST_FRAMES)
        {
            return false;
        }
        self.removed_in = None;
        std::mem::take(&mut self.is_changed)
    }

    /// Takes the box of an external body that has come, gone or changed.
    pub fn set_changed(&mut self, bounds: Option<Aabb>) {
        if self.is_used {
            self.changed_places.extend(bounds);
        }
    }

    /// Takes whether the building is to be weighed now, once the bonds are known of what has changed.
    pub fn take_to_be_weighed(&mut self, frame: u64) -> bool {
        let is_searching = !(self.to_search.is_empty() && self.searches.is_empty());
        if self.is_weighing || !self.is_to_be_weighed {
            return false;
        }
        let waits_since = *self.waits_since.get_or_insert(frame);
        let most = if self.was_weighed {
            SEARCH_FRAMES
        } else {
            FIRST_SEARCH_FRAMES
        };
        if is_searching && frame < waits_since + most {
            return false;
        }
        self.waits_since = None;
        self.was_weighed = true;
        std::mem::take(&mut self.is_to_be_weighed)
    }

    /// The number of the next weld.
    pub fn next_weld(&mut self) -> u64 {
        self.welds += 1;
        self.welds
    }

    /// Keeps an end of a weld for the piece that a body is going to become.
    pub fn keep_weld_end(&mut self, body: BodyId, end: WeldEnd) {
        self.weld_ends.entry(body).or_default().push(end);
    }

    /// Takes the ends of welds that were kept for a body.
    pub fn take_weld_ends(&mut self, body: BodyId) -> Vec<WeldEnd> {
        self.weld_ends.remove(&body).unwrap_or_default()
    }

    /// Queues the moved bodies that rest by now.
    pub fn queue_moved(&mut self, frame: u64) {
        let to_search = &mut self.to_search;
        self.moved.retain(|body, moved_in| {
            let rests = *moved_in + REST_FRAMES <= frame;
            if rests {
                to_search.insert(*body);
            }
            !rests
        });
    }

    /// Whether nothing is left to be done.
    pub fn is_idle(&self) -> bool {
        !self.is_used
            || (self.to_search.is_empty()
                && self.changed_places.is_empty()
                && !self.is_changed
                && !self.is_to_be_weighed
                && self.moved.is_empty())
    }
}
