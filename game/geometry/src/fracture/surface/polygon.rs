//! Convex polygons on triangles: vertices, and the labels of the lines that the edges lie on.

use crate::pattern::sorted;
use crate::solid::Solid;
use glam::DVec3;
use std::ops::Range;

/// Line that a polygon edge lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeLabel {
    /// Edge `k` of the triangle, from vertex `k` to the next.
    Edge(u8),
    /// Bisector to another cell.
    Cell(u32),
}

/// Vertices of many polygons, one polygon after another; separate arrays, as most readers need only one.
#[derive(Debug, Default)]
pub struct PolygonVertices {
    labels: Vec<EdgeLabel>,
    positions: Vec<DVec3>,
    weights: Vec<[f64; 3]>,
}

impl PolygonVertices {
    pub fn clear(&mut self) {
        self.labels.clear();
        self.positions.clear();
        self.weights.clear();
    }

    pub fn len(&self) -> usize {
        self.labels.len()
    }

    pub fn push(&mut self, vertex: PolygonVertex) {
        self.labels.push(vertex.label);
        self.positions.push(vertex.position);
        self.weights.push(vertex.weights);
    }

    /// Polygon of a range of vertices.
    pub fn view(&self, range: Range<usize>) -> PolygonView<'_> {
        PolygonView {
            labels: &self.labels[range.clone()],
            positions: &self.positions[range.clone()],
            weights: &self.weights[range],
        }
    }
}

/// Vertex of a polygon.
#[derive(Clone, Copy, Debug)]
pub struct PolygonVertex {
    /// Label of the edge that starts at the vertex.
    pub label: EdgeLabel,
    pub position: DVec3,
    /// Barycentric weights in the triangle.
    pub weights: [f64; 3],
}

/// One polygon, counter-clockwise like its triangle.
#[derive(Clone, Copy, Debug)]
pub struct PolygonView<'a> {
    /// By vertex: label of the edge that starts there.
    pub labels: &'a [EdgeLabel],
    /// By vertex: position in object space, with the same bits in every cell that shares it.
    pub positions: &'a [DVec3],
    /// By vertex: barycentric weights in the triangle.
    pub weights: &'a [[f64; 3]],
}

/// Polygon edge, from its start vertex to the next.
#[derive(Clone, Copy, Debug)]
pub struct PolygonEdge {
    /// Index of the start vertex.
    pub start: usize,
    /// Index of the end vertex.
    pub end: usize,
    /// Label of the edge before this one.
    pub previous: EdgeLabel,
    /// Label of this edge.
    pub label: EdgeLabel,
}

impl<'a> PolygonView<'a> {
    /// Edge that starts at a vertex.
    pub fn edge(&self, start: usize) -> PolygonEdge {
        let last = self.labels.len() - 1;
        PolygonEdge {
            start,
            end: if start == last { 0 } else { start + 1 },
            previous: self.labels[if start == 0 { last } else { start - 1 }],
            label: self.labels[start],
        }
    }

    /// All edges.
    pub fn edges(self) -> impl Iterator<Item = PolygonEdge> + 'a {
        (0..self.labels.len()).map(move |start| self.edge(start))
    }
}

/// Identity of a polygon's vertex: the features that intersect there, the same in every polygon and residual
/// that shares the vertex. Cells ascend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VertexKey {
    /// Point of the solid.
    Point(u32),
    /// Edge of the solid and bisector of two cells.
    Edge(u32, [u32; 2]),
    /// Triangle of the solid and Voronoi edge of three cells.
    Triangle(u32, [u32; 3]),
}

impl VertexKey {
    /// Key of the intersection of two consecutive lines of a polygon in `cell`.
    pub fn new(solid: &Solid, triangle: u32, cell: u32, lines: [EdgeLabel; 2]) -> Self {
        match lines {
            [EdgeLabel::Edge(_), EdgeLabel::Edge(k)] => {
                Self::Point(solid.points_of(triangle)[usize::from(k)])
            }
            [EdgeLabel::Edge(k), EdgeLabel::Cell(j)] | [EdgeLabel::Cell(j), EdgeLabel::Edge(k)] => {
                let edge = solid.edge(3 * triangle + u32::from(k));
                Self::Edge(edge, sorted([cell, j]))
            }
            [EdgeLabel::Cell(j), EdgeLabel::Cell(k)] => {
                Self::Triangle(triangle, sorted([cell, j, k]))
            }
        }
    }
}
