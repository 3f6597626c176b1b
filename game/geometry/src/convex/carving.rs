//! What earlier breaks have left of a decomposed body, so that its pieces have its parts too.

use super::block::Block;
use super::decomposition::ConvexParts;
use super::placed::PlacedPattern;
use super::polyhedron::{bounds, meet};
use crate::fracture::{Fracture, Piece, PieceKind};
use glam::{DVec3, Vec3};
use std::collections::BTreeSet;

/// A break that a body has been through, as one of its pieces knows it.
pub struct PastFracture<'a> {
    /// The pattern as it lay on the body.
    pub cells: PlacedPattern<'a>,
    /// What the break made of the piece, or of what the piece was a part of.
    pub kind: PieceKind,
    /// What an island has not.
    pub broken_out: &'a RemovedCells,
}

/// What a break has broken out of a body: fragments.
#[derive(Clone, Debug, PartialEq)]
pub struct RemovedCells {
    /// Their cells, ascending.
    pub cells: Vec<u32>,
    /// A box around them, metres.
    pub within: [DVec3; 2],
}

impl RemovedCells {
    /// All fragments of a break.
    pub fn of(fracture: &Fracture) -> Self {
        let cell = |piece: &Piece| match piece.kind {
            PieceKind::Fragment { cell, .. } => Some(cell),
            PieceKind::Island { .. } => None,
        };
        let mut cells: Vec<u32> = fracture.fragments().filter_map(cell).collect();
        cells.sort_unstable();
        cells.dedup();
        let corners = fracture.fragments().flat_map(|piece| &piece.corners);
        let places = corners.map(|corner| Vec3::from(corner.position).as_dvec3());
        let within = bounds(&places.collect::<Vec<_>>());
        Self { cells, within }
    }
}

/// A decomposition of a whole body, and what has become of that: every part is looked at when it is asked for.
#[derive(Clone, Copy)]
pub struct FractureHistory<'a> {
    /// Of the whole.
    pub parts: &'a ConvexParts,
    /// The breaks since then, in their order.
    pub breaks: &'a [PastFracture<'a>],
}

impl<'a> From<&'a ConvexParts> for FractureHistory<'a> {
    /// What nobody has broken yet.
    fn from(parts: &'a ConvexParts) -> Self {
        Self { parts, breaks: &[] }
    }
}

impl FractureHistory<'_> {
    /// What the cell of a piece has, near the piece's box.
    pub(super) fn of_piece(
        &self,
        around: &[DVec3; 2],
        cells: &PlacedPattern,
        cell: u32,
    ) -> Vec<Block> {
        let near = self.parts.blocks.iter();
        let near = near.filter(|block| meet(block.bounds(), around));
        let own = near.filter_map(|block| cells.clipped(block, cell));
        self.breaks.iter().fold(own.collect(), |blocks, carving| {
            let left = blocks.into_iter().flat_map(|block| carving.left_of(block));
            left.filter(|block| meet(block.bounds(), around)).collect()
        })
    }

    /// What the neighbours of a piece's cell have within the piece's box.
    pub(super) fn beside_piece(
        &self,
        around: &[DVec3; 2],
        cells: &PlacedPattern,
        cell: u32,
    ) -> Vec<Block> {
        let neighbors = cells.planes(cell).map(|(neighbor, _)| neighbor);
        let blocks = neighbors.map(|neighbor| self.of_piece(around, cells, neighbor));
        let near = blocks.flatten().filter(|b| meet(b.bounds(), around));
        near.collect()
    }
}

impl PastFracture<'_> {
    /// What the break has left of a block, convex part by part.
    fn left_of(&self, block: Block) -> Vec<Block> {
        match self.kind {
            PieceKind::Fragment { cell, .. } => {
                let own = self.cells.clipped(&block, cell);
                own.into_iter().collect()
            }
            PieceKind::Island { .. } if meet(block.bounds(), &self.broken_out.within) => {
                self.without(block, &self.broken_out.cells)
            }
            PieceKind::Island { .. } => vec![block],
        }
    }

    /// A block without what some cells have of it: what all others have, which are found from cell to cell,
    /// because those that have some of a convex block hang together.
    fn without(&self, block: Block, gone: &[u32]) -> Vec<Block> {
        let has_some = |cell: &u32| self.cells.clipped(&block, *cell).is_some();
        let mut open: Vec<u32> = gone.iter().copied().filter(has_some).collect();
        if open.is_empty() {
            return vec![block];
        }
        let mut seen: BTreeSet<u32> = gone.iter().copied().collect();
        let mut left = Vec::new();
        while let Some(cell) = open.pop() {
            for (neighbor, _) in self.cells.planes(cell) {
                if !seen.insert(neighbor) {
                    continue;
                }
                if let Some(part) = self.cells.clipped(&block, neighbor) {
                    left.push(part);
                    open.push(neighbor);
                }
            }
        }
        left
    }
}
