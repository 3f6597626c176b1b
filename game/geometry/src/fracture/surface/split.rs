//! Split of a triangle that two cells share: one bisector cuts it into a triangle and a quadrilateral.
//!
//! Fast path of the common case; gives the same polygons as [`clip`](super::clip), to the bit and in the
//! same order, but computes each of the two intersections once. Saves a tenth of the work of a break of all
//! cells, and 2 to 5 percent of one near a point.

use crate::fracture::grid::GridFrame;
use crate::fracture::surface::clip::TrianglePositions;
use crate::fracture::surface::polygon::{EdgeLabel, PolygonVertex, PolygonVertices};
use glam::DVec3;

/// The two polygons of a split triangle.
pub struct TriangleSplit {
    apex_part: [PolygonVertex; 3],
    base_part: [PolygonVertex; 4],
}

impl TriangleSplit {
    /// Splits a triangle between the cell of its vertex `apex` (`cells[0]`) and the cell of the two base
    /// vertices. `values` are those of the bisector, up to its sign.
    pub fn new(
        frame: &GridFrame,
        triangle: u32,
        apex: usize,
        cells: [u32; 2],
        values: [i64; 3],
    ) -> Self {
        let triangle = TrianglePositions::new(frame, triangle);
        let (k, l, m) = (apex, (apex + 1) % 3, (apex + 2) % 3);
        let edge = |k: usize| EdgeLabel::Edge(k as u8);
        let corner = |k: usize| vertex(edge(k), triangle.vertex(k));
        let crossing = |k: usize| vertex(edge(k), triangle.on_edge(k, values));
        let on_bisector = |cell: u32, vertex: PolygonVertex| PolygonVertex {
            label: EdgeLabel::Cell(cell),
            ..vertex
        };
        let (leaving, returning) = (crossing(k), crossing(m));
        Self {
            apex_part: [corner(k), on_bisector(cells[1], leaving), returning],
            base_part: [
                leaving,
                corner(l),
                corner(m),
                on_bisector(cells[0], returning),
            ],
        }
    }

    /// Appends the polygon of the apex, starting with its smallest edge label.
    pub fn write_apex(&self, out: &mut PolygonVertices) {
        write(&self.apex_part, out);
    }

    /// Appends the polygon of the two base vertices, starting with its smallest edge label.
    pub fn write_base(&self, out: &mut PolygonVertices) {
        write(&self.base_part, out);
    }
}

fn vertex(label: EdgeLabel, (position, weights): (DVec3, [f64; 3])) -> PolygonVertex {
    PolygonVertex {
        label,
        position,
        weights,
    }
}

fn write(polygon: &[PolygonVertex], out: &mut PolygonVertices) {
    let least = (0..polygon.len()).min_by_key(|at| polygon[*at].label);
    let (end, start) = polygon.split_at(least.unwrap_or(0));
    start.iter().chain(end).for_each(|vertex| out.push(*vertex));
}
