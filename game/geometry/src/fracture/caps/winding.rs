//! Winding numbers of the solid at pattern vertices.

use crate::fracture::grid::{Bisector, CenteredAabb, GridFrame};
use crate::math::{predicates, SparseSet, NONE};

/// Winding numbers at the ends of some pattern edges; reused from one break to the next.
#[derive(Default)]
pub struct VertexWindings {
    /// Ends of the edges, numbered in order of appearance.
    vertices: SparseSet,
    /// By edge: numbers of its ends.
    ends: Vec<[u32; 2]>,
    /// By vertex number: winding number; `None` until it is found.
    windings: Vec<Option<i32>>,
    /// By vertex number: edges that end there, then [`NONE`]: one for each three of its four cells at most. One
    /// that had no room would only be one more place to count from.
    edges_at: Vec<[u32; 4]>,
    /// Number of vertices whose winding number is found.
    known: usize,
    stack: Vec<u32>,
}

impl VertexWindings {
    /// Winding number at the start of an edge, given by its index in the list of edges.
    pub fn at_start(&self, edge: usize) -> i32 {
        self.winding(self.ends[edge][0])
    }

    fn winding(&self, vertex: u32) -> i32 {
        self.windings[vertex as usize].unwrap_or(0)
    }

    /// Finds the winding numbers at the ends of edges. `change` gives the change of the winding number
    /// along an edge, by its index in `edges`.
    pub fn fill(&mut self, frame: &GridFrame, edges: &[u32], change: impl Fn(usize) -> i32) {
        self.number_vertices(frame, edges);
        let count = self.vertices.len();
        self.windings.clear();
        self.windings.resize(count, None);
        self.known = 0;
        // Unbounded ends first: there the winding number needs no counting.
        for outer in [true, false] {
            for end in 0..2 * edges.len() {
                if self.known == count {
                    return;
                }
                let (edge, end) = (end / 2, end % 2);
                let seed = self.ends[edge][end];
                let vertex = self.vertices.ids()[seed as usize];
                let is_known = self.windings[seed as usize].is_some();
                if is_known || frame.pattern.is_on_clip_box(vertex) != outer {
                    continue;
                }
                self.set(seed, winding_at(frame, vertex, edges[edge]));
                self.flood(&change);
            }
        }
    }

    /// Numbers the ends of edges, and lists the edges at each.
    fn number_vertices(&mut self, frame: &GridFrame, edges: &[u32]) {
        self.vertices.clear();
        self.ends.clear();
        self.edges_at.clear();
        for (at, edge) in (0..).zip(edges) {
            let ends = frame.pattern.edge(*edge).ends;
            let ends = ends.map(|vertex| self.vertices.insert(vertex));
            self.edges_at.resize(self.vertices.len(), [NONE; 4]);
            for vertex in ends {
                let own = &mut self.edges_at[vertex as usize];
                if let Some(free) = own.iter_mut().find(|edge| **edge == NONE) {
                    *free = at;
                }
            }
            self.ends.push(ends);
        }
    }

    /// Sets the winding number of a vertex, to be propagated.
    fn set(&mut self, vertex: u32, winding: i32) {
        self.windings[vertex as usize] = Some(winding);
        self.known += 1;
        self.stack.push(vertex);
    }

    /// Propagates the winding numbers of the vertices on the stack along edges.
    fn flood(&mut self, change: &impl Fn(usize) -> i32) {
        while let Some(vertex) = self.stack.pop() {
            let winding = self.winding(vertex);
            for edge in self.edges_at[vertex as usize] {
                if edge == NONE {
                    break;
                }
                let [from, to] = self.ends[edge as usize];
                let other = if vertex == from { to } else { from };
                if self.windings[other as usize].is_none() {
                    let change = change(edge as usize);
                    let there = if vertex == from {
                        winding + change
                    } else {
                        winding - change
                    };
                    self.set(other, there);
                }
            }
        }
    }
}

/// Winding number at one end of an edge: counts the crossings of the edge's line beyond it.
fn winding_at(frame: &GridFrame, vertex: u32, edge: u32) -> i32 {
    if frame.pattern.is_on_clip_box(vertex) {
        return 0;
    }
    let edge = frame.pattern.edge(edge);
    let [a, b, c] = edge.cells;
    let cells = frame.pattern.vertex(vertex).cells;
    let Some(&fourth) = cells.iter().find(|cell| !edge.cells.contains(cell)) else {
        return 0;
    };
    if c >= frame.pattern.cell_count() as u32 {
        return 0; // the edge lies on the clipping box of the pattern
    }
    let line = CrossingLine {
        cells: [a, b, c, fourth],
        bisectors: [b, c, fourth].map(|other| frame.bisector(a, other)),
    };
    let sum = line.count_in_node(frame, 0);
    if edge.ends[1] == vertex {
        sum
    } else {
        -sum
    }
}

/// Half-line from a pattern vertex: where `h_a = h_b = h_c` and `h_a < h_d`.
struct CrossingLine {
    /// The cells a, b, c, d.
    cells: [u32; 4],
    /// Bisectors of a with b, c and d.
    bisectors: [Bisector; 3],
}

impl CrossingLine {
    /// Sum of the signs (+1 leaving) of the crossings with the triangles below a tree node.
    fn count_in_node(&self, frame: &GridFrame, index: u32) -> i32 {
        let node = frame.solid.bvh().node(index);
        let bounds = CenteredAabb::of_node(node);
        let [p, q, r] = [0, 1, 2].map(|k: usize| self.bisectors[k].range(&bounds));
        if p.0 > 0.0 || p.1 < 0.0 || q.0 > 0.0 || q.1 < 0.0 || r.0 > 0.0 {
            return 0;
        }
        if node.right != 0 {
            return self.count_in_node(frame, index + 1) + self.count_in_node(frame, node.right);
        }
        (node.first..node.first + node.count)
            .map(|triangle| i32::from(self.crossing(frame, triangle)))
            .sum()
    }

    /// Sign of the crossing with a triangle; 0 if there is none.
    fn crossing(&self, frame: &GridFrame, triangle: u32) -> i8 {
        let x = frame.vertices(triangle);
        let (p, q) = (self.bisectors[0].values(&x), self.bisectors[1].values(&x));
        let [a, b, c, _] = self.cells;
        let minor = |k: usize, l: usize| predicates::minor([a, b, c], [p[k], p[l]], [q[k], q[l]]);
        let sign = minor(0, 1);
        if sign == 0 || minor(1, 2) != sign || minor(2, 0) != sign {
            return 0;
        }
        let r = self.bisectors[2].values(&x);
        if predicates::in_triangle(self.cells, p, q, r) < 0 {
            sign
        } else {
            0
        }
    }
}
