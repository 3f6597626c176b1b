//! Surfaces in spatial chunks, so that what was made of a chunk can be kept as long as no cut comes
//! near it.
//!
//! Chunks are sets of triangles, found by halving along the longest side. A break leaves every chunk
//! alone all of whose triangles an island has unchanged; the rest of the island, with its new faces,
//! is divided anew. So chunks stay a few thousand triangles large, however often a body is hit.

use crate::math::{SparseSet, NONE};
use crate::mesh::Mesh;
use crate::solid::Solid;
use glam::Vec3;

/// Which chunk each triangle of a mesh is in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderPartition {
    of_triangle: Vec<u32>,
    count: u32,
}

impl RenderPartition {
    /// Most triangles of a chunk. All but the chunk of a smaller mesh have more than half as many.
    pub const SIZE: usize = 4096;

    /// Divides a mesh.
    pub fn new(mesh: &Mesh) -> Self {
        let mut chunks = Self {
            of_triangle: vec![NONE; mesh.triangles.len()],
            count: 0,
        };
        let mut all: Vec<u32> = (0..mesh.triangles.len() as u32).collect();
        chunks.divide(mesh, &mut all);
        chunks
    }

    /// Chunks that somebody has kept: which of `count` each triangle is in. `None` when one of them is in
    /// none.
    pub fn from_chunk_ids(of_triangle: Vec<u32>, count: u32) -> Option<Self> {
        let all_are_there = of_triangle.iter().all(|chunk| *chunk < count);
        all_are_there.then_some(Self { of_triangle, count })
    }

    /// The chunks of all triangles, in their order.
    pub fn chunk_ids(&self) -> &[u32] {
        &self.of_triangle
    }

    /// How many chunks there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The chunk of a triangle; `u32::MAX` when the mesh has no such triangle.
    pub fn chunk_of(&self, triangle: u32) -> u32 {
        self.of_triangle
            .get(triangle as usize)
            .copied()
            .unwrap_or(NONE)
    }

    /// The meshes of some chunks with their numbers, ascending. Attributes are copied bit for bit; a
    /// vertex of several chunks is in each.
    pub fn meshes<'a>(
        &self,
        mesh: &'a Mesh,
        wanted: impl Fn(u32) -> bool,
    ) -> impl Iterator<Item = (u32, Mesh)> + 'a {
        let wanted: Vec<bool> = (0..self.count).map(wanted).collect();
        let mut lists = vec![Vec::new(); wanted.len()];
        for (triangle, chunk) in self.of_triangle.iter().enumerate() {
            if wanted.get(*chunk as usize) == Some(&true) {
                lists[*chunk as usize].push(triangle as u32);
            }
        }
        let mut vertices = SparseSet::default();
        let chunks = (0..).zip(lists).zip(wanted);
        let wanted = chunks.filter(|(_, wanted)| *wanted);
        wanted.map(move |((chunk, list), _)| (chunk, mesh.submesh(&list, &mut vertices)))
    }

    /// Puts some triangles of no chunk into new chunks.
    fn divide(&mut self, mesh: &Mesh, triangles: &mut [u32]) {
        if triangles.is_empty() {
            return;
        }
        if triangles.len() <= Self::SIZE {
            for triangle in triangles {
                self.of_triangle[*triangle as usize] = self.count;
            }
            self.count += 1;
            return;
        }
        let far = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (low, high) = triangles.iter().fold(far, |(low, high), t| {
            let middle = middle(mesh, *t);
            (low.min(middle), high.max(middle))
        });
        let axis = (high - low).max_position();
        let half = triangles.len() / 2;
        triangles.select_nth_unstable_by(half, |a, b| {
            let (x, y) = (middle(mesh, *a)[axis], middle(mesh, *b)[axis]);
            x.total_cmp(&y).then(a.cmp(b))
        });
        let (left, right) = triangles.split_at_mut(half);
        self.divide(mesh, left);
        self.divide(mesh, right);
    }
}

/// Three times the middle: only compared.
fn middle(mesh: &Mesh, triangle: u32) -> Vec3 {
    let [a, b, c] = mesh.triangles[triangle as usize].map(|v| mesh.positions[v as usize]);
    Vec3::from(a) + Vec3::from(b) + Vec3::from(c)
}

/// The mesh of a piece, and where its triangles come from.
#[derive(Clone, Debug, Default)]
pub struct MeshWithSources {
    /// As [`Piece::to_mesh`](crate::Piece::to_mesh) makes it.
    pub mesh: Mesh,
    /// For each triangle of the mesh the one of the solid's mesh that it is unchanged; `u32::MAX` for
    /// what the break has made, and for what is near it.
    pub source_triangles: Vec<u32>,
}

impl RenderPartition {
    /// Divides what a piece looks like. `self` are the chunks of the solid's mesh, `piece` is a piece
    /// of the solid, and `seen` is its mesh or what [`roughen`](crate::roughen) has made of it.
    ///
    /// Returns the chunks of `seen`, and the solid's chunks that the first of these are, unchanged;
    /// ascending. The others are new.
    pub fn update(&self, solid: &Solid, piece: &MeshWithSources, seen: &Mesh) -> (Self, Vec<u32>) {
        let mut of_triangle = vec![NONE; seen.triangles.len()];
        let mut missing = vec![0u32; self.count as usize];
        let sources = 0..solid.triangle_count() as u32;
        for source in sources.map(|t| solid.source_triangle(t)) {
            if let Some(missing) = missing.get_mut(self.chunk_of(source) as usize) {
                *missing += 1;
            }
        }
        each_unchanged(piece, seen, |triangle, origin| {
            let chunk = self.chunk_of(origin);
            if let Some(missing) = missing.get_mut(chunk as usize) {
                *missing = missing.wrapping_sub(1);
                of_triangle[triangle] = chunk;
            }
        });
        let whole = |chunk: &u32| missing[*chunk as usize] == 0;
        let kept: Vec<u32> = (0..self.count).filter(whole).collect();
        let mut number = vec![NONE; self.count as usize];
        for (new, old) in kept.iter().enumerate() {
            number[*old as usize] = new as u32;
        }
        for chunk in &mut of_triangle {
            *chunk = number.get(*chunk as usize).copied().unwrap_or(NONE);
        }
        let mut chunks = Self {
            of_triangle,
            count: kept.len() as u32,
        };
        let loose = |t: &u32| chunks.of_triangle[*t as usize] == NONE;
        let mut rest: Vec<u32> = (0..seen.triangles.len() as u32).filter(loose).collect();
        chunks.divide(seen, &mut rest);
        (chunks, kept)
    }
}

/// Calls back with the triangles of `seen` that are those of the solid's mesh. Where cut faces have
/// been made rough, triangles may have been divided, but none has changed its vertices or its place
/// in the order.
fn each_unchanged(piece: &MeshWithSources, seen: &Mesh, mut f: impl FnMut(usize, u32)) {
    let mut flat = piece.mesh.triangles.iter().zip(&piece.source_triangles);
    let vertices = piece.mesh.positions.len();
    let old = |triangle: &[u32; 3]| triangle.iter().all(|v| (*v as usize) < vertices);
    for (index, triangle) in seen.triangles.iter().enumerate() {
        if !old(triangle) {
            continue;
        }
        match flat.find(|(flat, _)| *flat == triangle) {
            Some((_, &NONE)) => {}
            Some((_, origin)) => f(index, *origin),
            None => return,
        }
    }
}
