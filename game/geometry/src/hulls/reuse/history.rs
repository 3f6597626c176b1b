//! The fractures that a body went through, and what they left of its convex parts.

use super::convex_parts::ConvexParts;
use super::placed_pattern::PlacedPattern;
use crate::fracture::{Fracture, Piece, PieceKind, SLIVER_FRACTION};
use crate::hulls::shape::convex_polyhedron::ConvexPolyhedron;
use crate::math::Aabb;
use glam::Vec3;
use std::collections::BTreeSet;

/// A body's convex parts, the fractures since then, and the pattern that breaks the body now. Clips the
/// parts to the fragments of that; nothing is clipped before it is asked for.
pub struct FractureHistory<'a> {
    /// Convex parts of the whole, before any fracture.
    pub parts: &'a ConvexParts,
    /// The fractures that the body went through, in their order.
    pub past: Vec<PastFracture<'a>>,
    /// The pattern of the present fracture, placed on the body.
    pub pattern: PlacedPattern<'a>,
}

/// A fracture that a body, or a body that it was a part of, went through.
pub struct PastFracture<'a> {
    /// The pattern, placed on the body that was broken.
    pub pattern: PlacedPattern<'a>,
    /// Kind of piece (fragment of a cell, or island) that this body or its ancestor was in that
    /// fracture.
    pub kind: PieceKind,
    /// Cells removed by that fracture; used only when `kind` is [`PieceKind::Island`].
    pub removed: &'a RemovedCells,
}

/// The cells that a fracture removed from a body: those of its fragments.
#[derive(Clone, Debug, PartialEq)]
pub struct RemovedCells {
    /// Ascending.
    pub cells: Vec<u32>,
    /// Bounding box of the fragments, metres.
    pub bounds: Aabb,
}

impl RemovedCells {
    /// The cells of all fragments of a fracture.
    pub fn from_fracture(fracture: &Fracture) -> Self {
        let cell = |piece: &Piece| match piece.kind {
            PieceKind::Fragment { cell, .. } => Some(cell),
            PieceKind::Island { .. } => None,
        };
        let mut cells: Vec<u32> = fracture.fragments().filter_map(cell).collect();
        cells.sort_unstable();
        cells.dedup();
        let corners = fracture.fragments().flat_map(|piece| &piece.vertices);
        let positions = corners.map(|corner| Vec3::from(corner.position).as_dvec3());
        let bounds = Aabb::from_points(positions);
        Self { cells, bounds }
    }

    /// Volume of slivers, m^3: what is as small, the fracture has joined to a neighbor.
    pub fn sliver_volume(&self) -> f64 {
        let box_volume = self.bounds.extents().element_product();
        SLIVER_FRACTION * box_volume / self.cells.len().max(1) as f64
    }

    /// A part without the removed cells: its clips to all other cells, but those whose box has less in common with it than a
    /// volume (m^3). The cells are found from neighbor to neighbor, since those that meet a convex part are connected.
    pub(super) fn left_of(
        &self,
        part: ConvexPolyhedron,
        pattern: &PlacedPattern,
        min_volume: f64,
    ) -> Vec<ConvexPolyhedron> {
        let meets = |cell: &u32| pattern.clip(&part, *cell).is_some();
        if !self.cells.iter().any(meets) {
            return vec![part];
        }
        let mut open = self.cells.clone();
        let mut visited: BTreeSet<u32> = self.cells.iter().copied().collect();
        let mut left = Vec::new();
        while let Some(cell) = open.pop() {
            for &neighbor in pattern.neighbors(cell) {
                if !visited.insert(neighbor) {
                    continue;
                }
                // A box takes a tenth of the time of a clip, and most cells around a hole in a wall only graze it.
                let cell = pattern.bounds(neighbor);
                let Some(common) = cell.common_volume(part.bounds()) else {
                    continue;
                };
                if common < min_volume {
                    open.push(neighbor);
                    continue;
                }
                if let Some(clip) = pattern.clip(&part, neighbor) {
                    left.push(clip);
                    open.push(neighbor);
                }
            }
        }
        left
    }
}

impl FractureHistory<'_> {
    /// The parts of a cell that meet a box.
    pub(super) fn clip_to_cell(&self, bounds: &Aabb, cell: u32) -> Vec<ConvexPolyhedron> {
        let parts = self.parts.polyhedra.iter();
        let near = parts.filter(|part| part.bounds().intersects(bounds));
        let clipped = near.filter_map(|part| self.pattern.clip(part, cell));
        self.past.iter().fold(clipped.collect(), |parts, fracture| {
            let left = parts.into_iter().flat_map(|part| fracture.left_of(part));
            left.filter(|part| part.bounds().intersects(bounds))
                .collect()
        })
    }

    /// The parts of a cell's neighbors that meet a box.
    pub(super) fn clip_to_neighbors(&self, bounds: &Aabb, cell: u32) -> Vec<ConvexPolyhedron> {
        let neighbors = self.pattern.planes(cell).map(|(neighbor, _)| neighbor);
        let parts = neighbors.flat_map(|neighbor| self.clip_to_cell(bounds, neighbor));
        parts
            .filter(|part| part.bounds().intersects(bounds))
            .collect()
    }
}

impl PastFracture<'_> {
    /// The rest of a convex part after the fracture, in convex parts.
    fn left_of(&self, part: ConvexPolyhedron) -> Vec<ConvexPolyhedron> {
        match self.kind {
            PieceKind::Fragment { cell, .. } => {
                self.pattern.clip(&part, cell).into_iter().collect()
            }
            PieceKind::Island { .. } if part.bounds().intersects(&self.removed.bounds) => {
                self.removed.left_of(part, &self.pattern, 0.0)
            }
            PieceKind::Island { .. } => vec![part],
        }
    }
}
