//! Cells to flat arrays: vertices, edges and faces get their numbers.

use super::cell::Cell;
use super::{sorted, Edge, Side, Vertex};
use glam::DVec3;

/// The growing flat arrays. A vertex or edge is numbered by the smallest cell around it, which comes
/// first; the others look it up among the few that this cell has numbered.
#[derive(Default)]
pub struct Arrays {
    pub neighbor_offsets: Vec<u32>,
    pub neighbors: Vec<u32>,
    pub side_offsets: Vec<u32>,
    pub sides: Vec<Side>,
    pub vertices: Vec<Vertex>,
    pub edges: Vec<Edge>,
    /// What a vertex and an edge are looked up by: the larger ids of their cells.
    vertex_keys: Vec<u64>,
    edge_keys: Vec<u64>,
    /// Where each cell's own vertices and edges start.
    first_vertex: Vec<u32>,
    first_edge: Vec<u32>,
    cell_bounds: Vec<[f64; 6]>,
    turns: Turns,
    /// Scratch: the planes of the current cell that have a face.
    faces: Vec<u16>,
}

/// How the outlines of a cell's faces run: on face `p`, arriving along `a`, the outline turns at
/// some vertex and leaves along another plane.
#[derive(Default)]
struct Turns {
    /// By plane: its number among the used ones.
    used: Vec<u16>,
    count: usize,
    /// By (face, plane along which it arrives): vertex number and the plane along which it leaves.
    table: Vec<(u32, u16)>,
    /// By pair of faces: the edge between them.
    edges: Vec<u32>,
}

const NONE: u16 = u16::MAX;

impl Turns {
    /// Takes the turns of a cell whose vertices have the given numbers.
    fn fill(&mut self, cell: &Cell, numbers: impl Iterator<Item = u32>) {
        self.used.clear();
        self.used.resize(cell.planes.len(), NONE);
        self.count = 0;
        for plane in cell.vertices.iter().flat_map(|v| v.planes) {
            let slot = &mut self.used[usize::from(plane)];
            if *slot == NONE {
                *slot = self.count as u16;
                self.count += 1;
            }
        }
        self.table.clear();
        self.table.resize(self.count * self.count, (0, NONE));
        self.edges.clear();
        self.edges.resize(self.count * self.count, u32::MAX);
        for (vertex, number) in cell.vertices.iter().zip(numbers) {
            let [a, b, c] = vertex.planes;
            for (face, arrives, leaves) in [(a, b, c), (b, c, a), (c, a, b)] {
                let at = self.index(face, arrives);
                self.table[at] = (number, leaves);
            }
        }
    }

    fn index(&self, one: u16, other: u16) -> usize {
        let slot = |plane: u16| usize::from(self.used[usize::from(plane)]);
        slot(one) * self.count + slot(other)
    }

    fn is_used(&self, plane: u16) -> bool {
        self.used[usize::from(plane)] != NONE
    }
}

impl Arrays {
    /// Room for what cells have on average in a uniform pattern.
    pub fn new(cells: usize) -> Self {
        let mut arrays = Self {
            neighbors: Vec::with_capacity(16 * cells),
            sides: Vec::with_capacity(82 * cells),
            vertices: Vec::with_capacity(8 * cells),
            vertex_keys: Vec::with_capacity(8 * cells),
            edges: Vec::with_capacity(14 * cells),
            edge_keys: Vec::with_capacity(14 * cells),
            ..Self::default()
        };
        arrays.neighbor_offsets.push(0);
        arrays.side_offsets.push(0);
        arrays
    }

    /// Appends a finished cell: one face for every site whose plane still bounds it.
    pub fn push(&mut self, cell: &Cell, id: u32, site_count: u32) {
        self.first_vertex.push(self.vertices.len() as u32);
        self.first_edge.push(self.edges.len() as u32);
        let mut turns = std::mem::take(&mut self.turns);
        let vertices = 0..cell.vertices.len();
        turns.fill(cell, vertices.map(|v| self.number_vertex(cell, id, v)));
        let mut faces = std::mem::take(&mut self.faces);
        faces.clear();
        let planes = 0..cell.planes.len() as u16;
        let is_face = |p: &u16| turns.is_used(*p) && cell.planes[usize::from(*p)].id < site_count;
        faces.extend(planes.filter(is_face));
        faces.sort_unstable_by_key(|p| cell.planes[usize::from(*p)].rank());
        for &face in &faces {
            self.push_face(cell, id, face, &mut turns);
            self.neighbors.push(cell.planes[usize::from(face)].id);
            self.side_offsets.push(self.sides.len() as u32);
        }
        (self.turns, self.faces) = (turns, faces);
        self.neighbor_offsets.push(self.neighbors.len() as u32);
        self.cell_bounds.push(cell.bounds());
    }

    fn number_vertex(&mut self, cell: &Cell, id: u32, vertex: usize) -> u32 {
        let planes = cell.vertices[vertex].planes;
        let id_of = |k: usize| cell.planes[usize::from(planes[k])].id;
        let (a, b, c) = (id_of(0), id_of(1), id_of(2));
        let cells = sorted([id, a, b, c]);
        let key = key([cells[1], cells[2], cells[3]]);
        if cells[0] == id {
            let at = DVec3::from(cell.place(vertex));
            self.vertices.push(Vertex { cells, at });
            self.vertex_keys.push(key);
            return self.vertices.len() as u32 - 1;
        }
        find(&self.vertex_keys, &self.first_vertex, cells[0], key)
    }

    fn number_edge(&mut self, id: u32, cells: [u32; 3]) -> u32 {
        let key = key([0, cells[1], cells[2]]);
        if cells[0] == id {
            let ends = [0, 0];
            self.edges.push(Edge { cells, ends });
            self.edge_keys.push(key);
            return self.edges.len() as u32 - 1;
        }
        find(&self.edge_keys, &self.first_edge, cells[0], key)
    }

    /// Walks once around a face.
    fn push_face(&mut self, cell: &Cell, id: u32, face: u16, turns: &mut Turns) {
        let id_of = |p: u16| cell.planes[usize::from(p)].id;
        let row = turns.index(face, face) - usize::from(turns.used[usize::from(face)]);
        let own = &turns.table[row..row + turns.count];
        let Some(&(_, first)) = own.iter().find(|turn| turn.1 != NONE) else {
            return;
        };
        let mut along = first;
        for _ in 0..turns.count {
            let (vertex, leaves) = turns.table[turns.index(face, along)];
            if leaves == NONE {
                return;
            }
            let (there, back) = (turns.index(face, leaves), turns.index(leaves, face));
            if turns.edges[there] == u32::MAX {
                let edge = self.number_edge(id, sorted([id, id_of(face), id_of(leaves)]));
                (turns.edges[there], turns.edges[back]) = (edge, edge);
            }
            self.sides.push(Side {
                vertex,
                edge: turns.edges[there],
                third: id_of(leaves),
            });
            along = leaves;
            if along == first {
                return;
            }
        }
    }

    /// The boxes around the cells.
    pub fn boxes(&self, center: DVec3, step: f64) -> Vec<[f32; 6]> {
        let place = |b: &[f64; 6]| {
            let at = |k: usize| (b[k] * 0.5 * step + center[k % 3]) as f32;
            [at(0), at(1), at(2), at(3), at(4), at(5)]
        };
        self.cell_bounds.iter().map(place).collect()
    }
}

/// Three ids below 2^21 as one number.
fn key([a, b, c]: [u32; 3]) -> u64 {
    u64::from(a) << 42 | u64::from(b) << 21 | u64::from(c)
}

/// The number that `cell`, an earlier one, has given to what has this key.
fn find(keys: &[u64], first: &[u32], cell: u32, key: u64) -> u32 {
    let start = first[cell as usize];
    let end = first[cell as usize + 1];
    let own = keys[start as usize..end as usize].iter();
    start + own.clone().position(|k| *k == key).unwrap_or(0) as u32
}
