//! Colliders of a body's chunks in the debris world. A chunk that no break comes near keeps its own; those of chunks that a
//! break has made are simplified afterwards.

use std::sync::Arc;

use fracture_geometry::piece_mesh::{MeshWithSources, RenderPartition};
use fracture_geometry::steps::pause;
use fracture_geometry::Mesh;
use rapier3d::geometry::SharedShape;

use super::chunk::{compact_triangle_mesh, Chunk};
use super::chunked_mesh::ChunkedMesh;
use super::colliders::Colliders;

/// Distance of a collider in the debris world from the mesh at most, in tolerances of the collision mesh: rubble lies on it
/// for long and is looked at.
const COLLIDER_TOLERANCE: f32 = 0.2;

impl ChunkedMesh {
    /// Whether a piece with this many triangles collides chunk by chunk.
    pub fn is_large(triangles: usize) -> bool {
        triangles > RenderPartition::SIZE
    }

    /// Colliders of a piece: those of its untouched chunks, and one of all other triangles, with flat
    /// cut faces. `parent` is the mesh of the body that was broken. `None` where the triangles make no
    /// shape.
    pub fn colliders(
        &self,
        parent: &Self,
        flat: &MeshWithSources,
        rendered: &Mesh,
    ) -> Option<Colliders> {
        if flat.mesh.triangles == rendered.triangles {
            return Colliders::new(self.chunk_colliders(rendered, |_| true));
        }
        let is_shared = |chunk: &Arc<Chunk>| parent.chunks.iter().any(|c| Arc::ptr_eq(c, chunk));
        let is_untouched = |number: usize| self.chunks.get(number).is_some_and(is_shared);
        let untouched = self.chunk_colliders(rendered, is_untouched);
        let remaining = self.collider_of_remaining_triangles(parent, flat);
        Colliders::new(untouched.into_iter().chain(remaining))
    }

    /// Colliders of a held piece with fewer triangles, in the order of those that it has: of what breaks have changed. What
    /// lies on a finely divided surface touches hundreds of its triangles, each of which is a contact. `None` where none of
    /// them becomes less.
    pub async fn simplified_colliders(&self, colliders: &Colliders) -> Option<Colliders> {
        if !self.is_simplifying() {
            return None;
        }
        let tolerance = COLLIDER_TOLERANCE * self.space.tolerance;
        let mut shapes: Vec<SharedShape> = colliders.shapes().cloned().collect();
        let mut is_less = false;
        for shape in &mut shapes {
            let triangles = shape.as_trimesh().filter(|_| self.is_changed(shape));
            let Some(triangles) = triangles else {
                continue;
            };
            let points = triangles.vertices().iter().map(|point| point.to_array());
            let mesh = Mesh::from_triangles(points.collect(), triangles.indices().to_vec());
            let simplified = mesh.simplified_in_steps(tolerance).await;
            pause().await;
            if simplified.triangles.len() == mesh.triangles.len() {
                continue;
            }
            let less = compact_triangle_mesh(&simplified.positions, simplified.triangles);
            if let Some(less) = less {
                *shape = less;
                is_less = true;
            }
        }
        Colliders::new(shapes).filter(|_| is_less)
    }

    /// Whether a collider is of triangles that a break has changed, as they are.
    fn is_changed(&self, shape: &SharedShape) -> bool {
        let is_simplified = self.chunk_with_simplified_collider(shape).is_some();
        let chunk = self.chunk_with_collider(shape);
        let chunk = chunk.and_then(|chunk| self.chunks.get(chunk));
        !is_simplified && chunk.is_none_or(|chunk| chunk.name.is_none())
    }

    /// Has pieces that share chunks with this one collide with what [`ChunkedMesh::simplified_colliders`] has made of its
    /// colliders.
    pub fn share_simplified(&self, colliders: &Colliders, simplified: &Colliders) {
        for (old, new) in colliders.shapes().zip(simplified.shapes()) {
            let chunk = self
                .chunk_with_collider(old)
                .filter(|_| self.is_changed(old));
            if let Some(chunk) = chunk.and_then(|chunk| self.chunks.get(chunk)) {
                chunk.simplified_collider.get_or_init(|| new.clone());
            }
        }
    }

    /// The number of the chunk that a shape is the simplified collider of.
    pub fn chunk_with_simplified_collider(&self, shape: &SharedShape) -> Option<usize> {
        self.chunk_with(shape, |chunk| chunk.simplified_collider.get())
    }

    /// Sets the simplified collider of a chunk of a piece from a save.
    pub fn set_simplified_collider(&self, chunk: u32, shape: &SharedShape) {
        if let Some(chunk) = self.chunks.get(chunk as usize) {
            chunk.simplified_collider.get_or_init(|| shape.clone());
        }
    }

    /// The number of the chunk that a shape is the collider of.
    pub fn chunk_with_collider(&self, shape: &SharedShape) -> Option<usize> {
        self.chunk_with(shape, |chunk| chunk.collider.get()?.as_ref())
    }

    fn chunk_with(
        &self,
        shape: &SharedShape,
        own: impl Fn(&Chunk) -> Option<&SharedShape>,
    ) -> Option<usize> {
        let is_it = |own: &SharedShape| Arc::ptr_eq(&own.0, &shape.0);
        self.chunks.iter().position(|c| own(c).is_some_and(is_it))
    }

    /// The collider of a chunk, built now if need be.
    pub fn chunk_collider(&self, chunk: u32, mesh: &Mesh) -> Option<SharedShape> {
        let chunk = chunk as usize;
        self.chunk_colliders(mesh, |number| number == chunk).pop()
    }

    fn chunk_colliders(&self, mesh: &Mesh, is_wanted: impl Fn(usize) -> bool) -> Vec<SharedShape> {
        let has_none = |chunk: &Chunk| {
            chunk.collider.get().is_none() && chunk.simplified_collider.get().is_none()
        };
        let lacks = |number, chunk: &Chunk| has_none(chunk) && is_wanted(number);
        self.fill(mesh, lacks, Chunk::build_collider);
        let chunks = self.chunks.iter().enumerate();
        let wanted = chunks.filter(|(number, _)| is_wanted(*number));
        let colliders = wanted.filter_map(|(_, chunk)| chunk.best_collider().cloned());
        colliders.collect()
    }

    /// A collider of the triangles that are in no chunk shared with the parent.
    fn collider_of_remaining_triangles(
        &self,
        parent: &Self,
        flat: &MeshWithSources,
    ) -> Option<SharedShape> {
        let is_shared = |old| self.chunks.iter().any(|new| Arc::ptr_eq(old, new));
        let shared: Vec<bool> = parent.chunks.iter().map(is_shared).collect();
        let is_remaining = |source: &u32| {
            let chunk = parent.partition.chunk_of(*source);
            shared.get(chunk as usize) != Some(&true)
        };
        let triangles = flat.mesh.triangles.iter().zip(&flat.source_triangles);
        let remaining = triangles.filter(|(_, source)| is_remaining(source));
        let remaining = remaining.map(|(triangle, _)| *triangle).collect();
        compact_triangle_mesh(&flat.mesh.positions, remaining)
    }
}
