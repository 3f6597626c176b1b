//! Polygons on triangles, as the lines that their edges lie on and the corners between those.

use glam::DVec3;
use std::ops::Range;

/// The line along which a polygon edge runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeLabel {
    /// Edge `k` of the triangle, from corner `k` to the next.
    Edge(u8),
    /// The bisector to another cell.
    Cell(u32),
}

/// The corners of polygons, one polygon after another. Lists of their own, because most of who asks
/// wants one of them.
#[derive(Debug, Default)]
pub struct PolygonVertices {
    lines: Vec<EdgeLabel>,
    places: Vec<DVec3>,
    weights: Vec<[f64; 3]>,
}

impl PolygonVertices {
    pub fn clear(&mut self) {
        self.lines.clear();
        self.places.clear();
        self.weights.clear();
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn push(&mut self, line: EdgeLabel, place: DVec3, weights: [f64; 3]) {
        self.lines.push(line);
        self.places.push(place);
        self.weights.push(weights);
    }

    /// One polygon.
    pub fn outline(&self, own: Range<usize>) -> PolygonView<'_> {
        PolygonView {
            lines: &self.lines[own.clone()],
            places: &self.places[own.clone()],
            weights: &self.weights[own],
        }
    }
}

/// A polygon, counter-clockwise like its triangle.
#[derive(Clone, Copy, Debug)]
pub struct PolygonView<'a> {
    /// The line along which the outline goes on from each corner.
    pub lines: &'a [EdgeLabel],
    /// Positions in object space; the same bits from whichever cell they are seen.
    pub places: &'a [DVec3],
    /// Barycentric weights in the triangle.
    pub weights: &'a [[f64; 3]],
}

/// A polygon edge, from its corner to the next.
#[derive(Clone, Copy, Debug)]
pub struct PolygonEdge {
    /// The corner that it starts from.
    pub at: usize,
    /// The corner that it leads to.
    pub next: usize,
    /// The line on which the outline arrives.
    pub before: EdgeLabel,
    /// The line of the edge.
    pub line: EdgeLabel,
}

impl<'a> PolygonView<'a> {
    /// The edge that starts at a corner.
    pub fn step(&self, at: usize) -> PolygonEdge {
        let last = self.lines.len() - 1;
        PolygonEdge {
            at,
            next: if at == last { 0 } else { at + 1 },
            before: self.lines[if at == 0 { last } else { at - 1 }],
            line: self.lines[at],
        }
    }

    /// The edges.
    pub fn steps(self) -> impl Iterator<Item = PolygonEdge> + 'a {
        (0..self.lines.len()).map(move |at| self.step(at))
    }
}
