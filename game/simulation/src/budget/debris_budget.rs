//! The books about free pieces: how many, how much there is to draw, who goes first, who is due.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::pieces::components::{Debris, Rank};
use crate::pieces::{BodyId, DebrisLifetime};

/// No piece lives more than this part of its lifetime longer than it.
const SPREAD: f64 = 0.3;

/// Ticks of the clock in a second.
const TICKS: f64 = 1e6;

/// All free pieces.
#[derive(Default)]
pub(crate) struct DebrisBudget {
    order: BTreeSet<(Rank, BodyId)>,
    triangles: u64,
    due: BinaryHeap<Reverse<Due>>,
    /// Ticks since the start.
    clock: u64,
}

/// When a piece is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Due {
    /// Ticks of the clock.
    at: u64,
    pub body: BodyId,
    /// From when on it goes whether it rests or not.
    latest: u64,
}

impl DebrisBudget {
    /// A free piece has come to be; `seed` spreads lifetimes.
    pub fn enter(&mut self, body: BodyId, debris: &Debris, lifespan: &DebrisLifetime, seed: u64) {
        self.order.insert((debris.rank, body));
        self.triangles += u64::from(debris.triangles);
        if lifespan.lifetime.is_finite() {
            let part = (seed >> 11) as f64 / (1u64 << 53) as f64;
            let life = f64::from(lifespan.lifetime) * (1.0 + SPREAD * part);
            let at = self.clock.saturating_add(ticks(life));
            let latest = at.saturating_add(ticks(life));
            self.due.push(Reverse(Due { at, body, latest }));
        }
    }

    /// A free piece is none any more.
    pub fn leave(&mut self, body: BodyId, debris: &Debris) {
        if self.order.remove(&(debris.rank, body)) {
            self.triangles = self.triangles.saturating_sub(u64::from(debris.triangles));
        }
    }

    pub fn count(&self) -> usize {
        self.order.len()
    }

    pub fn triangles(&self) -> u64 {
        self.triangles
    }

    /// All pieces, those that have to go first before the others.
    pub fn in_order(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.order.iter().map(|(_, body)| *body)
    }

    /// Moves the clock on, seconds.
    pub fn pass(&mut self, dt: f32) {
        self.clock = self.clock.saturating_add(ticks(f64::from(dt)));
    }

    /// The next piece whose time has come; it may have gone long since.
    pub fn next_due(&mut self) -> Option<Due> {
        let Reverse(first) = self.due.peek()?;
        if first.at > self.clock {
            return None;
        }
        self.due.pop().map(|Reverse(due)| due)
    }

    /// Whether a piece that is due is given no more time.
    pub fn is_overdue(&self, due: &Due) -> bool {
        due.latest <= self.clock
    }

    /// Asks for a piece again in some seconds.
    pub fn put_off(&mut self, due: Due, seconds: f64) {
        let at = self.clock.saturating_add(ticks(seconds));
        self.due.push(Reverse(Due { at, ..due }));
    }
}

fn ticks(seconds: f64) -> u64 {
    // Saturates, also when it is not a number.
    (seconds * TICKS) as u64
}
