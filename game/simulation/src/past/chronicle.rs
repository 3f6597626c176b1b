//! What is remembered of the breaks of all bodies.

use std::collections::BTreeMap;

use super::{Past, PastBreak, PastCause, PieceRef};
use crate::body::BodyId;

/// The breaks of each body that was added, and the names of its living pieces.
#[derive(Default)]
pub(crate) struct Chronicle {
    breaks: BTreeMap<BodyId, Vec<PastBreak>>,
    /// The whole body that a living piece comes from, and its name there.
    origins: BTreeMap<BodyId, (BodyId, PieceRef)>,
}

impl Chronicle {
    /// A body or piece has become pieces.
    pub fn record(&mut self, body: BodyId, cause: PastCause, hits: u64, pieces: &[BodyId]) {
        if pieces.is_empty() {
            return; // the body went while the break was under way
        }
        let origin = self.origins.remove(&body);
        let (root, piece) = origin.unwrap_or((body, PieceRef::WHOLE));
        let breaks = self.breaks.entry(root).or_default();
        let made_by = u32::try_from(breaks.len()).unwrap_or(u32::MAX);
        breaks.push(PastBreak {
            piece,
            cause,
            hits,
            pieces: u32::try_from(pieces.len()).unwrap_or(u32::MAX),
        });
        for (index, piece) in (0..).zip(pieces) {
            self.origins
                .insert(*piece, (root, PieceRef { made_by, index }));
        }
    }

    /// Names breaks and pieces as a past does that has come to pass again, in whatever order. `made`
    /// are the pieces of each of its breaks.
    pub fn adopt(&mut self, root: BodyId, past: &Past, made: &[Option<Vec<BodyId>>]) {
        self.breaks.insert(root, past.breaks.clone());
        for (made_by, pieces) in (0..).zip(made) {
            for (index, piece) in (0..).zip(pieces.iter().flatten()) {
                if let Some(origin) = self.origins.get_mut(piece) {
                    *origin = (root, PieceRef { made_by, index });
                }
            }
        }
    }

    /// The breaks of a whole body and its pieces, in order.
    pub fn breaks(&self, root: BodyId) -> &[PastBreak] {
        self.breaks.get(&root).map_or(&[], Vec::as_slice)
    }

    /// The living pieces of a whole body, by name.
    pub fn pieces(&self, root: BodyId) -> Vec<(PieceRef, BodyId)> {
        let own = self.origins.iter().filter(|(_, (of, _))| *of == root);
        let mut pieces: Vec<_> = own.map(|(body, (_, piece))| (*piece, *body)).collect();
        pieces.sort_unstable();
        pieces
    }

    /// A piece has gone.
    pub fn forget(&mut self, piece: BodyId) {
        self.origins.remove(&piece);
    }

    /// A whole body has been removed with all its pieces.
    pub fn forget_all(&mut self, root: BodyId) {
        self.breaks.remove(&root);
    }
}
