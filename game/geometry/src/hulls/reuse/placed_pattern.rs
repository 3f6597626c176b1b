//! The cells of a pattern as it lies on a body, as planes.

use crate::fracture::Placement;
use crate::hulls::shape::convex_polyhedron::ConvexPolyhedron;
use crate::math::Plane;
use crate::pattern::Pattern;
use glam::DMat3;

/// A pattern placed on a body.
pub struct PlacedPattern<'a> {
    pattern: &'a Pattern,
    placement: Placement,
    /// Takes normals from pattern space to the body's.
    normal_matrix: DMat3,
}

impl<'a> PlacedPattern<'a> {
    /// By any affine placement.
    pub fn new(pattern: &'a Pattern, placement: Placement) -> Self {
        Self {
            pattern,
            placement,
            normal_matrix: placement.linear.inverse().transpose(),
        }
    }

    /// The neighbors of a cell and the planes to them, nearest first.
    pub(super) fn planes(&self, cell: u32) -> impl Iterator<Item = (u32, Plane)> + '_ {
        let own = self.pattern.site(cell);
        let neighbors = self.pattern.neighbors(cell).iter();
        neighbors.map(move |&neighbor| {
            let other = self.pattern.site(neighbor);
            let normal = (self.normal_matrix * (other - own)).normalize_or_zero();
            let midpoint = self.placement.point(0.5 * (own + other));
            (neighbor, Plane::through(normal, midpoint))
        })
    }

    /// The part of a polyhedron in a cell; `None` when there is none.
    pub(super) fn clip(
        &self,
        polyhedron: &ConvexPolyhedron,
        cell: u32,
    ) -> Option<ConvexPolyhedron> {
        if !self.may_meet(polyhedron, cell) {
            return None;
        }
        let mut planes = self.planes(cell);
        planes.try_fold(polyhedron.clone(), |part, (_, plane)| part.clip(&plane))
    }

    /// Whether no single plane of a cell has all of a polyhedron above it.
    fn may_meet(&self, polyhedron: &ConvexPolyhedron, cell: u32) -> bool {
        self.planes(cell)
            .all(|(_, plane)| plane.height_range(&polyhedron.points)[0] < 0.0)
    }
}
