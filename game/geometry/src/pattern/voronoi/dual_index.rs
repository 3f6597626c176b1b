//! Ids of Voronoi vertices and edges, found by their dual simplices or by the cells around them.

use crate::math::NONE;
use crate::pattern::delaunay::{Delaunay, Facet};
use crate::pattern::{parity, sorted, VoronoiEdge, VoronoiVertex};
use glam::DVec3;

const NO_DUALS: TetDuals = TetDuals {
    vertex: NONE,
    edges: [NONE; 4],
};

/// Voronoi vertices and edges, which get their ids from the first cell that has them. Inside the clip
/// box they are found by their tetrahedron or facet. On the box they are found by their cells, under
/// the smallest of them: it comes first and has only a few.
#[derive(Default)]
pub struct DualIndex {
    /// All vertices by id.
    pub vertices: Vec<VoronoiVertex>,
    /// All edges by id.
    pub edges: Vec<VoronoiEdge>,
    /// By tetrahedron.
    duals: Vec<TetDuals>,
    box_vertices: KeyIndex,
    box_edges: KeyIndex,
}

/// Ids of a tetrahedron's dual vertex, and of the dual edges of its facets by slot.
#[derive(Clone, Copy)]
struct TetDuals {
    vertex: u32,
    edges: [u32; 4],
}

/// Ids by key, grouped by the smallest cell.
#[derive(Default)]
struct KeyIndex {
    entries: Vec<(u64, u32)>,
    /// By cell: its first entry.
    first: Vec<u32>,
}

impl KeyIndex {
    fn find(&self, cell: u32, key: u64) -> Option<u32> {
        let start = |cell: usize| {
            let first = self.first.get(cell);
            first.map_or(self.entries.len(), |first| *first as usize)
        };
        let own = &self.entries[start(cell as usize)..start(cell as usize + 1)];
        own.iter().find(|entry| entry.0 == key).map(|entry| entry.1)
    }
}

impl DualIndex {
    /// An empty index with room for the vertices and edges of a uniform pattern.
    pub fn new(cells: usize, delaunay: &Delaunay) -> Self {
        Self {
            vertices: Vec::with_capacity(7 * cells),
            edges: Vec::with_capacity(14 * cells),
            duals: vec![NO_DUALS; delaunay.capacity()],
            ..Self::default()
        }
    }

    /// Begins the next cell; vertices and edges on the box are added in the order of their smallest
    /// cell.
    pub fn begin_cell(&mut self) {
        for index in [&mut self.box_vertices, &mut self.box_edges] {
            index.first.push(index.entries.len() as u32);
        }
    }

    /// The vertex that is dual to a tetrahedron.
    #[inline]
    pub fn vertex(&mut self, delaunay: &Delaunay, tet: u32) -> u32 {
        let vertex = self.duals[tet as usize].vertex;
        if vertex != NONE {
            return vertex;
        }
        self.add_vertex(delaunay, tet)
    }

    #[inline(never)]
    fn add_vertex(&mut self, delaunay: &Delaunay, tet: u32) -> u32 {
        let vertex = self.vertices.len() as u32;
        self.vertices.push(VoronoiVertex {
            cells: sorted(delaunay.tet(tet).corners),
            position: DVec3::from(delaunay.center(tet).position),
        });
        self.duals[tet as usize].vertex = vertex;
        vertex
    }

    /// The edge that is dual to a facet, given by its two sides. On the face of the first cell to the
    /// second it lies next to the third and runs between the two vertices.
    #[inline]
    pub fn edge(&mut self, facet: [Facet; 2], cells: [u32; 3], ends: [u32; 2]) -> u32 {
        let edge = self.duals[facet[0].tet() as usize].edges[facet[0].slot()];
        if edge != NONE {
            return edge;
        }
        let edge = self.add_edge(cells, ends);
        for side in facet {
            self.duals[side.tet() as usize].edges[side.slot()] = edge;
        }
        edge
    }

    /// The vertex on the clip box where some cells meet.
    pub fn box_vertex(&mut self, cells: [u32; 4], position: [f64; 3]) -> u32 {
        let cells = sorted(cells);
        let key = key([cells[1], cells[2], cells[3]]);
        self.box_vertices.find(cells[0], key).unwrap_or_else(|| {
            let vertex = self.vertices.len() as u32;
            let position = DVec3::from(position);
            self.vertices.push(VoronoiVertex { cells, position });
            self.box_vertices.entries.push((key, vertex));
            vertex
        })
    }

    /// The edge between some cells that ends on the clip box; see [`Self::edge`].
    pub fn box_edge(&mut self, cells: [u32; 3], ends: [u32; 2]) -> u32 {
        let [least, second, third] = sorted(cells);
        let key = key([0, second, third]);
        self.box_edges.find(least, key).unwrap_or_else(|| {
            let edge = self.add_edge(cells, ends);
            self.box_edges.entries.push((key, edge));
            edge
        })
    }

    /// On face `j` of cell `i`, counter-clockwise from outside, the boundary next to `k` runs along
    /// `(s_i - s_j) x (s_i - s_k)`: forward on the edge when (i, j, k) is even.
    fn add_edge(&mut self, cells: [u32; 3], [from, to]: [u32; 2]) -> u32 {
        let is_even = parity(cells) > 0;
        self.edges.push(VoronoiEdge {
            cells: sorted(cells),
            ends: if is_even { [from, to] } else { [to, from] },
        });
        self.edges.len() as u32 - 1
    }
}

/// Three ids below 2^21 in one number.
fn key([a, b, c]: [u32; 3]) -> u64 {
    u64::from(a) << 42 | u64::from(b) << 21 | u64::from(c)
}
