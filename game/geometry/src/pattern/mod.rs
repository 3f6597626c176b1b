//! Patterns: sites turned once into a cached plane set, laid onto objects many times.
//!
//! Site `i` has the affine function `h_i(x) = 2 s_i . x - |s_i|^2`; its cell is where `h_i` is the
//! largest. Sites are rounded once to a grid of integers; everything after that is exact, so the
//! cached topology (neighbours, faces, edges, vertices) is that of the very functions that cut.

mod delaunay;
mod io;
mod recipe;
mod voronoi;

pub use recipe::{refine_near_origin, Recipe};

use crate::error::PatternError;
use glam::DVec3;

/// Sites are integers of this many bits and a sign: steps of a 262,144th of half the pattern's side.
pub(crate) const GRID_BITS: u32 = 18;
pub(crate) const GRID_HALF: i64 = 1 << GRID_BITS;
/// A mesh may be up to two to this power times larger than the pattern.
pub(crate) const REACH_BITS: u32 = 12;
/// Most sites of a pattern. A cell's planes are counted in 16 bits.
pub const MAX_CELLS: usize = 60_000;

/// One step of a face's outline, counter-clockwise seen from outside its cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Side {
    /// The vertex at which the step starts.
    pub vertex: u32,
    /// The pattern edge it runs along.
    pub edge: u32,
    /// The third cell around that edge, or a box side.
    pub third: u32,
}

/// A line between two pattern vertices, where three cells meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// The cells around it, ascending; the last may be a box side.
    pub cells: [u32; 3],
    /// Its ends, in the direction `(s_a - s_b) x (s_a - s_c)`.
    pub ends: [u32; 2],
}

/// A point where four cells meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vertex {
    /// The cells, ascending; box sides count from the number of cells.
    pub cells: [u32; 4],
    /// Position in pattern space.
    pub at: DVec3,
}

/// A cached Voronoi plane set in flat arrays. Immutable; share it by `Arc`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    center: DVec3,
    half: f64,
    duplicates: u32,
    sites: Vec<[i32; 3]>,
    neighbor_offsets: Vec<u32>,
    neighbors: Vec<u32>,
    side_offsets: Vec<u32>,
    sides: Vec<Side>,
    edges: Vec<Edge>,
    vertices: Vec<Vertex>,
}

impl Pattern {
    /// Builds the cells of sites given in pattern space.
    ///
    /// Sites that fall on the same grid point are dropped but for the first, see
    /// [`Pattern::duplicates`]; cells are numbered in the order of the sites that remain.
    ///
    /// # Errors
    /// [`PatternError`] when there are too few or too many sites, one is not finite, or nearly every
    /// cell would meet every other.
    pub fn from_sites(sites: &[DVec3]) -> Result<Self, PatternError> {
        voronoi::build(sites)
    }

    /// Draws a recipe's sites and builds their cells.
    ///
    /// # Errors
    /// [`PatternError`] as from [`Recipe::sites`] and [`Pattern::from_sites`].
    pub fn from_recipe(recipe: &Recipe, seed: u64) -> Result<Self, PatternError> {
        Self::from_sites(&recipe.sites(seed)?)
    }

    /// Reads what [`Pattern::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`PatternError::Corrupt`], [`PatternError::Version`] or [`PatternError::TooManyCorners`]; any
    /// bytes may be given.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PatternError> {
        io::read(bytes)
    }

    /// What the plane set is made of as bytes, with a version and a content hash: about 12 bytes a
    /// cell, the same on every platform.
    pub fn to_bytes(&self) -> Vec<u8> {
        io::write(self)
    }

    /// The number of cells.
    pub fn cell_count(&self) -> usize {
        self.sites.len()
    }

    /// Content hash of the plane set: of its frame and sites, from which all else follows.
    pub fn content_hash(&self) -> u64 {
        io::hash(self)
    }

    /// How many sites were dropped because another stood on the same grid point.
    pub fn duplicates(&self) -> u32 {
        self.duplicates
    }

    /// A cell's site in pattern space, as rounded to the grid.
    pub fn site(&self, cell: u32) -> DVec3 {
        let site = self.sites.get(cell as usize).copied().unwrap_or_default();
        self.center + DVec3::from(site.map(f64::from)) * self.step()
    }

    /// The cells that share a face with this one, nearest first; none of a cell that is not there.
    pub fn neighbors(&self, cell: u32) -> &[u32] {
        &self.neighbors[self.faces(cell)]
    }

    /// The cell whose site is nearest to a point in pattern space; the smaller id on a tie.
    pub fn cell_at(&self, point: DVec3) -> u32 {
        let grid = (point - self.center) / self.step();
        let mut best = (f64::INFINITY, 0);
        for (id, site) in self.sites.iter().enumerate() {
            let distance = (DVec3::from(site.map(f64::from)) - grid).length_squared();
            if distance < best.0 {
                best = (distance, id as u32);
            }
        }
        best.1
    }

    /// Metres of pattern space per grid step.
    pub(crate) fn step(&self) -> f64 {
        self.half / GRID_HALF as f64
    }

    pub(crate) fn center(&self) -> DVec3 {
        self.center
    }

    pub(crate) fn grid_site(&self, cell: u32) -> [i64; 3] {
        let site = self.sites.get(cell as usize).copied().unwrap_or_default();
        site.map(i64::from)
    }

    /// The slots of a cell's faces in the flat arrays; slot `f` belongs to `neighbors[f]`.
    pub(crate) fn faces(&self, cell: u32) -> std::ops::Range<usize> {
        let none = self.neighbors.len();
        let at = |c: usize| self.neighbor_offsets.get(c).map_or(none, |o| *o as usize);
        at(cell as usize)..at((cell as usize).saturating_add(1))
    }

    pub(crate) fn neighbor_of_face(&self, face: usize) -> u32 {
        self.neighbors[face]
    }

    pub(crate) fn sides(&self, face: usize) -> &[Side] {
        &self.sides[self.side_offsets[face] as usize..self.side_offsets[face + 1] as usize]
    }

    pub(crate) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    pub(crate) fn edge(&self, edge: u32) -> &Edge {
        &self.edges[edge as usize]
    }

    /// The pattern edge around which three cells (ascending) meet.
    pub(crate) fn edge_between(&self, cells: [u32; 3]) -> Option<u32> {
        let [a, b, c] = cells;
        let mut faces = self.faces(a);
        let face = faces.find(|face| self.neighbors[*face] == b)?;
        let side = self.sides(face).iter().find(|side| side.third == c)?;
        Some(side.edge)
    }

    pub(crate) fn vertex(&self, vertex: u32) -> &Vertex {
        &self.vertices[vertex as usize]
    }

    /// Whether a vertex lies on the far box, and so outside of every mesh.
    pub(crate) fn is_outer(&self, vertex: u32) -> bool {
        self.vertex(vertex).cells[3] >= self.sites.len() as u32
    }
}

pub(crate) fn check_count(found: usize) -> Result<(), PatternError> {
    if found > MAX_CELLS {
        return Err(PatternError::TooManySites {
            found,
            limit: MAX_CELLS,
            field: PatternError::CELLS,
        });
    }
    Ok(())
}

/// +1 when three different ids are an even permutation of their ascending order, else -1.
pub(crate) fn parity([a, b, c]: [u32; 3]) -> i8 {
    let swaps = (a > b) as i8 + (a > c) as i8 + (b > c) as i8;
    1 - 2 * (swaps % 2)
}

/// Ids in ascending order.
pub(crate) fn sorted<const N: usize>(mut ids: [u32; N]) -> [u32; N] {
    // A few exchanges without a branch: this is asked for every corner of every cell.
    for end in (1..N).rev() {
        for at in 0..end {
            let (one, other) = (ids[at], ids[at + 1]);
            (ids[at], ids[at + 1]) = (one.min(other), one.max(other));
        }
    }
    ids
}
