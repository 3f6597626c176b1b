//! Cut history: the convex parts of the intact body, and the patterns that have cut it since. Clipping
//! the parts by the cells of all cuts gives the hulls of a fragment without a search, which halves the
//! time for hulls of pieces that break again.

use std::sync::{Arc, OnceLock};

use fracture_geometry::hulls::{
    ConvexParts, FractureHistory, PastFracture, PlacedPattern, RemovedCells,
};
use fracture_geometry::{Fracture, Pattern, PieceKind, Placement};
use glam::Vec3;

use super::blades::CutBy;
use super::lazy::{LazyParts, LazyPattern};
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

/// All cuts that a body has been through.
#[derive(Clone)]
pub(crate) struct CutHistory {
    /// Of the intact body.
    pub source_parts: Arc<LazyParts>,
    /// Oldest first.
    pub cuts: Vec<CutRecord>,
}

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
        let make = || self.base.detailed(self.detail).ok();
        self.detailed.get_or_init(make).as_ref()?.get().ok()
    }
}

impl Cut {
    fn placed_pattern(&self) -> Option<PlacedPattern<'_>> {
        let pattern = self.pattern.get()?;
        Some(PlacedPattern::new(pattern, self.placement))
    }

    /// Whether the cut shaped what lies within some bounds; other cuts removed something elsewhere.
    fn shaped(&self, kind: PieceKind, [low, high]: [Vec3; 2]) -> bool {
        let [removed_low, removed_high] = self.removed.bounds.as_vec3();
        let is_apart = low.cmpgt(removed_high) | high.cmplt(removed_low);
        matches!(kind, PieceKind::Fragment { .. }) || !is_apart.any()
    }
}

impl CutHistory {
    /// The history of an intact body.
    pub fn new(source_parts: Arc<LazyParts>) -> Self {
        Self {
            source_parts,
            cuts: Vec::new(),
        }
    }

    fn relevant(&self, bounds: [Vec3; 2]) -> impl Iterator<Item = &CutRecord> {
        let cuts = self.cuts.iter();
        cuts.filter(move |(cut, kind)| cut.shaped(*kind, bounds))
    }

    /// The history by which the hulls of a piece with this cut history are clipped, if the last cut made it a
    /// fragment, with the convex parts of the intact body. `None` where one hull does for each fragment, because
    /// the body is convex, where it has no convex parts, and for a blade, which makes no fragments.
    pub fn hull_clipper<'a>(&'a self, parts: &'a ConvexParts) -> Option<FractureHistory<'a>> {
        let ((cut, _), earlier) = self.cuts.split_last()?;
        if cut.by != CutBy::Pattern {
            return None;
        }
        let bounds = cut.removed.bounds.as_vec3();
        let relevant = earlier
            .iter()
            .filter(|(cut, kind)| cut.shaped(*kind, bounds));
        let past = relevant.filter_map(|(cut, kind)| {
            Some(PastFracture {
                // A cut may be left out: hulls are checked against the piece and searched for otherwise.
                pattern: cut.placed_pattern()?,
                kind: *kind,
                removed: &cut.removed,
            })
        });
        let past: Vec<PastFracture> = past.collect();
        if parts.is_empty() || parts.len() <= 1 && past.is_empty() {
            return None;
        }
        Some(FractureHistory {
            parts,
            past,
            pattern: cut.placed_pattern()?,
        })
    }
}

/// Builds the cut history that new pieces inherit: the parent's history plus this break.
pub(crate) struct CutInheritance<'a> {
    parent: &'a CutHistory,
    /// `None` for a collapse, which no pattern has cut.
    latest: Option<LatestCut>,
}

struct LatestCut {
    cut: Arc<Cut>,
    /// By piece.
    kinds: Vec<PieceKind>,
}

impl<'a> CutInheritance<'a> {
    /// For the pieces of a collapse.
    pub fn of_collapse(parent: &'a CutHistory) -> Self {
        Self {
            parent,
            latest: None,
        }
    }

    /// For the pieces of a break by a pattern.
    pub fn of_break(
        parent: &'a CutHistory,
        pattern: CutPattern,
        by: CutBy,
        placement: Placement,
        broken: &Fracture,
    ) -> Self {
        let cut = Cut {
            pattern,
            by,
            placement,
            removed: RemovedCells::from_fracture(broken),
        };
        Self {
            parent,
            latest: Some(LatestCut {
                cut: Arc::new(cut),
                kinds: broken.pieces.iter().map(|piece| piece.kind).collect(),
            }),
        }
    }

    /// Convex parts of the intact body.
    pub fn source_parts(&self) -> &Arc<LazyParts> {
        &self.parent.source_parts
    }

    /// Whether fragments are those of cells, and not of a collapse.
    pub fn is_by_cells(&self) -> bool {
        self.latest.is_some()
    }

    /// The history of a piece with the given bounds: the relevant cuts of the parent, and the latest.
    pub fn for_piece(&self, piece: usize, bounds: [Vec3; 2]) -> CutHistory {
        let latest = self.latest.as_ref();
        let latest = latest.and_then(|latest| {
            let kind = *latest.kinds.get(piece)?;
            Some((latest.cut.clone(), kind))
        });
        CutHistory {
            source_parts: self.parent.source_parts.clone(),
            cuts: self
                .parent
                .relevant(bounds)
                .cloned()
                .chain(latest)
                .collect(),
        }
    }
}
