//! A triangle that two cells share: one bisector cuts it into a triangle and a quadrilateral.
//!
//! The same polygons as [`clip`](crate::fracture::surface::clip) makes of it, to the bit and in the same order, with
//! each of the two crossings found once.

use crate::fracture::grid::GridFrame;
use crate::fracture::surface::clipped_polygon::{EdgeLabel, PolygonVertices};
use glam::DVec3;

/// A corner, and the line along which its outline goes on.
type TopologyCorner = (EdgeLabel, DVec3, [f64; 3]);

/// The two parts of a triangle.
pub struct TriangleSplit {
    alone_part: [TopologyCorner; 3],
    other_part: [TopologyCorner; 4],
}

impl TriangleSplit {
    /// Splits a triangle along the bisector of two cells: the one that holds the corner `alone`, and
    /// the one that holds the others. `values` are those of the bisector, up to its sign.
    pub fn new(
        frame: &GridFrame,
        triangle: u32,
        alone: usize,
        cells: [u32; 2],
        values: [i64; 3],
    ) -> Self {
        let points = frame.solid.points_of(triangle);
        let places = frame.solid.positions_of(triangle);
        let (k, l, m) = (alone, (alone + 1) % 3, (alone + 2) % 3);
        let corner = |k: usize| {
            let mut weights = [0.0; 3];
            weights[k] = 1.0;
            (EdgeLabel::Edge(k as u8), places[k], weights)
        };
        let crossing = |line: EdgeLabel, k: usize| {
            let l = (k + 1) % 3;
            let ends = [places[k], places[l]];
            let (at, t) =
                GridFrame::edge_point([points[k], points[l]], ends, [values[k], values[l]]);
            let mut weights = [0.0; 3];
            (weights[k], weights[l]) = (1.0 - t, t);
            (line, at, weights)
        };
        let edge = |k: usize| EdgeLabel::Edge(k as u8);
        let (out, back) = (crossing(edge(k), k), crossing(edge(m), m));
        let toward =
            |cell: u32, corner: TopologyCorner| (EdgeLabel::Cell(cell), corner.1, corner.2);
        Self {
            alone_part: [corner(k), toward(cells[1], out), back],
            other_part: [out, corner(l), corner(m), toward(cells[0], back)],
        }
    }

    /// Appends the part with the corner that is alone, or the other one, from the least line on.
    pub fn write(&self, alone: bool, out: &mut PolygonVertices) {
        let part: &[TopologyCorner] = match alone {
            true => &self.alone_part,
            false => &self.other_part,
        };
        let least = (0..part.len()).min_by_key(|at| part[*at].0).unwrap_or(0);
        for (line, place, weights) in part[least..].iter().chain(&part[..least]) {
            out.push(*line, *place, *weights);
        }
    }
}
