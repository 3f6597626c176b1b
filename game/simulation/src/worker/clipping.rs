//! Hulls of the fragments of a body that has the convex parts of what it was carved from: a break clips them.

use fracture_geometry::{ConvexParts, FractureHistory, Hulls, Mesh, PastFracture, PlacedPattern};

/// A break of a body with parts.
pub(super) struct Clipping<'a> {
    /// Of the whole.
    pub parts: &'a ConvexParts,
    /// What earlier breaks have left of them.
    pub before: Vec<PastFracture<'a>>,
    /// The pattern as it lies on the body.
    pub cells: PlacedPattern<'a>,
}

impl Clipping<'_> {
    /// Hulls of a piece of a cell.
    pub fn hulls(&self, mesh: &Mesh, cell: u32) -> Hulls {
        let carved = FractureHistory {
            parts: self.parts,
            breaks: &self.before,
        };
        Hulls::clipped(mesh, (&self.cells, cell), &carved)
    }
}
