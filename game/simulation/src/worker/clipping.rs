//! Hulls of the fragments of a body that carries a convex decomposition: a break clips its parts.

use fracture_geometry::{Decomposition, Hulls, Mesh, PlacedCells};

/// A break of a decomposed body.
pub(super) struct Clipping<'a> {
    pub parts: &'a Decomposition,
    /// The pattern as it lies on the body.
    pub cells: PlacedCells<'a>,
}

impl Clipping<'_> {
    /// Hulls of a piece of a cell.
    pub fn hulls(&self, mesh: &Mesh, cell: u32) -> Hulls {
        Hulls::clipped(mesh, (&self.cells, cell), &self.parts.into())
    }
}
