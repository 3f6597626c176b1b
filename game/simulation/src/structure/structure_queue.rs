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

/// Bodies or bonds of which so many are work enough for a frame: to take bonds, to find levels, and to search and weigh are
/// done in different frames then.
const MANY: usize = 64;

/// Weighings in turn after which something broke or fell, from which on a building comes down.
const LONG_CHAIN: u32 = 2;

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
    /// Number of weighings in turn after which something broke or fell.
    pub gave_way_in_turn: u32,
    /// Number of times that more had to be weighed than what is near a change.
    pub weighed_wider: u32,
    /// Searches for bonds that the worker has not finished.
    pub searches: BTreeSet<JobId>,
    /// The last frame in which many bonds were taken...
    took_bonds_in: Option<u64>,
    /// ... and that in which what holds many bodies was found.
    found_levels_in: Option<u64>,
    /// Whether that waits for a frame because bonds were taken.
    puts_levels_off: bool,
    /// The frame since which searches are waited for.
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

    /// Takes how many bonds have been taken in a frame.
    pub fn set_bonds_taken(&mut self, bonds: usize, frame: u64) {
        self.is_changed = true;
        if bonds >= MANY {
            self.took_bonds_in = Some(frame);
        }
    }

    /// Takes of how many bodies it has been found in a frame what holds them, after which the building is to be weighed.
    pub fn set_levels_found(&mut self, bodies: usize, frame: u64) {
        self.is_to_be_weighed = true;
        self.found_levels_in = (bodies >= MANY).then_some(frame);
    }

    /// Takes whether it is to be found what holds the bodies. One that was removed is missed some frames later: the host
    /// may add it anew, as it does to make an object intact again. After many bonds or levels it waits for a frame.
    pub fn take_changed(&mut self, frame: u64) -> bool {
        let removed_in = self.removed_in;
        let is_early = removed_in.is_some_and(|removed_in| frame < removed_in + REST_FRAMES);
        let before = frame.saturating_sub(1);
        let takes_bonds = self.took_bonds_in == Some(frame) && !self.puts_levels_off;
        if !self.is_changed || is_early || self.found_levels_in == Some(before) {
            return false;
        }
        self.puts_levels_off = takes_bonds;
        if takes_bonds || (!self.was_weighed && self.waits_for_searches(frame)) {
            return false;
        }
        self.removed_in = None;
        self.is_changed = false;
        true
    }

    /// Whether a frame has done enough for what holds what. While a chain of failures goes on, bonds that were taken delay
    /// nothing but the levels.
    pub fn has_done_enough(&self, frame: u64) -> bool {
        let takes_first_bonds = !self.was_weighed && self.took_bonds_in == Some(frame);
        takes_first_bonds || self.found_levels_in == Some(frame)
    }

    /// Takes the box of an external body that has come, gone or changed.
    pub fn set_changed(&mut self, bounds: Option<Aabb>) {
        if self.is_used {
            self.changed_places.extend(bounds);
        }
    }

    /// Takes whether the building is to be weighed now, once the bonds are known of what has changed.
    pub fn take_to_be_weighed(&mut self, frame: u64) -> bool {
        if self.is_weighing || !self.is_to_be_weighed || self.waits_for_searches(frame) {
            return false;
        }
        self.waits_since = None;
        self.was_weighed = true;
        std::mem::take(&mut self.is_to_be_weighed)
    }

    /// Whether a building comes down: it is weighed again and again, and each time something breaks or falls.
    pub fn gives_way(&self) -> bool {
        let is_weighed = self.is_weighing || self.is_to_be_weighed;
        is_weighed && self.gave_way_in_turn >= LONG_CHAIN
    }

    fn waits_for_searches(&mut self, frame: u64) -> bool {
        let is_searching = !(self.to_search.is_empty() && self.searches.is_empty());
        let waits_since = *self.waits_since.get_or_insert(frame);
        let most = if self.was_weighed {
            SEARCH_FRAMES
        } else {
            FIRST_SEARCH_FRAMES
        };
        is_searching && frame < waits_since + most
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A queue whose building has been weighed.
    fn weighed() -> StructureQueue {
        StructureQueue {
            was_weighed: true,
            ..StructureQueue::default()
        }
    }

    #[test]
    fn after_many_bonds_or_levels_a_frame_does_no_more() {
        let mut queue = weighed();
        queue.set_bonds_taken(MANY, 1);
        assert!(!queue.take_changed(1) && !queue.has_done_enough(1));
        // Bonds that come in each frame do not put the levels off for ever.
        queue.set_bonds_taken(MANY, 2);
        assert!(queue.take_changed(2));
        queue.set_levels_found(MANY, 2);
        assert!(queue.has_done_enough(2));
        // In the next frame it is weighed.
        queue.set_bonds_taken(1, 3);
        assert!(!queue.take_changed(3) && !queue.has_done_enough(3));
        assert!(queue.take_to_be_weighed(3));
        assert!(queue.take_changed(4));
    }

    #[test]
    fn all_is_done_in_a_frame_where_it_is_little() {
        let mut queue = weighed();
        for frame in 1..5 {
            queue.set_bonds_taken(MANY - 1, frame);
            assert!(queue.take_changed(frame));
            queue.set_levels_found(MANY - 1, frame);
            assert!(!queue.has_done_enough(frame) && queue.take_to_be_weighed(frame));
        }
    }

    #[test]
    fn a_building_gives_way_while_it_is_weighed_after_two_failures() {
        let mut queue = StructureQueue {
            is_weighing: true,
            ..weighed()
        };
        for failures in 0..4 {
            queue.gave_way_in_turn = failures;
            assert_eq!(queue.gives_way(), failures >= 2);
        }
        // All has fallen, and nothing is left to be weighed.
        queue.is_weighing = false;
        assert!(!queue.gives_way());
    }

    #[test]
    fn nothing_is_searched_in_a_frame_that_takes_many_of_the_first_bonds() {
        let mut queue = StructureQueue::default();
        queue.set_bonds_taken(MANY, 1);
        assert!(queue.has_done_enough(1) && !queue.has_done_enough(2));
    }

    #[test]
    fn the_first_levels_wait_for_all_bonds_and_no_longer_than_some_seconds() {
        let body = BodyId(hecs::World::new().spawn(()));
        for is_found in [true, false] {
            let mut queue = StructureQueue::default();
            queue.to_search.insert(body);
            queue.set_bonds_taken(1, 1);
            assert!(!queue.take_changed(1) && !queue.take_changed(FIRST_SEARCH_FRAMES));
            if is_found {
                queue.to_search.clear();
                assert!(queue.take_changed(FIRST_SEARCH_FRAMES));
            } else {
                assert!(queue.take_changed(1 + FIRST_SEARCH_FRAMES));
            }
        }
    }
}
