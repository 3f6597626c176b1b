//! Spatial chunks of a mesh for drawing, most of which outlast breaks.
//!
//! Chunks are sets of triangles, found by halving along the longest side: of a solid, they are nodes of its tree. A break
//! keeps every chunk all of whose triangles an island has unchanged; the rest of the island and its new faces are divided
//! anew. So chunks have at most a few thousand triangles, however often a body is hit, and render data
//! of kept chunks is reused.

use crate::math::{ordered_bits, SparseSet, NONE};
use crate::mesh::Mesh;
use crate::solid::Solid;
use glam::Vec3;

/// A partition of the triangles of a mesh into chunks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderPartition {
    /// By triangle: its chunk, or [`NONE`].
    chunk_ids: Vec<u32>,
    count: u32,
}

impl RenderPartition {
    /// Most triangles of a chunk.
    pub const SIZE: usize = 4096;

    /// Most triangles of a chunk of a solid. It has at least half as many, unless the solid is smaller.
    const INTACT_SIZE: usize = Self::SIZE / 4 * 3;

    /// Partitions the mesh of a solid. Triangles that use a point twice, which cannot be seen, are in no chunk.
    pub fn new(solid: &Solid) -> Self {
        let mut partition = Self {
            chunk_ids: vec![NONE; solid.mesh().triangles.len()],
            count: 0,
        };
        solid.bvh().visit_largest(Self::INTACT_SIZE, |triangles| {
            for triangle in triangles {
                let source = solid.source_triangle(triangle);
                partition.chunk_ids[source as usize] = partition.count;
            }
            partition.count += 1;
        });
        partition
    }

    /// Restores a saved partition; `chunk_ids[t]` is the chunk of triangle `t`, or `u32::MAX`. `None` if another entry is
    /// not below `count`.
    pub fn from_chunk_ids(chunk_ids: Vec<u32>, count: u32) -> Option<Self> {
        let are_valid = chunk_ids.iter().all(|id| *id < count || *id == NONE);
        are_valid.then_some(Self { chunk_ids, count })
    }

    /// By chunk: its triangles that the solid, of whose mesh this is the partition, breaks with.
    pub fn sizes(&self, solid: &Solid) -> Vec<u32> {
        let mut sizes = vec![0; self.count as usize];
        for source in solid.source_triangles() {
            if let Some(size) = sizes.get_mut(self.chunk_of(*source) as usize) {
                *size += 1;
            }
        }
        sizes
    }

    /// The chunk of each triangle; `u32::MAX` for triangles in none.
    pub fn chunk_ids(&self) -> &[u32] {
        &self.chunk_ids
    }

    /// The number of chunks.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The chunk of a triangle; `u32::MAX` for a triangle in none.
    pub fn chunk_of(&self, triangle: u32) -> u32 {
        let chunk = self.chunk_ids.get(triangle as usize);
        chunk.copied().unwrap_or(NONE)
    }

    /// The ids and meshes of the wanted chunks, ascending. Attributes are copied bit for bit; a vertex
    /// of several chunks is in each.
    pub fn meshes<'a>(
        &self,
        mesh: &'a Mesh,
        is_wanted: impl Fn(u32) -> bool,
    ) -> impl Iterator<Item = (u32, Mesh)> + 'a {
        let wanted: Vec<bool> = (0..self.count).map(is_wanted).collect();
        let mut triangles = vec![Vec::new(); wanted.len()];
        for (triangle, chunk) in (0..).zip(&self.chunk_ids) {
            if wanted.get(*chunk as usize) == Some(&true) {
                triangles[*chunk as usize].push(triangle);
            }
        }
        let mut vertices = SparseSet::with_id_capacity(mesh.positions.len());
        let chunks = (0..).zip(triangles).zip(wanted);
        let wanted = chunks.filter(|(_, is_wanted)| *is_wanted);
        wanted.map(move |((chunk, triangles), _)| (chunk, mesh.submesh(&triangles, &mut vertices)))
    }

    /// Divides triangles without a chunk into new chunks.
    fn divide(&mut self, triangles: &mut [Centroid]) {
        if triangles.is_empty() {
            return;
        }
        if triangles.len() <= Self::SIZE {
            for centroid in triangles {
                self.chunk_ids[centroid.triangle as usize] = self.count;
            }
            self.count += 1;
            return;
        }
        let empty = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        let centroids = triangles.iter().map(|centroid| centroid.triple);
        let [low, high] = centroids.fold(empty, |[low, high], p| [low.min(p), high.max(p)]);
        let axis = (high - low).max_position();
        let half = triangles.len() / 2;
        triangles.select_nth_unstable_by_key(half, |centroid| centroid.key(axis));
        let (left, right) = triangles.split_at_mut(half);
        self.divide(left);
        self.divide(right);
    }
}

/// Where a triangle is, by which it comes to a chunk.
#[derive(Clone, Copy)]
struct Centroid {
    triangle: u32,
    /// Three times the centroid, which serves for comparisons.
    triple: Vec3,
}

impl Centroid {
    fn new(mesh: &Mesh, triangle: u32) -> Self {
        let [a, b, c] = mesh.triangles[triangle as usize].map(|v| mesh.positions[v as usize]);
        let triple = Vec3::from(a) + Vec3::from(b) + Vec3::from(c);
        Self { triangle, triple }
    }

    /// Orders by place along an axis, then by triangle: one integer is compared fast.
    fn key(&self, axis: usize) -> u64 {
        u64::from(ordered_bits(self.triple[axis])) << 32 | u64::from(self.triangle)
    }
}

/// The mesh of a piece, with the source of each triangle.
#[derive(Clone, Debug, Default)]
pub struct MeshWithSources {
    /// Mesh as made by [`Piece::to_mesh`](crate::Piece::to_mesh).
    pub mesh: Mesh,
    /// By triangle: the triangle of the solid's mesh that it is, unchanged; `u32::MAX` for triangles that
    /// the break made, and for those near it.
    pub source_triangles: Vec<u32>,
}

impl RenderPartition {
    /// Partitions the render mesh of a piece after a break. `self` is the partition of a solid's mesh, and `sizes` are its
    /// [sizes](Self::sizes); `piece` is a piece of the solid; `render_mesh` is its mesh, or that mesh
    /// [roughened](crate::piece_mesh::roughen).
    ///
    /// Returns the partition of `render_mesh`, and the solid's chunks that are unchanged in the piece,
    /// ascending: they are the first chunks of the new partition.
    pub fn update(
        &self,
        sizes: &[u32],
        piece: &MeshWithSources,
        render_mesh: &Mesh,
    ) -> (Self, Vec<u32>) {
        let mut chunk_ids = self.unchanged(piece, render_mesh);
        let mut missing = sizes.to_vec();
        missing.resize(self.count as usize, NONE);
        for chunk in &chunk_ids {
            if let Some(missing) = missing.get_mut(*chunk as usize) {
                *missing = missing.wrapping_sub(1);
            }
        }
        let is_complete = |chunk: &u32| missing[*chunk as usize] == 0;
        let kept: Vec<u32> = (0..self.count).filter(is_complete).collect();
        let mut new_ids = vec![NONE; self.count as usize];
        for (new, old) in (0..).zip(&kept) {
            new_ids[*old as usize] = new;
        }
        let mut remaining: Vec<Centroid> = Vec::new();
        for (triangle, chunk) in (0..).zip(&mut chunk_ids) {
            *chunk = new_ids.get(*chunk as usize).copied().unwrap_or(NONE);
            if *chunk == NONE {
                remaining.push(Centroid::new(render_mesh, triangle));
            }
        }
        let mut partition = Self {
            chunk_ids,
            count: kept.len() as u32,
        };
        partition.divide(&mut remaining);
        (partition, kept)
    }

    /// By triangle of a render mesh: the chunk of the triangle of the solid's mesh that it is; [`NONE`] of others.
    /// Roughening divides triangles, but no other triangle changes its vertices or its place in the order.
    fn unchanged(&self, piece: &MeshWithSources, render_mesh: &Mesh) -> Vec<u32> {
        let is_flat = std::ptr::eq(&piece.mesh, render_mesh);
        if is_flat || piece.mesh.triangles == render_mesh.triangles {
            let sources = piece.source_triangles.iter();
            return sources.map(|source| self.chunk_of(*source)).collect();
        }
        let mut flat = piece.mesh.triangles.iter().zip(&piece.source_triangles);
        let vertices = piece.mesh.positions.len();
        let triangles = render_mesh.triangles.iter();
        let chunk = |triangle: &[u32; 3]| {
            let has_flat_vertices = triangle.iter().all(|v| (*v as usize) < vertices);
            let source = has_flat_vertices.then(|| flat.find(|(flat, _)| *flat == triangle));
            source
                .flatten()
                .map_or(NONE, |(_, source)| self.chunk_of(*source))
        };
        triangles.map(chunk).collect()
    }
}
