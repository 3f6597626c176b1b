//! The cells of a pattern with their faces, edges and vertices, in flat arrays.

use crate::error::PatternError;
use glam::DVec3;
use std::ops::Range;

/// Bits of a site's coordinate besides the sign: grid steps are a 262,144th of the pattern's half
/// side.
pub(crate) const GRID_BITS: u32 = 18;
/// The pattern's half side in grid steps.
pub(crate) const GRID_HALF: i32 = 1 << GRID_BITS;
/// Largest extent of a mesh, as a power of two of the pattern's half side.
pub(crate) const REACH_BITS: u32 = 12;
/// Most cells of a pattern: planes of a cell are counted in 16 bits.
pub const MAX_CELLS: usize = 60_000;

/// An edge of a face, counter-clockwise seen from outside the face's cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FaceEdge {
    /// The vertex where the edge starts.
    pub vertex: u32,
    /// The Voronoi edge that it runs along.
    pub edge: u32,
    /// The third cell around that edge, or a side of the clip box.
    pub third: u32,
}

/// A Voronoi edge: where three cells meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VoronoiEdge {
    /// The cells around the edge, ascending; the last may be a side of the clip box.
    pub cells: [u32; 3],
    /// The vertices at the ends, in the direction `(s_a - s_b) x (s_a - s_c)`.
    pub ends: [u32; 2],
}

/// A Voronoi vertex: where four cells meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct VoronoiVertex {
    /// The cells, ascending; sides of the clip box count from the number of cells.
    pub cells: [u32; 4],
    /// Position in pattern space.
    pub position: DVec3,
}

/// A Voronoi diagram of at most [`MAX_CELLS`] sites, with its topology in flat arrays. Immutable; share
/// it by `Arc`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Centre of the grid in pattern space.
    pub(super) center: DVec3,
    /// Half side of the grid in pattern space.
    pub(super) half: f64,
    pub(super) duplicates: u32,
    pub(super) sites: Vec<[i32; 3]>,
    /// By cell: its first face; one more at the end.
    pub(super) neighbor_offsets: Vec<u32>,
    /// By face: the cell on its other side.
    pub(super) neighbors: Vec<u32>,
    /// By face: its first face edge; one more at the end.
    pub(super) face_edge_offsets: Vec<u32>,
    pub(super) face_edges: Vec<FaceEdge>,
    pub(super) edges: Vec<VoronoiEdge>,
    pub(super) vertices: Vec<VoronoiVertex>,
}

impl Pattern {
    /// The number of cells.
    pub fn cell_count(&self) -> usize {
        self.sites.len()
    }

    /// The number of sites that were dropped because an earlier one has the same grid point.
    pub fn duplicates(&self) -> u32 {
        self.duplicates
    }

    /// A cell's site in pattern space, as rounded to the grid; the pattern's centre for a cell that
    /// does not exist.
    pub fn site(&self, cell: u32) -> DVec3 {
        let site = self.sites.get(cell as usize).copied().unwrap_or_default();
        self.center + DVec3::from(site.map(f64::from)) * self.step()
    }

    /// The cells that share a face with a cell, nearest first; none for a cell that does not exist.
    pub fn neighbors(&self, cell: u32) -> &[u32] {
        &self.neighbors[self.faces(cell)]
    }

    /// The cell that contains a point in pattern space; on a tie the smaller id. Compares all sites, so
    /// the cost grows with the number of cells.
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

    /// The length of a grid step in pattern space.
    pub(crate) fn step(&self) -> f64 {
        self.half / f64::from(GRID_HALF)
    }

    /// The centre of the grid in pattern space.
    pub(crate) fn center(&self) -> DVec3 {
        self.center
    }

    /// A cell's site in grid steps from the centre.
    pub(crate) fn grid_site(&self, cell: u32) -> [i64; 3] {
        let site = self.sites.get(cell as usize).copied().unwrap_or_default();
        site.map(i64::from)
    }

    /// The faces of a cell.
    pub(crate) fn faces(&self, cell: u32) -> Range<usize> {
        let all = self.neighbors.len();
        let start = |c: usize| self.neighbor_offsets.get(c).map_or(all, |o| *o as usize);
        start(cell as usize)..start((cell as usize).saturating_add(1))
    }

    /// The cell on the other side of a face.
    pub(crate) fn neighbor_of_face(&self, face: usize) -> u32 {
        self.neighbors[face]
    }

    /// The edges of a face.
    pub(crate) fn face_edges(&self, face: usize) -> &[FaceEdge] {
        let offsets = &self.face_edge_offsets;
        &self.face_edges[offsets[face] as usize..offsets[face + 1] as usize]
    }

    /// The number of Voronoi edges.
    pub(crate) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// A Voronoi edge.
    pub(crate) fn edge(&self, edge: u32) -> &VoronoiEdge {
        &self.edges[edge as usize]
    }

    /// The Voronoi edge where three cells (ascending) meet.
    pub(crate) fn edge_between(&self, cells: [u32; 3]) -> Option<u32> {
        let [a, b, c] = cells;
        let mut faces = self.faces(a);
        let face = faces.find(|face| self.neighbors[*face] == b)?;
        let mut edges = self.face_edges(face).iter();
        edges.find(|edge| edge.third == c).map(|edge| edge.edge)
    }

    /// A Voronoi vertex.
    pub(crate) fn vertex(&self, vertex: u32) -> &VoronoiVertex {
        &self.vertices[vertex as usize]
    }

    /// Whether a vertex lies on the clip box, and so outside of every mesh.
    pub(crate) fn is_on_clip_box(&self, vertex: u32) -> bool {
        self.vertex(vertex).cells[3] >= self.sites.len() as u32
    }
}

/// Checks a number of sites against [`MAX_CELLS`].
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

/// +1 if three different ids are an even permutation of their ascending order, else -1.
pub(crate) fn parity([a, b, c]: [u32; 3]) -> i8 {
    let swaps = (a > b) as i8 + (a > c) as i8 + (b > c) as i8;
    1 - 2 * (swaps % 2)
}

/// Ids in ascending order.
pub(crate) fn sorted<const N: usize>(mut ids: [u32; N]) -> [u32; N] {
    // Exchanges without branches: this runs for every corner of every cell.
    for end in (1..N).rev() {
        for k in 0..end {
            let (one, other) = (ids[k], ids[k + 1]);
            (ids[k], ids[k + 1]) = (one.min(other), one.max(other));
        }
    }
    ids
}
