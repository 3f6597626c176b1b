//! Sites to the flat arrays of a [`Pattern`].

use super::cell::Cell;
use super::grid::SiteGrid;
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
    let mut arrays = Arrays::new();
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
        hash: 0,
    };
    pattern.edges_take_ends();
    pattern.hash = super::bytes::hash(&pattern);
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
    shell: Vec<(i64, u32)>,
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
        let origin = |site: u32| self.sites[site as usize].map(i64::from);
        self.cell.reset(id, origin(id), self.sites.len() as u32);
        let mut reach = self.cell.reach_squared();
        for ring in 0.. {
            let Some(nearest) = self.near.shell(id, ring, &mut self.shell) else {
                return &self.cell;
            };
            for &(distance, other) in &self.shell {
                // A bisector farther than the farthest vertex cannot cut; a part in a million
                // covers the rounding of the vertices.
                if distance as f64 > 4.0 * reach * (1.0 + 1e-6) {
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
            self.far.nearer(id, at, off, &mut self.nearer);
            let mut cut = false;
            for &other in &self.nearer {
                // The three planes of the vertex pass through it.
                if !self.cell.has_been_cut_by(other) {
                    let origin = self.sites[other as usize].map(i64::from);
                    cut |= self.cell.clip(other, origin);
                }
            }
            // A vertex that rounding keeps apart from a cut counts as settled too: no endless loop.
            if !cut {
                self.cell.settle(vertex);
            }
        }
    }
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
    /// Where each cell's own vertices and edges start.
    first_vertex: Vec<u32>,
    first_edge: Vec<u32>,
    cell_bounds: Vec<[f64; 6]>,
    /// Scratch: the current cell's vertex numbers, and (arrives along, leaves along, vertex) of the
    /// current face.
    numbers: Vec<u32>,
    turns: Vec<(u16, u16, u32)>,
}

impl Arrays {
    fn new() -> Self {
        Self {
            neighbor_offsets: vec![0],
            side_offsets: vec![0],
            ..Self::default()
        }
    }

    /// Appends a finished cell: one face for every site whose plane still bounds it.
    fn push(&mut self, cell: &Cell, id: u32, site_count: u32) {
        self.first_vertex.push(self.vertices.len() as u32);
        self.first_edge.push(self.edges.len() as u32);
        self.number_vertices(cell, id);
        let mut used = vec![false; cell.planes.len()];
        for vertex in &cell.vertices {
            for plane in vertex.planes {
                used[plane as usize] = true;
            }
        }
        let is_face =
            |p: &u16| used[usize::from(*p)] && cell.planes[usize::from(*p)].id < site_count;
        let mut faces: Vec<u16> = (0..cell.planes.len() as u16).filter(is_face).collect();
        faces.sort_unstable_by_key(|p| cell.planes[usize::from(*p)].rank());
        for face in faces {
            self.push_face(cell, id, face);
            self.neighbors.push(cell.planes[usize::from(face)].id);
            self.side_offsets.push(self.sides.len() as u32);
        }
        self.neighbor_offsets.push(self.neighbors.len() as u32);
        self.cell_bounds.push(bounds(cell));
    }

    fn number_vertices(&mut self, cell: &Cell, id: u32) {
        self.numbers.clear();
        for vertex in &cell.vertices {
            let [a, b, c] = vertex.planes.map(|p| cell.planes[p as usize].id);
            let cells = sorted([id, a, b, c]);
            let number = if cells[0] == id {
                let at = DVec3::from(vertex.at);
                self.vertices.push(Vertex { cells, at });
                self.vertices.len() - 1
            } else {
                let own = own_range(&self.first_vertex, cells[0], self.vertices.len());
                let found = self.vertices[own.clone()]
                    .iter()
                    .position(|v| v.cells == cells);
                own.start + found.unwrap_or(0)
            };
            self.numbers.push(number as u32);
        }
    }

    fn number_edge(&mut self, id: u32, cells: [u32; 3]) -> u32 {
        let own = own_range(&self.first_edge, cells[0], self.edges.len());
        let found = self.edges[own.clone()]
            .iter()
            .position(|e| e.cells == cells);
        if found.is_none() && cells[0] == id {
            self.edges.push(Edge {
                cells,
                ends: [0, 0],
            });
            return self.edges.len() as u32 - 1;
        }
        (own.start + found.unwrap_or(0)) as u32
    }

    /// Walks the vertices around one face. At vertex (p, a, b) the outline of p arrives along a
    /// and leaves along b.
    fn push_face(&mut self, cell: &Cell, id: u32, face: u16) {
        let plane_id = |p: u16| cell.planes[p as usize].id;
        self.turns.clear();
        for (vertex, number) in cell.vertices.iter().zip(&self.numbers) {
            if let Some(at) = vertex.planes.iter().position(|p| *p == face) {
                let around = |step: usize| vertex.planes[(at + step) % 3];
                self.turns.push((around(1), around(2), *number));
            }
        }
        let mut along = self.turns.first().map(|turn| turn.0);
        for _ in 0..self.turns.len() {
            let Some(&turn) = self.turns.iter().find(|turn| Some(turn.0) == along) else {
                return;
            };
            let third = plane_id(turn.1);
            let edge = self.number_edge(id, sorted([id, plane_id(face), third]));
            self.sides.push(Side {
                vertex: turn.2,
                edge,
                third,
            });
            along = Some(turn.1);
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

/// The numbers that a cell has given out so far.
fn own_range(first: &[u32], cell: u32, end: usize) -> std::ops::Range<usize> {
    let at = |c: usize| first.get(c).map_or(end, |f| *f as usize);
    at(cell as usize)..at(cell as usize + 1)
}

fn bounds(cell: &Cell) -> [f64; 6] {
    let mut bounds = [f64::MAX, f64::MAX, f64::MAX, f64::MIN, f64::MIN, f64::MIN];
    for vertex in &cell.vertices {
        for axis in 0..3 {
            bounds[axis] = bounds[axis].min(vertex.at[axis]);
            bounds[axis + 3] = bounds[axis + 3].max(vertex.at[axis]);
        }
    }
    bounds
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
