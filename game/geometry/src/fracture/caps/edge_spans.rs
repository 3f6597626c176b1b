//! Pattern edges against the solid: where they cross its surface, and which stretches lie inside.
//!
//! Along an edge the winding number of the solid changes by one at each crossing. It is 0 at the far
//! ends of outer edges; a connected set of edges that has none is settled by counting the crossings
//! of one line to infinity, with the same exact predicates.

use crate::fracture::active_cells::ActiveCells;
use crate::fracture::caps::winding::VertexWindings;
use crate::fracture::edge_point::{EdgeCrossing, EdgePoint, EdgePointSource};
use crate::fracture::grid::GridFrame;
use crate::fracture::surface::clipped_surface::ClippedSurface;
use crate::math::SparseSet;
use std::cmp::Ordering;
use std::ops::Range;

/// A part of a pattern edge between neighbouring crossings or ends, in the edge's direction.
#[derive(Clone, Copy, Debug)]
pub struct EdgeSpan {
    pub from: EdgePoint,
    pub to: EdgePoint,
    /// How many times the solid winds around it: 0 outside (such are not listed), 1 inside, others
    /// where the solid overlaps itself.
    pub winding: i32,
}

/// Finds stretches, break after break in the same memory.
#[derive(Default)]
pub struct EdgeSpans {
    /// Ordered by edge.
    pub stretches: Vec<EdgeSpan>,
    /// The pattern edges of the affected cells, numbered ascending.
    edges: SparseSet,
    /// By number of an edge: where its crossings and its stretches start; one more at the end.
    crossing_starts: Vec<u32>,
    stretch_starts: Vec<u32>,
    /// By edge and place along it.
    crossings: Vec<EdgeCrossing>,
    windings: VertexWindings,
}

impl EdgeSpans {
    /// Finds the stretches of all edges of the affected cells.
    pub fn find(&mut self, frame: &GridFrame, slots: &ActiveCells, surface: &ClippedSurface) {
        self.number_edges(frame, slots);
        self.sort_crossings(surface);
        let of_edge = |number: usize| {
            let starts = &self.crossing_starts[number..number + 2];
            &self.crossings[starts[0] as usize..starts[1] as usize]
        };
        self.windings.spread(frame, self.edges.ids(), |number| {
            let own = of_edge(number).iter();
            own.map(|c| -i32::from(c.leaving)).sum()
        });
        self.stretches.clear();
        self.stretch_starts.clear();
        for (number, &edge) in self.edges.ids().iter().enumerate() {
            self.stretch_starts.push(self.stretches.len() as u32);
            let mut winding = self.windings.at_start(number);
            let own = of_edge(number);
            if winding == 0 && own.is_empty() {
                continue;
            }
            let ends = frame.pattern.edge(edge).ends.map(|vertex| EdgePoint {
                what: EdgePointSource::Vertex(vertex),
                at: frame.pattern_vertex(vertex),
            });
            let mut from = ends[0];
            let mut push = |from: EdgePoint, to: EdgePoint, winding: i32| {
                if winding != 0 {
                    self.stretches.push(EdgeSpan { from, to, winding });
                }
            };
            for crossing in own {
                push(from, crossing.place, winding);
                from = crossing.place;
                winding -= i32::from(crossing.leaving);
            }
            push(from, ends[1], winding);
        }
        self.stretch_starts.push(self.stretches.len() as u32);
    }

    /// The stretches of a pattern edge, by their numbers.
    pub fn stretches_of(&self, edge: u32) -> Range<u32> {
        let number = self.edges.index_of(edge) as usize;
        match self.stretch_starts.get(number..=number.saturating_add(1)) {
            Some(&[start, end]) => start..end,
            _ => 0..0,
        }
    }

    fn number_edges(&mut self, frame: &GridFrame, slots: &ActiveCells) {
        self.edges.clear();
        if slots.count() == frame.pattern.cell_count() {
            (0..frame.pattern.edge_count() as u32).for_each(|edge| {
                self.edges.insert(edge);
            });
            return;
        }
        let faces = slots.cells().iter().flat_map(|c| frame.pattern.faces(*c));
        for side in faces.flat_map(|face| frame.pattern.face_edges(face)) {
            self.edges.insert(side.edge);
        }
        self.edges.sort();
    }

    /// Sorts all crossings by edge and place along it.
    fn sort_crossings(&mut self, surface: &ClippedSurface) {
        let all = || surface.chunks.iter().flat_map(|chunk| &chunk.crossings);
        let starts = &mut self.crossing_starts;
        // One edge further: filling in moves each start to its end, which is the next one's start.
        starts.clear();
        starts.resize(self.edges.len() + 2, 0);
        for crossing in all() {
            starts[self.edges.index_of(crossing.edge) as usize + 2] += 1;
        }
        for number in 2..starts.len() {
            starts[number] += starts[number - 1];
        }
        self.crossings.clear();
        let count = starts.last().map_or(0, |last| *last as usize);
        if let Some(any) = all().next() {
            self.crossings.resize(count, *any);
        }
        for crossing in all() {
            let next = &mut starts[self.edges.index_of(crossing.edge) as usize + 1];
            self.crossings[*next as usize] = *crossing;
            *next += 1;
        }
        for own in starts.windows(2) {
            if own[1] - own[0] > 1 {
                self.crossings[own[0] as usize..own[1] as usize].sort_unstable_by(along);
            }
        }
    }
}

/// The order of crossings along an edge.
fn along(a: &EdgeCrossing, b: &EdgeCrossing) -> Ordering {
    let triangle = |c: &EdgeCrossing| match c.place.what {
        EdgePointSource::Triangle(triangle) | EdgePointSource::Vertex(triangle) => triangle,
    };
    a.along
        .total_cmp(&b.along)
        .then(a.leaving.cmp(&b.leaving))
        .then(triangle(a).cmp(&triangle(b)))
}
