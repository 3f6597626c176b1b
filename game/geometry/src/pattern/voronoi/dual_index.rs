//! Vertices and edges get their numbers from the first cell that has them.

use crate::pattern::delaunay::{Delaunay, Facet};
use crate::pattern::{parity, sorted, Edge, Vertex};
use glam::DVec3;

const NONE: u32 = u32::MAX;
const UNNUMBERED: Dual = Dual {
    vertex: NONE,
    edges: [NONE; 4],
};

/// What has been numbered so far. What is inside of the far box is known by its tetrahedron or facet;
/// what lies on the box by its cells, the smallest of which comes first and has but a few.
#[derive(Default)]
pub struct Numbers {
    pub vertices: Vec<Vertex>,
    pub edges: Vec<Edge>,
    /// By tetrahedron.
    duals: Vec<Dual>,
    far_vertices: Far,
    far_edges: Far,
}

/// The number of a tetrahedron's vertex, and of the edges through its facets by slot.
#[derive(Clone, Copy)]
struct Dual {
    vertex: u32,
    edges: [u32; 4],
}

/// Numbers by key, in runs by the smallest cell.
#[derive(Default)]
struct Far {
    keys: Vec<(u64, u32)>,
    /// Where each cell's own keys start.
    first: Vec<u32>,
}

impl Far {
    fn find(&self, cell: u32, key: u64) -> Option<u32> {
        let at = |cell: usize| {
            self.first
                .get(cell)
                .map_or(self.keys.len(), |f| *f as usize)
        };
        let own = &self.keys[at(cell as usize)..at(cell as usize + 1)];
        own.iter().find(|entry| entry.0 == key).map(|entry| entry.1)
    }
}

impl Numbers {
    /// Room for what cells have on average in a uniform pattern.
    pub fn new(cells: usize, delaunay: &Delaunay) -> Self {
        Self {
            vertices: Vec::with_capacity(7 * cells),
            edges: Vec::with_capacity(14 * cells),
            duals: vec![UNNUMBERED; delaunay.capacity()],
            ..Self::default()
        }
    }

    /// Cells come in ascending order.
    pub fn next_cell(&mut self) {
        for far in [&mut self.far_vertices, &mut self.far_edges] {
            far.first.push(far.keys.len() as u32);
        }
    }

    /// The vertex that is dual to a tetrahedron.
    #[inline]
    pub fn vertex(&mut self, delaunay: &Delaunay, tet: u32) -> u32 {
        let number = self.duals[tet as usize].vertex;
        if number != NONE {
            return number;
        }
        self.push_vertex(delaunay, tet)
    }

    #[inline(never)]
    fn push_vertex(&mut self, delaunay: &Delaunay, tet: u32) -> u32 {
        let number = self.vertices.len() as u32;
        self.vertices.push(Vertex {
            cells: sorted(delaunay.tet(tet).corners),
            at: DVec3::from(delaunay.center(tet).at),
        });
        self.duals[tet as usize].vertex = number;
        number
    }

    /// The edge that is dual to a facet. On the face of the first cell to the second it runs beside
    /// the third, between these vertices.
    #[inline]
    pub fn edge(&mut self, sides: [Facet; 2], cells: [u32; 3], ends: [u32; 2]) -> u32 {
        let [one, other] = sides;
        let number = self.duals[one.tet() as usize].edges[one.slot()];
        if number != NONE {
            return number;
        }
        let number = self.push_edge(cells, ends);
        for side in [one, other] {
            self.duals[side.tet() as usize].edges[side.slot()] = number;
        }
        number
    }

    /// A vertex on the far box, by its cells.
    pub fn far_vertex(&mut self, cells: [u32; 4], at: [f64; 3]) -> u32 {
        let cells = sorted(cells);
        let key = key([cells[1], cells[2], cells[3]]);
        self.far_vertices.find(cells[0], key).unwrap_or_else(|| {
            let number = self.vertices.len() as u32;
            let at = DVec3::from(at);
            self.vertices.push(Vertex { cells, at });
            self.far_vertices.keys.push((key, number));
            number
        })
    }

    /// An edge that ends on the far box, by its cells; see [`Self::edge`].
    pub fn far_edge(&mut self, cells: [u32; 3], ends: [u32; 2]) -> u32 {
        let [least, second, third] = sorted(cells);
        let key = key([0, second, third]);
        self.far_edges.find(least, key).unwrap_or_else(|| {
            let number = self.push_edge(cells, ends);
            self.far_edges.keys.push((key, number));
            number
        })
    }

    /// On face `j` of cell `i`, counter-clockwise from outside, the step beside `k` runs along
    /// `(s_i - s_j) x (s_i - s_k)`: forwards on the edge when (i, j, k) is even.
    fn push_edge(&mut self, cells: [u32; 3], [from, to]: [u32; 2]) -> u32 {
        let even = parity(cells) > 0;
        self.edges.push(Edge {
            cells: sorted(cells),
            ends: if even { [from, to] } else { [to, from] },
        });
        self.edges.len() as u32 - 1
    }
}

/// Three ids below 2^21 as one number.
fn key([a, b, c]: [u32; 3]) -> u64 {
    u64::from(a) << 42 | u64::from(b) << 21 | u64::from(c)
}
