//! The pieces of members, and their volume that has come down.

use std::collections::BTreeMap;

use crate::event::{Broken, Cause, Event};
use crate::types::BodyId;

/// Pieces of the members of a structure, and the volumes that have come down.
#[derive(Clone, Default)]
pub(super) struct Pieces {
    /// The member that each piece is a part of; of a member, itself.
    pub owners: BTreeMap<BodyId, BodyId>,
    /// By member: m^3.
    fallen: BTreeMap<BodyId, f64>,
}

impl Pieces {
    pub fn of(owners: BTreeMap<BodyId, BodyId>) -> Self {
        Self {
            owners,
            fallen: BTreeMap::new(),
        }
    }

    pub fn note(&mut self, broken: &Broken) {
        let Some(owner) = self.owners.get(&broken.body).copied() else {
            return;
        };
        let (held, free): (Vec<_>, Vec<_>) = broken.pieces.iter().partition(|piece| piece.anchored);
        self.owners
            .extend(held.iter().map(|piece| (piece.body, owner)));
        let volume: f64 = free.iter().map(|piece| piece.mass.volume).sum();
        *self.fallen.entry(owner).or_default() += volume;
    }

    /// Share of a member's volume that has come down.
    pub fn fallen_share(&self, member: BodyId, volume: f64) -> f64 {
        let fallen = self.fallen.get(&member).copied().unwrap_or_default();
        if volume > 0.0 {
            (fallen / volume).min(1.0)
        } else {
            0.0
        }
    }
}

/// The collapses among events.
pub(super) fn collapses(events: &[Event]) -> impl Iterator<Item = &Broken> {
    events.iter().filter_map(|event| match event {
        Event::Broken(broken) if broken.cause == Cause::Weight => Some(&**broken),
        _ => None,
    })
}
