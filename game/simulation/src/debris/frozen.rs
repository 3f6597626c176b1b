//! Which pieces of rubble are part of the ground by now, and which soon will be; see
//! [`settling`](super::freeze).

use std::collections::{BTreeMap, VecDeque};

use rapier3d::dynamics::{RigidBody, RigidBodyHandle};

use super::tag::{is_piece, piece};
use crate::types::BodyId;

/// Pieces that sleep and are to be fixed, and those that have been.
#[derive(Default)]
pub(super) struct Frozen {
    /// With the time from which on they are, seconds; oldest first.
    pub asleep: VecDeque<(RigidBodyHandle, f64)>,
    /// Seconds since the start.
    pub clock: f64,
    /// How long a piece has to sleep, seconds; infinite fixes none.
    pub after: f32,
    /// Pieces that are fixed.
    pub count: usize,
    /// Pieces that have been fixed (true) or freed, in order, until someone takes note.
    pub changed: Vec<(BodyId, bool)>,
    /// Made anew since the last step: their contacts do not know how they started.
    pub anew: Vec<RigidBodyHandle>,
    /// The bodies of pieces that were made anew, by the first body that they had, and the other way.
    current: BTreeMap<(u32, u32), RigidBodyHandle>,
    first: BTreeMap<(u32, u32), RigidBodyHandle>,
}

impl Frozen {
    pub fn new(after: f32) -> Self {
        Self {
            after,
            ..Self::default()
        }
    }

    /// The body that a piece has now, by the one that it was added as.
    pub fn current(&self, handle: RigidBodyHandle) -> RigidBodyHandle {
        let current = self.current.get(&handle.into_raw_parts());
        current.copied().unwrap_or(handle)
    }

    /// Forgets a piece by the body that it was added as.
    pub fn forget(&mut self, handle: RigidBodyHandle) {
        if let Some(current) = self.current.remove(&handle.into_raw_parts()) {
            self.first.remove(&current.into_raw_parts());
        }
    }

    pub fn replace(&mut self, old: RigidBodyHandle, new: RigidBodyHandle) {
        let first = self.first.remove(&old.into_raw_parts()).unwrap_or(old);
        self.first.insert(new.into_raw_parts(), first);
        self.current.insert(first.into_raw_parts(), new);
        self.anew.push(new);
    }

    /// Counts a piece that is fixed, or freed.
    pub fn note(&mut self, body: Option<&RigidBody>, fixed: bool) {
        self.count = match fixed {
            true => self.count + 1,
            false => self.count.saturating_sub(1),
        };
        self.changed
            .extend(body.and_then(piece).map(|id| (id, fixed)));
    }

    /// Whether a piece's time will have come in so many steps of `dt` seconds.
    pub fn is_due(&self, (steps, dt): (usize, f32)) -> bool {
        let clock = (0..steps).fold(self.clock, |clock, _| clock + f64::from(dt));
        let due = |(_, due): &(RigidBodyHandle, f64)| *due <= clock;
        self.after.is_finite() && self.asleep.front().is_some_and(due)
    }

    /// The next piece whose time has come.
    pub fn next_due(&mut self) -> Option<RigidBodyHandle> {
        let (handle, due) = *self.asleep.front()?;
        (due <= self.clock).then_some(())?;
        self.asleep.pop_front();
        Some(handle)
    }
}

/// Whether a body is a piece that has been fixed.
pub(super) fn is_settled(body: &RigidBody) -> bool {
    body.is_fixed() && is_piece(body)
}
