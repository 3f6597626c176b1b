//! The debris budget: count and triangles of free pieces, and when their lifetimes end.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::pieces::components::Debris;
use crate::pieces::DebrisLifetime;
use crate::types::BodyId;

/// Largest random addition to a lifetime, as a share of it. Pieces of one break vanish one by one.
const LIFETIME_SPREAD: f64 = 0.3;

/// Ticks of the clock in a second: an integer clock does not drift.
const TICKS_PER_SECOND: f64 = 1e6;

/// All free pieces.
#[derive(Default)]
pub(crate) struct DebrisBudget {
    pieces: BTreeSet<BodyId>,
    triangles: u64,
    expiries: BinaryHeap<Reverse<Expiry>>,
    /// Ticks since the start.
    clock: u64,
}

/// The end of a piece's lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Expiry {
    /// Ticks of the clock.
    at: u64,
    pub body: BodyId,
    /// Ticks from which on the piece is removed even while it moves.
    latest: u64,
}

impl DebrisBudget {
    /// Adds a free piece; `seed` spreads lifetimes.
    pub fn add(&mut self, body: BodyId, debris: &Debris, lifetime: &DebrisLifetime, seed: u64) {
        self.pieces.insert(body);
        self.triangles += u64::from(debris.triangles);
        if lifetime.lifetime.is_finite() {
            let random = (seed >> 11) as f64 / (1u64 << 53) as f64;
            let seconds = f64::from(lifetime.lifetime) * (1.0 + LIFETIME_SPREAD * random);
            let at = self.clock.saturating_add(ticks(seconds));
            let latest = at.saturating_add(ticks(seconds));
            self.expiries.push(Reverse(Expiry { at, body, latest }));
        }
    }

    /// Removes a piece that has broken or gone.
    pub fn remove(&mut self, body: BodyId, debris: &Debris) {
        if self.pieces.remove(&body) {
            self.triangles = self.triangles.saturating_sub(u64::from(debris.triangles));
        }
    }

    /// Number of free pieces.
    pub fn count(&self) -> usize {
        self.pieces.len()
    }

    /// Triangles of all free pieces.
    pub fn triangles(&self) -> u64 {
        self.triangles
    }

    /// All pieces, by id.
    pub fn pieces(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.pieces.iter().copied()
    }

    /// Advances the clock, seconds.
    pub fn advance(&mut self, dt: f32) {
        self.clock = self.clock.saturating_add(ticks(f64::from(dt)));
    }

    /// The next piece whose lifetime has ended; it may have gone long since.
    pub fn next_expired(&mut self) -> Option<Expiry> {
        let Reverse(first) = self.expiries.peek()?;
        if first.at > self.clock {
            return None;
        }
        self.expiries.pop().map(|Reverse(expiry)| expiry)
    }

    /// Whether an expired piece is given no more time.
    pub fn is_overdue(&self, expiry: &Expiry) -> bool {
        expiry.latest <= self.clock
    }

    /// Lets a piece expire again after some seconds.
    pub fn postpone(&mut self, expiry: Expiry, seconds: f64) {
        let at = self.clock.saturating_add(ticks(seconds));
        self.expiries.push(Reverse(Expiry { at, ..expiry }));
    }
}

fn ticks(seconds: f64) -> u64 {
    // Saturates, also when it is not a number.
    (seconds * TICKS_PER_SECOND) as u64
}
