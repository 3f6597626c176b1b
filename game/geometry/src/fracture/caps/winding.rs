//! Winding numbers of pattern vertices.

use crate::fracture::grid::{Bisector, CenteredAabb, GridFrame};
use crate::math::predicates;
use crate::math::SparseSet;

/// Winding numbers of the solid about the ends of pattern edges, found anew for every break in the
/// same memory.
#[derive(Default)]
pub struct VertexWindings {
    vertices: SparseSet,
    /// By number of an edge: the numbers of its ends.
    ends: Vec<[u32; 2]>,
    /// By number of a vertex.
    values: Vec<Option<i32>>,
    /// By number of a vertex: where its links end; one more at the start.
    starts: Vec<u32>,
    /// The numbers of the edges at each vertex.
    links: Vec<u32>,
    todo: Vec<u32>,
}

impl VertexWindings {
    /// The winding number where an edge, given by its number, starts.
    pub fn at_start(&self, edge: usize) -> i32 {
        self.of(self.ends[edge][0])
    }

    fn of(&self, vertex: u32) -> i32 {
        self.values[vertex as usize].unwrap_or(0)
    }

    /// Spreads winding numbers from known vertices along edges; the one with a number changes them
    /// by `change` of it.
    pub fn spread(&mut self, frame: &GridFrame, edges: &[u32], change: impl Fn(usize) -> i32) {
        self.vertices.clear();
        self.ends.clear();
        for edge in edges {
            let ends = frame.pattern.edge(*edge).ends;
            self.ends
                .push(ends.map(|vertex| self.vertices.insert(vertex)));
        }
        self.link();
        self.values.clear();
        self.values.resize(self.vertices.len(), None);
        for outer in [true, false] {
            for number in 0..2 * edges.len() {
                let (edge, end) = (number / 2, number % 2);
                let seed = self.ends[edge][end];
                let vertex = self.vertices.ids()[seed as usize];
                let known = self.values[seed as usize].is_some();
                if known || frame.pattern.is_on_clip_box(vertex) != outer {
                    continue;
                }
                self.values[seed as usize] = Some(winding_at(frame, vertex, edges[edge]));
                self.todo.push(seed);
                self.flood(&change);
            }
        }
    }

    /// Sorts the edges by their ends.
    fn link(&mut self) {
        let starts = &mut self.starts;
        starts.clear();
        starts.resize(self.vertices.len() + 2, 0);
        for vertex in self.ends.iter().flatten() {
            starts[*vertex as usize + 2] += 1;
        }
        for vertex in 2..starts.len() {
            starts[vertex] += starts[vertex - 1];
        }
        self.links.clear();
        self.links.resize(2 * self.ends.len(), 0);
        for (edge, ends) in self.ends.iter().enumerate() {
            for vertex in ends {
                let slot = &mut starts[*vertex as usize + 1];
                self.links[*slot as usize] = edge as u32;
                *slot += 1;
            }
        }
    }

    fn flood(&mut self, change: &impl Fn(usize) -> i32) {
        while let Some(vertex) = self.todo.pop() {
            let here = self.of(vertex);
            for at in self.starts[vertex as usize]..self.starts[vertex as usize + 1] {
                let edge = self.links[at as usize] as usize;
                let [from, to] = self.ends[edge];
                let other = if vertex == from { to } else { from };
                if self.values[other as usize].is_none() {
                    let change = change(edge);
                    let there = if vertex == from {
                        here + change
                    } else {
                        here - change
                    };
                    self.values[other as usize] = Some(there);
                    self.todo.push(other);
                }
            }
        }
    }
}

/// The winding number at one pattern vertex: the crossings of the edge's line beyond the vertex.
fn winding_at(frame: &GridFrame, vertex: u32, edge: u32) -> i32 {
    if frame.pattern.is_on_clip_box(vertex) {
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
fn count_beyond(frame: &GridFrame, ids: [u32; 4], line: &[Bisector; 3], index: u32) -> i32 {
    let node = frame.solid.tree().node(index);
    let around = CenteredAabb::node(node);
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

fn crossing_beyond(frame: &GridFrame, ids: [u32; 4], line: &[Bisector; 3], triangle: u32) -> i8 {
    let x = frame.vertices(triangle);
    let (p, q) = (line[0].row(&x), line[1].row(&x));
    let [a, b, c, _] = ids;
    let around = |k: usize, l: usize| predicates::minor([a, b, c], [p[k], p[l]], [q[k], q[l]]);
    let turn = around(0, 1);
    if turn == 0 || around(1, 2) != turn || around(2, 0) != turn {
        return 0;
    }
    if predicates::in_triangle(ids, p, q, line[2].row(&x)) < 0 {
        turn
    } else {
        0
    }
}
