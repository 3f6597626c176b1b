//! Spans: the parts of Voronoi edges inside the solid.
//!
//! Along an edge the winding number of the solid changes by one at each crossing with the surface. It is 0
//! at the unbounded ends of outer edges. A connected set of edges without such an end starts from the
//! crossings of one line to infinity, counted with the same exact predicates (see [`winding`]).
//!
//! [`winding`]: crate::fracture::caps::winding

use crate::fracture::affected_cells::AffectedCells;
use crate::fracture::caps::winding::VertexWindings;
use crate::fracture::grid::GridFrame;
use crate::fracture::ids::SpanId;
use crate::fracture::surface::clipped_surface::ClippedSurface;
use crate::fracture::surface::edge_crossings::{EdgeCrossing, EdgePoint, EdgePointSource};
use crate::math::{Csr, SparseSet};
use std::cmp::Ordering;

/// Part of a Voronoi edge between consecutive crossings or ends, in the edge's direction.
#[derive(Clone, Copy, Debug)]
pub struct EdgeSpan {
    pub from: EdgePoint,
    pub to: EdgePoint,
    /// Winding number of the solid around it: 1 inside, others where the solid overlaps itself. Spans
    /// outside (0) are not listed.
    pub winding: i32,
}

/// Spans of the affected cells' edges; reused from one break to the next.
#[derive(Default)]
pub struct EdgeSpans {
    /// By edge, in its direction.
    spans: Vec<EdgeSpan>,
    /// Edges of the affected cells, numbered ascending.
    edges: SparseSet,
    /// By number of an edge: start of its spans; one more at the end.
    starts: Vec<u32>,
    /// By number of an edge: its crossings in its direction.
    crossings: Csr<EdgeCrossing>,
    windings: VertexWindings,
}

impl EdgeSpans {
    /// Replaces the spans by those of a new break.
    pub fn fill(&mut self, frame: &GridFrame, affected: &AffectedCells, surface: &ClippedSurface) {
        self.number_edges(frame, affected);
        self.sort_crossings(surface);
        let (edges, crossings) = (self.edges.ids(), &self.crossings);
        self.windings.fill(frame, edges, |edge| {
            let own = crossings.row(edge as u32).iter();
            own.map(|crossing| -i32::from(crossing.leaving)).sum()
        });
        self.spans.clear();
        self.starts.clear();
        for (number, &edge) in edges.iter().enumerate() {
            self.starts.push(self.spans.len() as u32);
            let crossings = crossings.row(number as u32);
            let winding = self.windings.at_start(number);
            if winding != 0 || !crossings.is_empty() {
                let ends = frame.pattern.edge(edge).ends.map(|vertex| EdgePoint {
                    source: EdgePointSource::Vertex(vertex),
                    position: frame.pattern_vertex(vertex),
                });
                push_spans(ends, winding, crossings, &mut self.spans);
            }
        }
        self.starts.push(self.spans.len() as u32);
    }

    /// Span of an id.
    pub fn span(&self, id: SpanId) -> &EdgeSpan {
        &self.spans[id.index()]
    }

    /// Spans of a pattern edge.
    pub fn spans_of(&self, edge: u32) -> impl Iterator<Item = SpanId> {
        let number = self.edges.index_of(edge) as usize;
        let range = match self.starts.get(number..=number.saturating_add(1)) {
            Some(&[start, end]) => start..end,
            _ => 0..0,
        };
        range.map(SpanId)
    }

    fn number_edges(&mut self, frame: &GridFrame, affected: &AffectedCells) {
        self.edges.clear();
        if affected.count() == frame.pattern.cell_count() {
            for edge in 0..frame.pattern.edge_count() as u32 {
                self.edges.insert(edge);
            }
            return;
        }
        let cells = affected.cells().iter();
        let faces = cells.flat_map(|cell| frame.pattern.faces(*cell));
        for face_edge in faces.flat_map(|face| frame.pattern.face_edges(face)) {
            self.edges.insert(face_edge.edge);
        }
        self.edges.sort();
    }

    /// Sorts all crossings by edge and position along it.
    fn sort_crossings(&mut self, surface: &ClippedSurface) {
        let count = self.edges.len();
        self.crossings.fill(count, || {
            let crossings = surface.outputs.iter().flat_map(|output| &output.crossings);
            crossings.map(|crossing| (self.edges.index_of(crossing.edge), *crossing))
        });
        for number in 0..count as u32 {
            let own = self.crossings.row_mut(number);
            if own.len() > 1 {
                own.sort_unstable_by(compare_along);
            }
        }
    }
}

/// Adds the spans of one edge that lie inside the solid.
fn push_spans(
    ends: [EdgePoint; 2],
    start_winding: i32,
    crossings: &[EdgeCrossing],
    out: &mut Vec<EdgeSpan>,
) {
    let (mut from, mut winding) = (ends[0], start_winding);
    let mut push = |from: EdgePoint, to: EdgePoint, winding: i32| {
        if winding != 0 {
            out.push(EdgeSpan { from, to, winding });
        }
    };
    for crossing in crossings {
        push(from, crossing.point, winding);
        from = crossing.point;
        winding -= i32::from(crossing.leaving);
    }
    push(from, ends[1], winding);
}

/// Order of crossings along an edge.
fn compare_along(a: &EdgeCrossing, b: &EdgeCrossing) -> Ordering {
    let triangle = |crossing: &EdgeCrossing| match crossing.point.source {
        EdgePointSource::Triangle(triangle) | EdgePointSource::Vertex(triangle) => triangle,
    };
    a.along
        .total_cmp(&b.along)
        .then(a.leaving.cmp(&b.leaving))
        .then(triangle(a).cmp(&triangle(b)))
}
