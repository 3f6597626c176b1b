//! Which pieces a broken body became, so that late hits find them.

use std::collections::BTreeMap;

use crate::pieces::BodyId;

/// Broken bodies and their pieces. A broken body is forgotten with its last piece.
#[derive(Default)]
pub(crate) struct PieceTree {
    pieces: BTreeMap<BodyId, Vec<BodyId>>,
    parents: BTreeMap<BodyId, BodyId>,
}

impl PieceTree {
    /// `body` has become `pieces`.
    pub fn record(&mut self, body: BodyId, pieces: Vec<BodyId>) {
        for &piece in &pieces {
            self.parents.insert(piece, body);
        }
        self.pieces.insert(body, pieces);
    }

    /// What a body was broken into, without those pieces that have gone; none when it is whole.
    pub fn pieces(&self, body: BodyId) -> &[BodyId] {
        self.pieces.get(&body).map_or(&[], Vec::as_slice)
    }

    /// The living pieces of a body and of its pieces, by id; none for a body that is whole.
    pub fn descendants(&self, body: BodyId) -> Vec<BodyId> {
        let mut living = Vec::new();
        let mut open = self.pieces.get(&body).cloned().unwrap_or_default();
        while let Some(piece) = open.pop() {
            match self.pieces.get(&piece) {
                Some(further) => open.extend(further),
                None => living.push(piece),
            }
        }
        living.sort_unstable();
        living
    }

    /// A living body has gone without pieces.
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
