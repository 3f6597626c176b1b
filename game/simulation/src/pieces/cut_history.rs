//! Cut history: the convex parts of the intact body, and the patterns that have cut it since. Clipping
//! the parts by the cells of all cuts gives the hulls of a fragment without a search, which halves the
//! time for hulls of pieces that break again.

use std::sync::{Arc, OnceLock};

use fracture_geometry::hulls::{ConvexParts, FractureHistory, PastFracture, RemovedCells};
use fracture_geometry::{Fracture, Mesh, PieceKind, Placement};
use glam::Vec3;

use super::blades::CutBy;
use super::cut::{Cut, CutPattern, CutRecord};
use super::lazy::LazyParts;
use super::remaining_parts::{RemainingParts, MAX_PLAIN_TRIANGLES};

/// All cuts that a body has been through.
#[derive(Clone)]
pub(crate) struct CutHistory {
    /// Of the intact body.
    pub source_parts: Arc<LazyParts>,
    /// Whether these are found in no time: those of a wall, a beam or a column.
    pub has_plain_source: bool,
    /// Oldest first.
    pub cuts: Vec<CutRecord>,
    /// Of a held piece, once found; `None` where they are not all of it.
    remaining_parts: OnceLock<Option<RemainingParts>>,
}

impl CutHistory {
    /// The history of an intact body.
    pub fn new(source_parts: Arc<LazyParts>, source_triangles: usize) -> Self {
        Self::with_cuts(source_parts, source_triangles, Vec::new())
    }

    /// The history of a body with given cuts.
    pub fn with_cuts(
        source_parts: Arc<LazyParts>,
        source_triangles: usize,
        cuts: Vec<CutRecord>,
    ) -> Self {
        Self {
            source_parts,
            has_plain_source: source_triangles <= MAX_PLAIN_TRIANGLES,
            cuts,
            remaining_parts: OnceLock::new(),
        }
    }

    /// The convex parts that a held piece consists of, where they are found.
    pub fn remaining_parts(&self) -> Option<&RemainingParts> {
        self.remaining_parts.get()?.as_ref()
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

    /// Finds the convex parts of a held piece with a history, a mesh and a volume (m^3), but not of bodies whose parts take
    /// long to find. The same whether those of the parent are known or not.
    pub async fn find_remaining_parts(&self, history: &CutHistory, mesh: &Mesh, volume: f64) {
        if history.remaining_parts.get().is_some() {
            return;
        }
        // Where one of its cuts is of no more account the parts are those without it.
        let has_all = history.cuts.len() == self.parent.cuts.len() + 1;
        let of_parent = self.parent.remaining_parts().filter(|_| has_all);
        let is_island = matches!(history.cuts.last(), Some((_, PieceKind::Island { .. })));
        let is_alone = || is_island && self.is_only_island();
        let found = match (of_parent, history.cuts.last()) {
            _ if !history.has_plain_source => None,
            (Some(parts), Some(last)) => parts.after_next(last, mesh, volume, is_alone()).await,
            _ => {
                let source = history.source_parts.get_in_steps().await;
                RemainingParts::after(source, &history.cuts, mesh, volume, is_alone()).await
            }
        };
        history.remaining_parts.get_or_init(|| found);
    }

    /// Whether all that the last cut has not made fragments is one island.
    fn is_only_island(&self) -> bool {
        let kinds = self.latest.iter().flat_map(|latest| &latest.kinds);
        kinds
            .filter(|kind| matches!(kind, PieceKind::Island { .. }))
            .count()
            == 1
    }

    /// The history of a piece with the given bounds: the relevant cuts of the parent, and the latest.
    pub fn for_piece(&self, piece: usize, bounds: [Vec3; 2]) -> CutHistory {
        let latest = self.latest.as_ref();
        let latest = latest.and_then(|latest| {
            let kind = *latest.kinds.get(piece)?;
            Some((latest.cut.clone(), kind))
        });
        CutHistory {
            cuts: self
                .parent
                .relevant(bounds)
                .cloned()
                .chain(latest)
                .collect(),
            remaining_parts: OnceLock::new(),
            source_parts: self.parent.source_parts.clone(),
            has_plain_source: self.parent.has_plain_source,
        }
    }
}
