//! The cells of a pattern as it lies on a body, as planes.

use crate::hulls::shape::convex_hull::Plane;
use crate::hulls::shape::convex_polyhedron::ConvexPolyhedron;
use crate::pattern::Pattern;
use crate::Placement;
use glam::DMat3;

/// A pattern laid onto a body.
pub struct PlacedPattern<'a> {
    pattern: &'a Pattern,
    placement: Placement,
    /// Takes normals from pattern space to the body's.
    turn: DMat3,
}

impl<'a> PlacedPattern<'a> {
    /// By any affine placement.
    pub fn new(pattern: &'a Pattern, placement: Placement) -> Self {
        Self {
            pattern,
            placement,
            turn: placement.linear.inverse().transpose(),
        }
    }

    /// What bounds a cell: the neighbours, and the planes to them, nearest first.
    pub(super) fn planes(&self, cell: u32) -> impl Iterator<Item = (u32, Plane)> + '_ {
        let own = self.pattern.site(cell);
        let neighbors = self.pattern.neighbors(cell).iter();
        neighbors.map(move |&neighbor| {
            let other = self.pattern.site(neighbor);
            let normal = (self.turn * (other - own)).normalize_or_zero();
            let middle = self.placement.point(0.5 * (own + other));
            (neighbor, Plane::through(normal, middle))
        })
    }

    /// What a block has in a cell.
    pub(super) fn clipped(&self, block: &ConvexPolyhedron, cell: u32) -> Option<ConvexPolyhedron> {
        if !self.touches(block, cell) {
            return None;
        }
        let mut planes = self.planes(cell);
        planes.try_fold(block.clone(), |part, (_, plane)| part.below(&plane))
    }

    /// Whether no single plane of a cell has all of a block beyond it.
    fn touches(&self, block: &ConvexPolyhedron, cell: u32) -> bool {
        self.planes(cell)
            .all(|(_, plane)| block.reach(&plane)[0] < 0.0)
    }
}
