//! Sites to the flat arrays of a [`Pattern`].

use super::cell::Cell;
use super::grid::SiteGrid;
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
    let mut arrays = Arrays::default();
    arrays.side_offsets.push(0);
    arrays.neighbor_offsets.push(0);
    let grid = SiteGrid::new(&sites);
    let mut cell = Cell::default();
    let mut shell = Vec::new();
    for id in 0..sites.len() as u32 {
        cut_cell(&mut cell, id, &sites, &grid, &mut shell);
        arrays.push(&cell, id, sites.len() as u32);
    }
    let step = half / GRID_HALF as f64;
    let mut pattern = Pattern {
        center,
        half,
        duplicates: (points.len() - sites.len()) as u32,
        edges: arrays.number_edges(),
        vertices: arrays.number_vertices(center, step),
        boxes: arrays.boxes(center, step),
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

/// Clips a cell by its bisectors, nearest first, until no later site can reach it.
fn cut_cell(
    cell: &mut Cell,
    id: u32,
    sites: &[[i32; 3]],
    grid: &SiteGrid,
    shell: &mut Vec<(i64, u32)>,
) {
    let origin = |site: u32| sites[site as usize].map(i64::from);
    cell.reset(id, origin(id), sites.len() as u32);
    let mut reach = cell.reach_squared();
    let mut ring = 0;
    while let Some(nearest) = grid.shell(id, ring, shell) {
        for &(distance, other) in shell.iter() {
            // A bisector farther than the farthest vertex cannot cut; a part in 2^20 covers the
            // rounding of the vertices.
            if distance as f64 > 4.0 * reach * (1.0 + 1e-6) {
                break;
            }
            if cell.clip(other, origin(other)) {
                reach = cell.reach_squared();
            }
        }
        if nearest > 4.0 * reach * (1.0 + 1e-6) {
            break;
        }
        ring += 1;
    }
}

/// The growing flat arrays; edges and vertices are numbered at the end, by key.
#[derive(Default)]
struct Arrays {
    neighbor_offsets: Vec<u32>,
    neighbors: Vec<u32>,
    side_offsets: Vec<u32>,
    sides: Vec<Side>,
    edge_keys: Vec<([u32; 3], u32)>,
    vertex_keys: Vec<([u32; 4], u32)>,
    positions: Vec<[f64; 3]>,
    cell_bounds: Vec<[f64; 6]>,
}

impl Arrays {
    /// Appends a finished cell: one face for every site whose plane still bounds it.
    fn push(&mut self, cell: &Cell, id: u32, site_count: u32) {
        let mut used = vec![false; cell.planes.len()];
        for vertex in &cell.vertices {
            for plane in vertex.planes {
                used[plane as usize] = true;
            }
        }
        for (index, plane) in cell.planes.iter().enumerate() {
            if used[index] && plane.id < site_count {
                self.push_face(cell, id, index as u16);
                self.neighbors.push(plane.id);
                self.side_offsets.push(self.sides.len() as u32);
            }
        }
        self.neighbor_offsets.push(self.neighbors.len() as u32);
        self.cell_bounds.push(bounds(cell));
    }

    /// Walks the vertices around one face. At vertex (p, a, b) the outline of p arrives along a
    /// and leaves along b.
    fn push_face(&mut self, cell: &Cell, id: u32, face: u16) {
        let around = |planes: [u16; 3]| {
            let at = planes.iter().position(|p| *p == face)?;
            Some((planes[(at + 1) % 3], planes[(at + 2) % 3]))
        };
        let plane_id = |p: u16| cell.planes[p as usize].id;
        let mut turns: Vec<(u16, u16, usize)> = Vec::new();
        for (index, vertex) in cell.vertices.iter().enumerate() {
            if let Some((arrive, leave)) = around(vertex.planes) {
                turns.push((arrive, leave, index));
            }
        }
        let mut along = turns.first().map(|turn| turn.0);
        for _ in 0..turns.len() {
            let Some(turn) = turns.iter().find(|turn| Some(turn.0) == along) else {
                return;
            };
            let slot = self.sides.len() as u32;
            let ids = [id, plane_id(face), plane_id(turn.0), plane_id(turn.1)];
            self.vertex_keys.push((sorted(ids), slot));
            self.edge_keys
                .push((sorted([ids[0], ids[1], ids[3]]), slot));
            self.positions.push(cell.vertices[turn.2].at);
            self.sides.push(Side {
                vertex: 0,
                edge: 0,
                third: ids[3],
            });
            along = Some(turn.1);
        }
    }

    fn number_edges(&mut self) -> Vec<Edge> {
        let mut edges: Vec<Edge> = Vec::new();
        self.edge_keys.sort_unstable();
        for &(cells, slot) in &self.edge_keys {
            if edges.last().is_none_or(|last| last.cells != cells) {
                edges.push(Edge {
                    cells,
                    ends: [0, 0],
                });
            }
            self.sides[slot as usize].edge = edges.len() as u32 - 1;
        }
        edges
    }

    fn number_vertices(&mut self, center: DVec3, step: f64) -> Vec<Vertex> {
        let mut vertices: Vec<Vertex> = Vec::new();
        self.vertex_keys.sort_unstable();
        for &(cells, slot) in &self.vertex_keys {
            if vertices.last().is_none_or(|last| last.cells != cells) {
                let at = DVec3::from(self.positions[slot as usize]) * (0.5 * step) + center;
                vertices.push(Vertex { cells, at });
            }
            self.sides[slot as usize].vertex = vertices.len() as u32 - 1;
        }
        vertices
    }

    fn boxes(&self, center: DVec3, step: f64) -> Vec<[f32; 6]> {
        let place = |b: &[f64; 6]| {
            let at = |k: usize| (b[k] * 0.5 * step + center[k % 3]) as f32;
            [at(0), at(1), at(2), at(3), at(4), at(5)]
        };
        self.cell_bounds.iter().map(place).collect()
    }
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
