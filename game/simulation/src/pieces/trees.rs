//! What a large held piece is in the debris world: the triangle meshes of its chunks. Building the search
//! tree of one mesh takes as long as all else about a break, so those of untouched chunks are handed on.

use std::sync::Arc;

use fracture_geometry::{Mesh, MeshWithSources, RenderPartition};
use rapier3d::geometry::SharedShape;

use super::chunk::{tree_of_some, Chunk};
use super::chunked_mesh::ChunkedMesh;
use crate::pieces::Colliders;

impl ChunkedMesh {
    /// Whether a mesh of so many triangles is collided with in parts.
    pub fn is_in_parts(triangles: usize) -> bool {
        triangles > RenderPartition::SIZE
    }

    /// What a piece is collided with, whose cut faces are flat to what collides. `parent` is the surface of
    /// what it was a part of. Nothing where its triangles make no shape.
    pub fn colliders(
        &self,
        parent: &Self,
        flat: &MeshWithSources,
        seen: &Mesh,
    ) -> Option<Colliders> {
        if flat.mesh.triangles == seen.triangles {
            return Colliders::of(self.trees(seen, |_| true));
        }
        let kept = |chunk: &Arc<Chunk>| parent.made.iter().any(|old| Arc::ptr_eq(old, chunk));
        let kept = |number: usize| self.made.get(number).is_some_and(kept);
        let trees = self.trees(seen, kept);
        Colliders::of(trees.into_iter().chain(self.rest(parent, flat)))
    }

    /// The chunk that a shape is made of.
    pub fn chunk_of(&self, shape: &SharedShape) -> Option<usize> {
        let is_it = |tree: &SharedShape| Arc::ptr_eq(&tree.0, &shape.0);
        let known =
            |chunk: &Arc<Chunk>| chunk.tree.get().and_then(Option::as_ref).is_some_and(is_it);
        self.made.iter().position(known)
    }

    /// The shape of a chunk; it is made now when it is not yet.
    pub fn tree_of(&self, chunk: u32, mesh: &Mesh) -> Option<SharedShape> {
        let chunk = chunk as usize;
        self.trees(mesh, |number| number == chunk).pop()
    }

    /// Does in advance what takes longest about [`ChunkedMesh::colliders`].
    pub fn prepare_colliders(&self, mesh: &Mesh) {
        if Self::is_in_parts(mesh.triangles.len()) {
            self.trees(mesh, |_| true);
        }
    }

    /// The triangle meshes of some chunks.
    fn trees(&self, mesh: &Mesh, wanted: impl Fn(usize) -> bool) -> Vec<SharedShape> {
        let lacks = |number, chunk: &Chunk| chunk.tree.get().is_none() && wanted(number);
        self.fill(mesh, lacks, Chunk::make_tree);
        let made = self.made.iter().enumerate();
        let wanted = made.filter(|(number, _)| wanted(*number));
        let trees = wanted.filter_map(|(_, chunk)| chunk.tree.get()?.clone());
        trees.collect()
    }

    /// The triangles of a piece that are in none of the chunks that are its parent's.
    fn rest(&self, parent: &Self, flat: &MeshWithSources) -> Option<SharedShape> {
        let is_kept = |old| self.made.iter().any(|new| Arc::ptr_eq(old, new));
        let kept: Vec<bool> = parent.made.iter().map(is_kept).collect();
        let is_left = |origin: &u32| {
            let chunk = parent.chunks.chunk_of(*origin);
            kept.get(chunk as usize) != Some(&true)
        };
        let triangles = flat.mesh.triangles.iter().zip(&flat.source_triangles);
        let left = triangles.filter(|(_, origin)| is_left(origin));
        let left = left.map(|(triangle, _)| *triangle).collect();
        tree_of_some(&flat.mesh.positions, left)
    }
}
