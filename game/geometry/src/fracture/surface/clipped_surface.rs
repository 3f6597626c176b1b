//! Surface in the affected cells: ranges of whole triangles and clipped polygons, sorted by cell.

use crate::fracture::ids::{LocalCell, PolygonId};
use crate::fracture::surface::classify::{CellRange, ClipOutput};
use crate::fracture::surface::polygon::PolygonView;
use crate::math::{Csr, PooledVec};

/// Part of a clipped triangle in one affected cell.
#[derive(Clone, Copy, Debug)]
pub struct Polygon {
    pub triangle: u32,
    pub cell: LocalCell,
    /// Place of its vertices: the clipper's output, first vertex and count.
    output: u32,
    first: u32,
    count: u32,
}

/// Surface in the affected cells; reused from one break to the next.
#[derive(Default)]
pub struct ClippedSurface {
    /// Output of the clipper by subtree, ascending by triangle.
    pub outputs: PooledVec<ClipOutput>,
    /// Ascending by triangle, then by cell.
    pub polygons: Vec<Polygon>,
    polygons_by_cell: Csr<PolygonId>,
    ranges_by_cell: Csr<CellRange>,
}

impl ClippedSurface {
    /// Sorts the outputs by cell.
    pub fn sort_by_cell(&mut self, cells: usize) {
        let outputs = &self.outputs;
        self.polygons.clear();
        for (output, own) in (0..).zip(outputs.iter()) {
            self.polygons
                .extend(own.polygons.iter().map(|polygon| Polygon {
                    triangle: polygon.triangle,
                    cell: polygon.cell,
                    output,
                    first: polygon.first,
                    count: polygon.count,
                }));
        }
        self.polygons_by_cell.fill(cells, || {
            let polygons = self.polygons.iter().zip(0..);
            polygons.map(|(polygon, id)| (polygon.cell.0, PolygonId(id)))
        });
        self.ranges_by_cell.fill(cells, || {
            let ranges = outputs.iter().flat_map(|output| &output.ranges);
            ranges.map(|range| (range.cell.0, *range))
        });
    }

    /// Ranges of triangles that lie in a cell, ascending.
    pub fn ranges_in(&self, cell: LocalCell) -> &[CellRange] {
        self.ranges_by_cell.row(cell.0)
    }

    /// Polygons in a cell, ascending by triangle.
    pub fn polygons_in(&self, cell: LocalCell) -> &[PolygonId] {
        self.polygons_by_cell.row(cell.0)
    }

    /// Polygon of an id.
    pub fn polygon(&self, id: PolygonId) -> &Polygon {
        &self.polygons[id.index()]
    }

    /// Polygon of a clipped triangle in one cell; `first` is the triangle's first polygon.
    pub fn polygon_of_triangle(&self, first: PolygonId, cell: LocalCell) -> Option<PolygonId> {
        let triangle = self.polygon(first).triangle;
        let mut own = self.polygons[first.index()..]
            .iter()
            .take_while(|polygon| polygon.triangle == triangle);
        let at = own.position(|polygon| polygon.cell == cell)?;
        Some(PolygonId(first.0 + at as u32))
    }

    /// Vertices and edge labels of a polygon.
    pub fn view(&self, polygon: &Polygon) -> PolygonView<'_> {
        let first = polygon.first as usize;
        let vertices = &self.outputs[polygon.output as usize].vertices;
        vertices.view(first..first + polygon.count as usize)
    }

    /// Whether a cell contains no part of the surface.
    pub fn is_empty_in(&self, cell: LocalCell) -> bool {
        self.ranges_in(cell).is_empty() && self.polygons_in(cell).is_empty()
    }

    /// Whether no affected cell contains part of the surface.
    pub fn is_empty(&self) -> bool {
        self.outputs
            .iter()
            .all(|output| output.ranges.is_empty() && output.polygons.is_empty())
    }
}
