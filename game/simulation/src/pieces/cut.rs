//! One break of a body by a pattern, which all of its pieces share.

use std::sync::{Arc, OnceLock};

use fracture_geometry::hulls::{PlacedPattern, RemovedCells};
use fracture_geometry::steps::finish;
use fracture_geometry::{Pattern, PieceKind, Placement};
use glam::Vec3;

use super::blades::CutBy;
use super::lazy::LazyPattern;
use super::pattern_detail::PatternDetail;

/// One break by a pattern, shared by all of its pieces.
pub(crate) struct Cut {
    pub pattern: CutPattern,
    pub by: CutBy,
    pub placement: Placement,
    pub removed: RemovedCells,
}

/// The pattern of a cut.
pub(crate) struct CutPattern {
    base: Arc<LazyPattern>,
    /// The detail with which it was made for the cut.
    pub detail: PatternDetail,
    detailed: OnceLock<Option<Arc<LazyPattern>>>,
}

/// A cut, and what kind of piece the body (or the body that it was a part of) became in it.
pub(crate) type CutRecord = (Arc<Cut>, PieceKind);

impl CutPattern {
    /// The pattern with a detail, to be made when it is needed.
    pub fn new(base: Arc<LazyPattern>, detail: PatternDetail) -> Self {
        Self {
            base,
            detail,
            detailed: OnceLock::new(),
        }
    }

    fn get(&self) -> Option<&Arc<Pattern>> {
        let make = || finish(self.base.detailed(self.detail)).ok();
        self.detailed.get_or_init(make).as_ref()?.get().ok()
    }
}

impl Cut {
    pub fn placed_pattern(&self) -> Option<PlacedPattern<'_>> {
        let pattern = self.pattern.get()?;
        Some(PlacedPattern::new(pattern, self.placement))
    }

    /// Whether the cut shaped what lies within some bounds; other cuts removed something elsewhere.
    pub fn shaped(&self, kind: PieceKind, [low, high]: [Vec3; 2]) -> bool {
        let [removed_low, removed_high] = self.removed.bounds.as_vec3();
        let is_apart = low.cmpgt(removed_high) | high.cmplt(removed_low);
        matches!(kind, PieceKind::Fragment { .. }) || !is_apart.any()
    }
}
