//! What earlier breaks have left of a decomposed body, so that its pieces have its parts too.

use crate::fracture::{Fracture, Piece, PieceKind};
use crate::hulls::reuse::convex_parts::ConvexParts;
use crate::hulls::reuse::placed_pattern::PlacedPattern;
use crate::hulls::shape::convex_hull::{bounds, meet};
use crate::hulls::shape::convex_polyhedron::ConvexPolyhedron;
use glam::{DVec3, Vec3};
use std::collections::BTreeSet;

/// A break that a body has been through, as one of its pieces knows it.
pub struct PastFracture<'a> {
    /// The pattern as it lay on the body.
    pub pattern: PlacedPattern<'a>,
    /// What the break made of the piece, or of what the piece was a part of.
    pub kind: PieceKind,
    /// What an island has not.
    pub removed: &'a RemovedCells,
}

/// What a break has broken out of a body: fragments.
#[derive(Clone, Debug, PartialEq)]
pub struct RemovedCells {
    /// Their cells, ascending.
    pub cells: Vec<u32>,
    /// A box around them, metres.
    pub bounds: [DVec3; 2],
}

impl RemovedCells {
    /// All fragments of a break.
    pub fn from_fracture(fracture: &Fracture) -> Self {
        let cell = |piece: &Piece| match piece.kind {
            PieceKind::Fragment { cell, .. } => Some(cell),
            PieceKind::Island { .. } => None,
        };
        let mut cells: Vec<u32> = fracture.fragments().filter_map(cell).collect();
        cells.sort_unstable();
        cells.dedup();
        let corners = fracture.fragments().flat_map(|piece| &piece.vertices);
        let places = corners.map(|corner| Vec3::from(corner.position).as_dvec3());
        let bounds = bounds(&places.collect::<Vec<_>>());
        Self { cells, bounds }
    }
}

/// A decomposition of a whole body, and what has become of that: every part is looked at when it is asked for.
pub struct FractureHistory<'a> {
    /// Of the whole.
    pub parts: &'a ConvexParts,
    /// The breaks since then, in their order.
    pub past: Vec<PastFracture<'a>>,
    /// The pattern of the present break as it lies on the body.
    pub pattern: PlacedPattern<'a>,
}

impl FractureHistory<'_> {
    /// What the cell of a piece has, near the piece's box.
    pub(super) fn of_piece(&self, around: &[DVec3; 2], cell: u32) -> Vec<ConvexPolyhedron> {
        let near = self.parts.blocks.iter();
        let near = near.filter(|block| meet(block.bounds(), around));
        let own = near.filter_map(|block| self.pattern.clipped(block, cell));
        self.past.iter().fold(own.collect(), |blocks, carving| {
            let left = blocks.into_iter().flat_map(|block| carving.left_of(block));
            left.filter(|block| meet(block.bounds(), around)).collect()
        })
    }

    /// What the neighbours of a piece's cell have within the piece's box.
    pub(super) fn beside_piece(&self, around: &[DVec3; 2], cell: u32) -> Vec<ConvexPolyhedron> {
        let neighbors = self.pattern.planes(cell).map(|(neighbor, _)| neighbor);
        let blocks = neighbors.map(|neighbor| self.of_piece(around, neighbor));
        let near = blocks.flatten().filter(|b| meet(b.bounds(), around));
        near.collect()
    }
}

impl PastFracture<'_> {
    /// What the break has left of a block, convex part by part.
    fn left_of(&self, block: ConvexPolyhedron) -> Vec<ConvexPolyhedron> {
        match self.kind {
            PieceKind::Fragment { cell, .. } => {
                let own = self.pattern.clipped(&block, cell);
                own.into_iter().collect()
            }
            PieceKind::Island { .. } if meet(block.bounds(), &self.removed.bounds) => {
                self.without(block, &self.removed.cells)
            }
            PieceKind::Island { .. } => vec![block],
        }
    }

    /// A block without what some cells have of it: what all others have, which are found from cell to cell,
    /// because those that have some of a convex block hang together.
    fn without(&self, block: ConvexPolyhedron, gone: &[u32]) -> Vec<ConvexPolyhedron> {
        let has_some = |cell: &u32| self.pattern.clipped(&block, *cell).is_some();
        let mut open: Vec<u32> = gone.iter().copied().filter(has_some).collect();
        if open.is_empty() {
            return vec![block];
        }
        let mut seen: BTreeSet<u32> = gone.iter().copied().collect();
        let mut left = Vec::new();
        while let Some(cell) = open.pop() {
            for (neighbor, _) in self.pattern.planes(cell) {
                if !seen.insert(neighbor) {
                    continue;
                }
                if let Some(part) = self.pattern.clipped(&block, neighbor) {
                    left.push(part);
                    open.push(neighbor);
                }
            }
        }
        left
    }
}
