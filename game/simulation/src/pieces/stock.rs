//! What a body was carved from: the convex parts of the whole, and the breaks that it has been through since.
//! They tell what the body has of each part, so that hulls of what breaks off it need no search.

use std::sync::Arc;

use fracture_geometry::hulls::{PastFracture, PlacedPattern, RemovedCells};
use fracture_geometry::{PieceKind, Placement};
use glam::Vec3;

use super::lazy::LazyParts;
use super::lazy_pattern::LazyPattern;

/// A break as all of its pieces know it.
pub(crate) struct Cut {
    pub pattern: Arc<LazyPattern>,
    /// Whether the pattern is a blade's and not the body's.
    pub blade: bool,
    pub placement: Placement,
    pub broken_out: RemovedCells,
}

/// A break, and what it made of a body or of what the body was a part of.
pub(crate) type CutRecord = (Arc<Cut>, PieceKind);

/// What a body was carved from.
pub(crate) struct CutHistory {
    /// Of the whole.
    pub parts: Arc<LazyParts>,
    /// In their order.
    pub breaks: Vec<CutRecord>,
}

impl Cut {
    /// The pattern as it lay on the body; nothing where it cannot be made.
    pub fn cells(&self) -> Option<PlacedPattern<'_>> {
        let pattern = self.pattern.get().ok()?;
        Some(PlacedPattern::new(pattern, self.placement))
    }
}

impl CutHistory {
    /// Of a piece within a box; `last` is what broke the body, where there are cells that tell what was left of it.
    pub fn of_piece(&self, bounds: [Vec3; 2], last: Option<CutRecord>) -> Self {
        Self {
            parts: self.parts.clone(),
            breaks: self.within(bounds).cloned().chain(last).collect(),
        }
    }

    /// What breaks have left within a box.
    pub fn carvings(&self, bounds: [Vec3; 2]) -> Vec<PastFracture<'_>> {
        let carvings = self.within(bounds).filter_map(|(cut, kind)| {
            Some(PastFracture {
                // Hulls are looked at, so that they fit whatever is missing here.
                pattern: cut.cells()?,
                kind: *kind,
                removed: &cut.broken_out,
            })
        });
        carvings.collect()
    }

    /// The breaks that have to do with what is in a box: others took something elsewhere.
    fn within(&self, bounds: [Vec3; 2]) -> impl Iterator<Item = &CutRecord> {
        let carved = self.breaks.iter();
        carved.filter(move |carved| concerns(carved, bounds))
    }
}

/// Whether a break has made something of what is in a box.
fn concerns((cut, kind): &CutRecord, [low, high]: [Vec3; 2]) -> bool {
    let [least, most] = cut.broken_out.bounds.as_vec3();
    let is_apart = low.cmpgt(most) | high.cmplt(least);
    matches!(kind, PieceKind::Fragment { .. }) || !is_apart.any()
}
