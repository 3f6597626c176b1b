//! Sites to the flat arrays of a [`Pattern`].

use super::arrays::Arrays;
use super::cell::Cell;
use super::grid::{Near, SiteGrid};
use super::tree::SiteTree;
use super::{check_count, parity, Pattern, GRID_HALF};
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
