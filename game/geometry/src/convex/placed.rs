//! The cells of a pattern as it lies on a body, as planes.

use super::polyhedron::Plane;
use crate::pattern::Pattern;
use crate::placement::Placement;
use glam::DMat3;

/// A pattern laid onto a body.
pub struct PlacedCells<'a> {
    pattern: &'a Pattern,
    placement: Placement,
    /// Takes normals from pattern space to the body's.
    turn: DMat3,
}

impl<'a> PlacedCells<'a> {
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
}
