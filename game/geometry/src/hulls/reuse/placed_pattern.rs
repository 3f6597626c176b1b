//! The cells of a pattern as it lies on a body, as planes.

use crate::fracture::Placement;
use crate::hulls::shape::convex_polyhedron::ConvexPolyhedron;
use crate::math::{Aabb, Plane};
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

    /// The cells that share a face with a cell, nearest first.
    pub(super) fn neighbors(&self, cell: u32) -> &'a [u32] {
        self.pattern.neighbors(cell)
    }

    /// Bounding box of a cell; all of space for one at the border of the pattern, which has no end.
    pub(super) fn bounds(&self, cell: u32) -> Aabb {
        let pattern = self.pattern;
        let faces = pattern.faces(cell);
        let edges = faces.flat_map(|face| pattern.face_edges(face));
        let vertices = edges.map(|edge| edge.vertex);
        if vertices
            .clone()
            .any(|vertex| pattern.is_on_clip_box(vertex))
        {
            return Aabb::ALL;
        }
        let positions = vertices.map(|vertex| pattern.vertex(vertex).position);
        Aabb::from_points(positions.map(|position| self.placement.point(position)))
    }

    /// The part of a polyhedron in a cell; `None` when there is none.
    pub(super) fn clip(
        &self,
        polyhedron: &ConvexPolyhedron,
        cell: u32,
    ) -> Option<ConvexPolyhedron> {
        let mut cutting = Vec::new();
        for (_, plane) in self.planes(cell) {
            let [lowest, highest] = plane.height_range(&polyhedron.points);
            if lowest >= 0.0 {
                return None;
            }
            if highest > 0.0 {
                cutting.push(plane);
            }
        }
        let mut cutting = cutting.iter();
        cutting.try_fold(polyhedron.clone(), |part, plane| part.clip(plane))
    }
}
