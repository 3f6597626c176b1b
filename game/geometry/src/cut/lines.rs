//! Pattern edges against the solid: where they cross its surface, and which stretches lie inside.
//!
//! Along an edge the winding number of the solid changes by one at each crossing. It is 0 at the far
//! ends of outer edges; a connected set of edges that has none is settled by counting the crossings
//! of one line to infinity, with the same exact predicates.

use super::clip::Line;
use super::frame::{Around, Bisector, Frame};
use super::places::{Crossing, Place, What};
use super::surface::CellSurface;
use crate::exact;
use crate::pattern::{parity, sorted};
use glam::DVec3;

/// A part of a pattern edge between neighbouring crossings or ends, in the edge's direction.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    pub edge: u32,
    pub from: Place,
    pub to: Place,
    /// How many times the solid winds around it: 0 outside (such are not listed), 1 inside, others
    /// where the solid overlaps itself.
    pub winding: i32,
}

/// Finds stretches, break after break in the same memory.
#[derive(Default)]
pub struct Lines {
    /// Ordered by edge.
    pub stretches: Vec<Stretch>,
    edges: Vec<u32>,
    /// By edge: whether some affected cell has it.
    has_edge: Vec<bool>,
    crossings: Vec<Crossing>,
    windings: Windings,
}

impl Lines {
    /// Finds the stretches of all edges of the given (affected, ascending) cells.
    pub fn find(&mut self, frame: &Frame, surfaces: &[CellSurface]) {
        self.collect_edges(frame, surfaces);
        self.collect_crossings(surfaces);
        let Self {
            stretches,
            edges,
            crossings,
            windings,
            ..
        } = self;
        let of_edge = |edge: u32| {
            let start = crossings.partition_point(|c| c.edge < edge);
            let count = crossings[start..].partition_point(|c| c.edge == edge);
            &crossings[start..start + count]
        };
        windings.spread(frame, edges, |edge| {
            of_edge(edge).iter().map(|c| -i32::from(c.leaving)).sum()
        });
        stretches.clear();
        for &edge in &*edges {
            let ends = frame.pattern.edge(edge).ends;
            let place = |vertex: u32| Place {
                what: What::Vertex(vertex),
                at: frame.pattern_vertex(vertex),
            };
            let mut winding = windings.of(ends[0]);
            let mut from = place(ends[0]);
            let mut push = |from: Place, to: Place, winding: i32| {
                if winding != 0 {
                    stretches.push(Stretch {
                        edge,
                        from,
                        to,
                        winding,
                    });
                }
            };
            for crossing in of_edge(edge) {
                push(from, crossing.place, winding);
                from = crossing.place;
                winding -= i32::from(crossing.leaving);
            }
            push(from, place(ends[1]), winding);
        }
    }

    /// The pattern edges of the cells, ascending.
    fn collect_edges(&mut self, frame: &Frame, surfaces: &[CellSurface]) {
        let faces = surfaces.iter().flat_map(|s| frame.pattern.faces(s.cell));
        let sides = faces.flat_map(|face| frame.pattern.sides(face));
        self.has_edge.clear();
        self.has_edge.resize(frame.pattern.edge_count(), false);
        self.edges.clear();
        for side in sides {
            let known = &mut self.has_edge[side.edge as usize];
            if !std::mem::replace(known, true) {
                self.edges.push(side.edge);
            }
        }
        self.edges.sort_unstable();
    }

    /// All crossings by edge and place along it.
    fn collect_crossings(&mut self, surfaces: &[CellSurface]) {
        self.crossings.clear();
        for surface in surfaces {
            self.crossings.extend_from_slice(&surface.crossings);
        }
        self.crossings.sort_unstable_by(|a, b| {
            let triangle = |c: &Crossing| match c.place.what {
                What::Triangle(triangle) | What::Vertex(triangle) => triangle,
            };
            a.edge
                .cmp(&b.edge)
                .then(a.along.total_cmp(&b.along))
                .then(a.leaving.cmp(&b.leaving))
                .then(triangle(a).cmp(&triangle(b)))
        });
    }
}

/// Finds where the surface in a cell crosses pattern edges. A crossing is seen by up to three cells;
/// the first affected one tells.
pub fn find_crossings(frame: &Frame, surface: &mut CellSurface, is_affected: impl Fn(u32) -> bool) {
    let mut crossings = std::mem::take(&mut surface.crossings);
    crossings.clear();
    for polygon in &surface.polygons {
        for step in surface.steps(polygon) {
            let (Line::Cell(j), Line::Cell(k)) = (step.before, step.from.line) else {
                continue;
            };
            let ids = [surface.cell, j, k];
            let tells = |other: u32| other > surface.cell || !is_affected(other);
            if !tells(j) || !tells(k) {
                continue;
            }
            let cells = sorted(ids);
            let Some(edge) = frame.pattern.edge_between(cells) else {
                continue;
            };
            // Counter-clockwise around the polygon, the line of (i, before, after) leaves.
            crossings.push(Crossing {
                edge,
                along: direction(frame, cells).dot(step.from.at),
                leaving: parity(ids),
                place: Place {
                    what: What::Triangle(polygon.triangle),
                    at: step.from.at,
                },
            });
        }
    }
    surface.crossings = crossings;
}

/// The direction of a pattern edge in object space.
fn direction(frame: &Frame, [a, b, c]: [u32; 3]) -> DVec3 {
    // Cross products of gradients turn like areas: in object space it is the cross product of the
    // object-space gradients, up to a positive factor.
    frame.face_normal(a, b).cross(frame.face_normal(a, c))
}

/// Winding numbers of pattern vertices.
#[derive(Default)]
struct Windings {
    /// By vertex.
    values: Vec<Option<i32>>,
    /// By vertex: where its links end; one more at the start.
    starts: Vec<u32>,
    /// The edges at each vertex.
    links: Vec<u32>,
    todo: Vec<u32>,
}

impl Windings {
    fn of(&self, vertex: u32) -> i32 {
        self.values[vertex as usize].unwrap_or(0)
    }

    /// Spreads winding numbers from known vertices along edges that change them by `change`.
    fn spread(&mut self, frame: &Frame, edges: &[u32], change: impl Fn(u32) -> i32) {
        let ends = |edge: u32| frame.pattern.edge(edge).ends;
        let count = frame.pattern.vertex_count();
        self.link(count, edges, ends);
        self.values.clear();
        self.values.resize(count, None);
        for outer in [true, false] {
            for (edge, seed) in edges.iter().flat_map(|&e| ends(e).map(|end| (e, end))) {
                let known = self.values[seed as usize].is_some();
                if known || frame.pattern.is_outer(seed) != outer {
                    continue;
                }
                self.values[seed as usize] = Some(winding_at(frame, seed, edge));
                self.todo.push(seed);
                self.flood(ends, &change);
            }
        }
    }

    /// Sorts the edges by their ends.
    fn link(&mut self, count: usize, edges: &[u32], ends: impl Fn(u32) -> [u32; 2]) {
        self.starts.clear();
        self.starts.resize(count + 2, 0);
        for vertex in edges.iter().flat_map(|edge| ends(*edge)) {
            self.starts[vertex as usize + 2] += 1;
        }
        for vertex in 2..count + 2 {
            self.starts[vertex] += self.starts[vertex - 1];
        }
        self.links.clear();
        self.links.resize(2 * edges.len(), 0);
        for &edge in edges {
            for vertex in ends(edge) {
                let slot = &mut self.starts[vertex as usize + 1];
                self.links[*slot as usize] = edge;
                *slot += 1;
            }
        }
    }

    fn flood(&mut self, ends: impl Fn(u32) -> [u32; 2], change: &impl Fn(u32) -> i32) {
        while let Some(vertex) = self.todo.pop() {
            let here = self.of(vertex);
            for at in self.starts[vertex as usize]..self.starts[vertex as usize + 1] {
                let edge = self.links[at as usize];
                let [from, to] = ends(edge);
                let (other, there) = if vertex == from {
                    (to, here + change(edge))
                } else {
                    (from, here - change(edge))
                };
                if self.values[other as usize].is_none() {
                    self.values[other as usize] = Some(there);
                    self.todo.push(other);
                }
            }
        }
    }
}

/// The winding number at one pattern vertex: the crossings of the edge's line beyond the vertex.
fn winding_at(frame: &Frame, vertex: u32, edge: u32) -> i32 {
    if frame.pattern.is_outer(vertex) {
        return 0;
    }
    let edge = frame.pattern.edge(edge);
    let [a, b, c] = edge.cells;
    let cells = frame.pattern.vertex(vertex).cells;
    let Some(&last) = cells.iter().find(|cell| !edge.cells.contains(cell)) else {
        return 0;
    };
    if c >= frame.pattern.cell_count() as u32 {
        return 0; // the edge lies on the far box
    }
    let line = [
        frame.bisector(a, b),
        frame.bisector(a, c),
        frame.bisector(a, last),
    ];
    let sum = count_beyond(frame, [a, b, c, last], &line, 0);
    if edge.ends[1] == vertex {
        sum
    } else {
        -sum
    }
}

/// Sums the directions (+1 leaving) of the crossings with the line `h_a = h_b = h_c` where
/// `h_a < h_m`.
fn count_beyond(frame: &Frame, ids: [u32; 4], line: &[Bisector; 3], index: u32) -> i32 {
    let node = frame.solid.tree().node(index);
    let around = Around::node(node);
    let range = |k: usize| line[k].range(&around);
    let (p, q, r) = (range(0), range(1), range(2));
    if p.0 > 0.0 || p.1 < 0.0 || q.0 > 0.0 || q.1 < 0.0 || r.0 > 0.0 {
        return 0;
    }
    if node.right != 0 {
        return count_beyond(frame, ids, line, index + 1)
            + count_beyond(frame, ids, line, node.right);
    }
    let triangles = node.first..node.first + node.count;
    triangles
        .map(|triangle| i32::from(crossing_beyond(frame, ids, line, triangle)))
        .sum()
}

fn crossing_beyond(frame: &Frame, ids: [u32; 4], line: &[Bisector; 3], triangle: u32) -> i8 {
    let x = frame.vertices(triangle);
    let (p, q) = (line[0].row(&x), line[1].row(&x));
    let [a, b, c, _] = ids;
    let around = |k: usize, l: usize| exact::minor([a, b, c], [p[k], p[l]], [q[k], q[l]]);
    let turn = around(0, 1);
    if turn == 0 || around(1, 2) != turn || around(2, 0) != turn {
        return 0;
    }
    if exact::in_triangle(ids, p, q, line[2].row(&x)) < 0 {
        turn
    } else {
        0
    }
}
