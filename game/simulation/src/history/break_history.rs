//! What is remembered of the breaks of all bodies.

use std::collections::BTreeMap;
use std::sync::Arc;

use fracture_geometry::PieceKind;

use super::log::{BreakLog, BreakRecord, LoggedCause, PieceRef, PieceState};
use super::snapshot::SourceInfo;
use crate::pieces::BodyId;

/// The breaks of each body that was added, and the names of its living pieces.
#[derive(Default)]
pub(crate) struct BreakHistory {
    breaks: BTreeMap<BodyId, Vec<BreakRecord>>,
    /// How much of each has become crumbs, m^3.
    crumbs: BTreeMap<BodyId, f64>,
    facts: BTreeMap<BodyId, SourceInfo>,
    origins: BTreeMap<BodyId, PieceOrigin>,
}

/// Where a living piece comes from.
pub(crate) struct PieceOrigin {
    /// The whole body.
    pub root: BodyId,
    pub piece: PieceRef,
    /// What it is, and before that what those were that it was a part of.
    pub line: Arc<[PieceKind]>,
}

/// What a body or piece has become.
pub(crate) struct Parts<'a> {
    pub pieces: &'a [(BodyId, PieceKind)],
    /// m^3
    pub crumbs: f64,
    /// Of what was broken.
    pub facts: SourceInfo,
}

impl BreakHistory {
    /// A body or piece has become pieces.
    pub fn record(&mut self, body: BodyId, cause: LoggedCause, hits: u64, parts: &Parts) {
        if parts.pieces.is_empty() {
            return; // the body went while the break was under way
        }
        let whole = || PieceOrigin {
            root: body,
            piece: PieceRef::WHOLE,
            line: Arc::default(),
        };
        let PieceOrigin { root, piece, line } = self.origins.remove(&body).unwrap_or_else(whole);
        let breaks = self.breaks.entry(root).or_default();
        let made_by = u32::try_from(breaks.len()).unwrap_or(u32::MAX);
        breaks.push(BreakRecord {
            piece,
            cause,
            hits,
            pieces: u32::try_from(parts.pieces.len()).unwrap_or(u32::MAX),
        });
        *self.crumbs.entry(root).or_default() += parts.crumbs;
        // The first to break is the whole.
        self.facts.entry(root).or_insert(parts.facts);
        for (index, (piece, kind)) in (0..).zip(parts.pieces) {
            let origin = PieceOrigin {
                root,
                piece: PieceRef { made_by, index },
                line: line.iter().chain([kind]).copied().collect(),
            };
            self.origins.insert(*piece, origin);
        }
    }

    /// A whole body has become the pieces of a past, all at once.
    pub fn recall(
        &mut self,
        root: BodyId,
        (crumbs, facts): (f64, SourceInfo),
        breaks: &[BreakRecord],
        pieces: Vec<(BodyId, PieceOrigin)>,
    ) {
        self.breaks.insert(root, breaks.to_vec());
        self.crumbs.insert(root, crumbs);
        self.facts.insert(root, facts);
        self.origins.extend(pieces);
    }

    /// Names breaks and pieces as a past does that has come to pass again, in whatever order. `made` are
    /// its living pieces.
    pub fn adopt(&mut self, root: BodyId, past: &BreakLog, made: &[(&PieceState, BodyId)]) {
        self.breaks.insert(root, past.breaks.clone());
        for (state, body) in made {
            if let Some(origin) = self.origins.get_mut(body) {
                origin.piece = state.piece;
            }
        }
    }

    /// The breaks of a whole body and its pieces, in order.
    pub fn breaks(&self, root: BodyId) -> &[BreakRecord] {
        self.breaks.get(&root).map_or(&[], Vec::as_slice)
    }

    /// The living pieces of a whole body, by name.
    pub fn pieces(&self, root: BodyId) -> Vec<(PieceRef, BodyId)> {
        let own = self.origins.iter().filter(|(_, of)| of.root == root);
        let mut pieces: Vec<_> = own.map(|(body, of)| (of.piece, *body)).collect();
        pieces.sort_unstable();
        pieces
    }

    /// What a living piece is, and before that what those were that it was a part of.
    pub fn line(&self, piece: BodyId) -> Option<&[PieceKind]> {
        Some(&self.origins.get(&piece)?.line)
    }

    /// How much of a whole body has become crumbs, m^3.
    pub fn crumbs(&self, root: BodyId) -> f64 {
        self.crumbs.get(&root).copied().unwrap_or_default()
    }

    /// What is known of a whole body that was broken.
    pub fn facts(&self, root: BodyId) -> Option<SourceInfo> {
        self.facts.get(&root).copied()
    }

    /// A piece has gone.
    pub fn forget(&mut self, piece: BodyId) {
        self.origins.remove(&piece);
    }

    /// A whole body has been removed with all its pieces.
    pub fn forget_all(&mut self, root: BodyId) {
        self.breaks.remove(&root);
        self.crumbs.remove(&root);
        self.facts.remove(&root);
    }
}
