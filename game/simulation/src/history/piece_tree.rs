//! The tree of broken bodies and their pieces, by which a late impact finds the pieces of its body.

use std::collections::BTreeMap;

use crate::types::BodyId;

/// Broken bodies and their pieces. A broken body is forgotten with its last piece.
#[derive(Default)]
pub(crate) struct PieceTree {
    pieces: BTreeMap<BodyId, Vec<BodyId>>,
    parents: BTreeMap<BodyId, BodyId>,
}

impl PieceTree {
    /// Records that a body has become pieces.
    pub fn record(&mut self, body: BodyId, pieces: Vec<BodyId>) {
        for &piece in &pieces {
            self.parents.insert(piece, body);
        }
        self.pieces.insert(body, pieces);
    }

    /// The pieces of a body's own break that have not gone; none for an unbroken body.
    pub fn pieces(&self, body: BodyId) -> &[BodyId] {
        self.pieces.get(&body).map_or(&[], Vec::as_slice)
    }

    /// The living pieces of a body and of its pieces, by id; none for an unbroken body.
    pub fn descendants(&self, body: BodyId) -> Vec<BodyId> {
        let mut living = Vec::new();
        let mut open = self.pieces(body).to_vec();
        while let Some(piece) = open.pop() {
            match self.pieces.get(&piece) {
                Some(pieces) => open.extend(pieces),
                None => living.push(piece),
            }
        }
        living.sort_unstable();
        living
    }

    /// Removes an unbroken body that has gone, and all ancestors that have no pieces left.
    pub fn forget(&mut self, body: BodyId) {
        let mut gone = body;
        while let Some(parent) = self.parents.remove(&gone) {
            let Some(siblings) = self.pieces.get_mut(&parent) else {
                return;
            };
            siblings.retain(|piece| *piece != gone);
            if !siblings.is_empty() {
                return;
            }
            self.pieces.remove(&parent);
            gone = parent;
        }
    }
}
