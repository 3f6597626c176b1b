//! Sites to the flat arrays of a [`Pattern`].

use super::cell::Cell;
use super::grid::{Near, SiteGrid};
use super::tree::SiteTree;
use super::{check_count, parity, sorted, Edge, Pattern, Side, Vertex, GRID_HALF};
use crate::error::PatternError;
use glam::DVec3;

const MAX_COORDINATE: f64 = 1e15;

pub fn build(points: &[DVec3]) -> Result<Pattern, PatternError> {
    check_count(points.len())?;
    let finite = |p: &DVec3| p.abs().max_element() <= MAX_COORDINATE;
    if let Some(site) = points.iter().position(|p| p.is_nan() || !finite(p)) {
        return Err(PatternError::NotFinite { site });
    }
    let (center, half) = frame(points);
    let sites = distinct(points.iter().map(|p| snap((*p - center) / half)).collect());
    if sites.len() < 2 {
        return Err(PatternError::TooFewSites { found: sites.len() });
    }
    let mut arrays = Arrays::new(sites.len());
    let mut carver = Carver::new(&sites);
    for id in 0..sites.len() as u32 {
        let cell = carver.carve(id);
        arrays.push(cell, id, sites.len() as u32);
    }
    let step = half / GRID_HALF as f64;
    for vertex in &mut arrays.vertices {
        vertex.at = vertex.at * (0.5 * step) + center;
    }
    let mut pattern = Pattern {
        center,
        half,
        duplicates: (points.len() - sites.len()) as u32,
        boxes: arrays.boxes(center, step),
        edges: arrays.edges,
        vertices: arrays.vertices,
        neighbor_offsets: arrays.neighbor_offsets,
        neighbors: arrays.neighbors,
        side_offsets: arrays.side_offsets,
        sides: arrays.sides,
        sites,
    };
    pattern.edges_take_ends();
    Ok(pattern)
}

/// The middle and the largest half side of the sites' box.
fn frame(points: &[DVec3]) -> (DVec3, f64) {
    let Some(first) = points.first() else {
        return (DVec3::ZERO, 1.0);
    };
    let (low, high) = points.iter().fold((*first, *first), |(low, high), p| {
        (low.min(*p), high.max(*p))
    });
    let half = 0.5 * (high - low).max_element();
    (0.5 * (low + high), if half > 0.0 { half } else { 1.0 })
}

fn snap(unit: DVec3) -> [i32; 3] {
    let at = |x: f64| {
        (x * GRID_HALF as f64)
            .round()
            .clamp(-GRID_HALF as f64, GRID_HALF as f64)
    };
    [at(unit.x) as i32, at(unit.y) as i32, at(unit.z) as i32]
}

/// The first of each set of equal sites, in the given order.
fn distinct(sites: Vec<[i32; 3]>) -> Vec<[i32; 3]> {
    let mut order: Vec<u32> = (0..sites.len() as u32).collect();
    order.sort_unstable_by_key(|&i| (sites[i as usize], i));
    order.dedup_by_key(|i| sites[*i as usize]);
    order.sort_unstable();
    order.into_iter().map(|i| sites[i as usize]).collect()
}

/// Shells of near sites that a cell is cut by before its vertices are settled one by one.
const SHELLS: i64 = 1;

/// Cuts cells out of the box, one after another.
struct Carver<'a> {
    sites: &'a [[i32; 3]],
    near: SiteGrid<'a>,
    far: SiteTree<'a>,
    cell: Cell,
    shell: Vec<Near>,
    nearer: Vec<u32>,
}

impl<'a> Carver<'a> {
    fn new(sites: &'a [[i32; 3]]) -> Self {
        Self {
            sites,
            near: SiteGrid::new(sites),
            far: SiteTree::new(sites),
            cell: Cell::default(),
            shell: Vec::new(),
            nearer: Vec::new(),
        }
    }

    /// Clips a cell by its bisectors, nearest first, until no other site can reach it.
    fn carve(&mut self, id: u32) -> &Cell {
        let origin = |site: u32| widened(self.sites[site as usize]);
        self.cell.reset(id, origin(id), self.sites.len() as u32);
        let mut reach = self.cell.reach_squared();
        for ring in 0.. {
            let Some(nearest) = self.near.shell(id, ring, &mut self.shell) else {
                return &self.cell;
            };
            for near in &self.shell {
                let (distance, other) = (near.squared(), near.site());
                // A bisector farther than the farthest vertex cannot cut; a part in a million
                // covers the rounding of the vertices.
                if distance > 4.0 * reach * (1.0 + 1e-6) {
                    break;
                }
                if self.cell.clip(other, origin(other)) {
                    reach = self.cell.reach_squared();
                }
            }
            if nearest > 4.0 * reach * (1.0 + 1e-6) {
                return &self.cell;
            }
            if ring == SHELLS {
                break;
            }
        }
        self.settle(id);
        &self.cell
    }

    /// Cuts by whatever site is nearer to a vertex than the cell's own, until none is. A vertex that
    /// is settled stays so: later cuts only remove vertices or add new ones.
    fn settle(&mut self, id: u32) {
        self.cell.settle_within(self.near.covered(id, SHELLS));
        while let Some((vertex, at, off)) = self.cell.next_unsettled() {
            self.nearer.clear();
            if !self.near.nearer(id, SHELLS, at, off, &mut self.nearer) {
                self.far.nearer(id, at, off, &mut self.nearer);
            }
            let mut cut = false;
            for &other in &self.nearer {
                // The three planes of the vertex pass through it.
                if !self.cell.has_been_cut_by(other) {
                    cut |= self.cell.clip(other, widened(self.sites[other as usize]));
                }
            }
            // A vertex that rounding keeps apart from a cut counts as settled too: no endless loop.
            if !cut {
                self.cell.settle(vertex);
            }
        }
    }
}

fn widened([x, y, z]: [i32; 3]) -> [i64; 3] {
    [i64::from(x), i64::from(y), i64::from(z)]
}

/// The growing flat arrays. A vertex or edge is numbered by the smallest cell around it, which comes
/// first; the others look it up among the few that this cell has numbered.
#[derive(Default)]
struct Arrays {
    neighbor_offsets: Vec<u32>,
    neighbors: Vec<u32>,
    side_offsets: Vec<u32>,
    sides: Vec<Side>,
    vertices: Vec<Vertex>,
    edges: Vec<Edge>,
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
    fn new(cells: usize) -> Self {
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
    fn push(&mut self, cell: &Cell, id: u32, site_count: u32) {
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

    fn boxes(&self, center: DVec3, step: f64) -> Vec<[f32; 6]> {
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

impl Pattern {
    /// On face `j` of cell `i`, counter-clockwise from outside, the step beside `k` runs along
    /// `(s_i - s_j) x (s_i - s_k)`: forwards on the edge when (i, j, k) is even.
    fn edges_take_ends(&mut self) {
        for cell in 0..self.sites.len() as u32 {
            for face in self.faces(cell) {
                let range = self.side_offsets[face] as usize..self.side_offsets[face + 1] as usize;
                let count = range.len();
                for step in 0..count {
                    let side = self.sides[range.start + step];
                    let next = self.sides[range.start + (step + 1) % count].vertex;
                    let even = parity([cell, self.neighbors[face], side.third]) > 0;
                    let ends = [side.vertex, next];
                    let edge = &mut self.edges[side.edge as usize];
                    edge.ends = if even { ends } else { [ends[1], ends[0]] };
                }
            }
        }
    }
}
