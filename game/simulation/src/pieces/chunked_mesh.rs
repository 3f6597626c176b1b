//! A body's mesh in chunks. Data derived from a chunk (render payloads, simplified meshes, colliders) is
//! shared by all bodies that have the chunk, from break to break: building the collider of one mesh
//! takes as long as all else about a break, so that those of untouched chunks are reused.

use std::fmt;
use std::sync::{Arc, OnceLock};

use fracture_geometry::piece_mesh::{MeshWithSources, OctreeLeaf, RenderPartition};
use fracture_geometry::{Aabb, Mesh, Solid};
use glam::Vec3;
use rapier3d::geometry::SharedShape;

use super::chunk::{compact_triangle_mesh, Chunk, ChunkName, ChunkPool};
use super::colliders::Colliders;
use super::piece_hooks::{ChunkHooks, SharedPayload};
use crate::parallel::{Helpers, SharedItems};

/// Collision meshes of up to this many triangles are not simplified.
const MAX_EXACT_TRIANGLES: usize = 2000;
/// Distance of a simplified collision mesh from the mesh at most, in longest sides of the intact body.
const COLLISION_TOLERANCE: f32 = 0.01;
/// Most triangles of one collision chunk.
const MAX_CHUNK_TRIANGLES: usize = 1000;

/// A mesh in chunks.
pub(crate) struct ChunkedMesh {
    partition: RenderPartition,
    /// By number in the partition.
    chunks: Vec<Arc<Chunk>>,
    space: CollisionSpace,
    /// The simplified mesh of an anchored piece, for the host's physics.
    collision: OnceLock<Vec<CollisionChunk>>,
}

/// A chunk that lacks something that the host needs, to be made by any thread.
pub(crate) struct ChunkTask<'a> {
    chunk: &'a Chunk,
    mesh: Mesh,
    hooks: &'a ChunkHooks,
    /// With which the chunk is simplified, too.
    tolerance: Option<f32>,
}

impl ChunkTask<'_> {
    /// Makes what is lacking.
    pub fn run(self) {
        self.chunk
            .render
            .get_or_init(|| self.hooks.render(&self.mesh));
        if let Some(tolerance) = self.tolerance {
            let simplify = || self.mesh.simplified(tolerance);
            self.chunk.simplified.get_or_init(simplify);
        }
    }
}

/// An octree cell of the collision mesh.
#[derive(Clone)]
struct CollisionChunk {
    leaf: Arc<OctreeLeaf>,
    payload: SharedPayload,
}

/// How the collision meshes of a body and all its pieces are simplified and divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CollisionSpace {
    /// Metres; 0 for no simplification.
    pub tolerance: f32,
    /// Root cube of the octree.
    pub cube: [Vec3; 2],
}

/// The serialised part of a chunked mesh: all but the derived data.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChunkedMeshParts {
    pub partition: RenderPartition,
    /// By chunk.
    pub names: Vec<Option<ChunkName>>,
    pub space: CollisionSpace,
}

/// Partition and shared data.
impl ChunkedMesh {
    /// The mesh of an intact body.
    pub fn from_solid(solid: &Solid, pool: &ChunkPool) -> Self {
        let partition = RenderPartition::new(solid.mesh());
        let [low, high] = solid.bounds().as_vec3();
        let size = (high - low).max_element();
        let names = ChunkName::all(solid.mesh(), partition.count());
        Self {
            chunks: names.map(|name| pool.get(name)).collect(),
            partition,
            space: CollisionSpace {
                tolerance: if Self::is_simplified(solid) {
                    COLLISION_TOLERANCE * size
                } else {
                    0.0
                },
                cube: [low, low + size],
            },
            collision: OnceLock::new(),
        }
    }

    /// The mesh of a piece of this body: untouched chunks are shared, the rest is divided anew.
    /// `flat` has flat cut faces, `rendered` has rough ones.
    pub fn for_piece(&self, solid: &Solid, flat: &MeshWithSources, rendered: &Mesh) -> Self {
        let (partition, untouched) = self.partition.update(solid, flat, rendered);
        let shared = untouched
            .iter()
            .filter_map(|old| self.chunks.get(*old as usize));
        let mut chunks: Vec<Arc<Chunk>> = shared.cloned().collect();
        let count = (partition.count() as usize).max(chunks.len());
        chunks.resize_with(count, Arc::default);
        Self {
            chunks,
            partition,
            space: self.space,
            collision: OnceLock::new(),
        }
    }

    /// The mesh of a piece from a save.
    pub fn from_parts(parts: ChunkedMeshParts, pool: &ChunkPool) -> Self {
        let chunk = |name: Option<ChunkName>| name.map_or_else(Arc::default, |name| pool.get(name));
        Self {
            chunks: parts.names.into_iter().map(chunk).collect(),
            partition: parts.partition,
            space: parts.space,
            collision: OnceLock::new(),
        }
    }

    /// The serialised part.
    pub fn parts(&self) -> ChunkedMeshParts {
        ChunkedMeshParts {
            partition: self.partition.clone(),
            names: self.chunks.iter().map(|chunk| chunk.name).collect(),
            space: self.space,
        }
    }

    /// Derives data for the chunks that lack it.
    fn fill(
        &self,
        mesh: &Mesh,
        lacks: impl Fn(usize, &Chunk) -> bool,
        derive: impl Fn(&Chunk, &Mesh),
    ) {
        self.lacking(mesh, lacks)
            .for_each(|(chunk, mesh)| derive(chunk, &mesh));
    }

    /// The chunks that lack something, with their meshes.
    fn lacking<'a>(
        &'a self,
        mesh: &'a Mesh,
        lacks: impl Fn(usize, &Chunk) -> bool + 'a,
    ) -> impl Iterator<Item = (&'a Chunk, Mesh)> + 'a {
        let chunks = &self.chunks;
        let count = self.partition.count() as usize;
        let are_lacking = chunks.iter().take(count).enumerate();
        let are_lacking: Vec<bool> = are_lacking
            .map(|(number, chunk)| lacks(number, chunk))
            .collect();
        // The common case: nothing is lacking.
        let meshes = are_lacking.contains(&true).then(|| {
            let is_lacking = move |number: u32| are_lacking.get(number as usize) == Some(&true);
            self.partition.meshes(mesh, is_lacking)
        });
        let meshes = meshes.into_iter().flatten();
        meshes.filter_map(|(number, mesh)| Some((&**chunks.get(number as usize)?, mesh)))
    }
}

/// Payloads for the host.
impl ChunkedMesh {
    /// Render payloads by chunk; the hook is run for chunks that have none.
    pub fn render_payloads(&self, mesh: &Mesh, hooks: &ChunkHooks) -> Vec<SharedPayload> {
        self.render_payloads_and_colliders(mesh, hooks, false)
    }

    /// Render payloads, and if wanted also the colliders of all chunks
    /// ([`ChunkedMesh::chunk_collider`]).
    pub fn render_payloads_and_colliders(
        &self,
        mesh: &Mesh,
        hooks: &ChunkHooks,
        with_colliders: bool,
    ) -> Vec<SharedPayload> {
        let lacks_collider = |chunk: &Chunk| with_colliders && chunk.collider.get().is_none();
        let lacks = |_, chunk: &Chunk| chunk.render.get().is_none() || lacks_collider(chunk);
        self.fill(mesh, lacks, |chunk, mesh| {
            chunk.render.get_or_init(|| hooks.render(mesh));
            if with_colliders {
                chunk.build_collider(mesh);
            }
        });
        let payloads = self.chunks.iter().filter_map(|chunk| chunk.render.get());
        payloads.cloned().collect()
    }

    /// Tasks that do what takes longest about the payloads of a piece, and of a held one about its collision payloads:
    /// one for each chunk that lacks something.
    pub fn tasks<'a>(
        &'a self,
        mesh: &'a Mesh,
        hooks: &'a ChunkHooks,
        held: bool,
    ) -> impl Iterator<Item = ChunkTask<'a>> + 'a {
        let tolerance = self.chunk_tolerance().filter(|_| held);
        let lacks = move |_, chunk: &Chunk| {
            chunk.render.get().is_none() || tolerance.is_some() && chunk.simplified.get().is_none()
        };
        let lacking = self.lacking(mesh, lacks);
        lacking.map(move |(chunk, mesh)| ChunkTask {
            chunk,
            mesh,
            hooks,
            tolerance,
        })
    }

    /// Collision payloads; chunks of the collision mesh that the parent has too are shared with it.
    pub fn collision_payloads(
        &self,
        mesh: &Mesh,
        parent: &Self,
        hooks: &ChunkHooks,
    ) -> Vec<SharedPayload> {
        let simplified = if self.space.tolerance > 0.0 {
            self.simplified(mesh)
        } else {
            mesh.simplified(0.0)
        };
        let [min, max] = self.space.cube.map(|corner| corner.as_dvec3());
        let leaves = simplified.partition_octree(Aabb { min, max }, MAX_CHUNK_TRIANGLES);
        self.set_collision(leaves.into_iter().map(Arc::new), Some(parent), hooks)
    }

    /// Collision payloads for octree leaves that are known, from a save.
    pub fn set_collision(
        &self,
        leaves: impl Iterator<Item = Arc<OctreeLeaf>>,
        parent: Option<&Self>,
        hooks: &ChunkHooks,
    ) -> Vec<SharedPayload> {
        let chunk = |leaf: Arc<OctreeLeaf>| {
            let mut shared = parent.into_iter().flat_map(Self::collision);
            let shared = shared.find(|chunk| chunk.leaf.hash == leaf.hash);
            shared.cloned().unwrap_or_else(|| CollisionChunk {
                payload: hooks.collision(&leaf.mesh),
                leaf,
            })
        };
        let collision = self.collision.get_or_init(|| leaves.map(chunk).collect());
        let payloads = collision.iter().map(|chunk| chunk.payload.clone());
        payloads.collect()
    }

    fn collision(&self) -> &[CollisionChunk] {
        self.collision.get().map_or(&[], Vec::as_slice)
    }

    /// Octree leaves of the collision mesh; none before the collision payloads have been asked for.
    pub fn collision_leaves(&self) -> impl Iterator<Item = &OctreeLeaf> {
        self.collision().iter().map(|chunk| &*chunk.leaf)
    }

    /// The whole mesh with few triangles: simplified by chunk, so that most are there already, and then
    /// as a whole, for the borders between chunks.
    fn simplified(&self, mesh: &Mesh) -> Mesh {
        self.prepare_collision(mesh);
        let mut joined = Mesh::default();
        for chunk in self.chunks.iter().filter_map(|c| c.simplified.get()) {
            let offset = joined.positions.len() as u32;
            joined.positions.extend(&chunk.positions);
            let triangles = chunk.triangles.iter().map(|t| t.map(|v| v + offset));
            joined.triangles.extend(triangles);
        }
        joined.simplified(0.5 * self.space.tolerance)
    }

    /// Whether the collision mesh of a solid is simplified.
    pub fn is_simplified(solid: &Solid) -> bool {
        solid.triangle_count() > MAX_EXACT_TRIANGLES
    }

    /// The simplified chunks, as far as they are prepared.
    pub fn simplified_chunks(&self) -> impl Iterator<Item = &Mesh> {
        self.chunks
            .iter()
            .filter_map(|chunk| chunk.simplified.get())
    }

    /// Sets the simplified chunks of a body that has been simplified before.
    pub fn set_simplified_chunks(&self, simplified: Vec<Mesh>) {
        if simplified.len() == self.chunks.len() {
            for (chunk, mesh) in self.chunks.iter().zip(simplified) {
                chunk.simplified.get_or_init(|| mesh);
            }
        }
    }

    /// Does in advance what takes longest about [`ChunkedMesh::collision_payloads`].
    pub fn prepare_collision(&self, mesh: &Mesh) {
        if let Some(tolerance) = self.chunk_tolerance() {
            let lacks = |_, chunk: &Chunk| chunk.simplified.get().is_none();
            self.fill(mesh, lacks, |chunk, mesh| {
                chunk.simplified.get_or_init(|| mesh.simplified(tolerance));
            });
        }
    }

    /// Does in advance what takes longest about held pieces: simplifies chunks, and builds those that collide by chunk
    /// their colliders. Helpers share the work on a large mesh.
    pub fn prepare_held(&self, mesh: &Mesh, helpers: Helpers) {
        let tolerance = self.chunk_tolerance();
        let is_large = Self::is_large(mesh.triangles.len());
        let lacks = move |_, chunk: &Chunk| {
            let lacks_collider = is_large && chunk.collider.get().is_none();
            lacks_collider || tolerance.is_some() && chunk.simplified.get().is_none()
        };
        let chunks = SharedItems::new(self.lacking(mesh, lacks));
        let work = || {
            while let Some((chunk, mesh)) = chunks.take() {
                if let Some(tolerance) = tolerance {
                    chunk.simplified.get_or_init(|| mesh.simplified(tolerance));
                }
                if is_large {
                    chunk.build_collider(&mesh);
                }
            }
        };
        if is_large {
            helpers.run_beside(work, work);
        } else {
            work();
        }
    }

    /// The tolerance with which chunks are simplified, metres; `None` where they are not.
    fn chunk_tolerance(&self) -> Option<f32> {
        let tolerance = 0.5 * self.space.tolerance;
        (tolerance > 0.0).then_some(tolerance)
    }
}

/// Colliders in the debris world.
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

    /// The number of the chunk that a shape is the collider of.
    pub fn chunk_with_collider(&self, shape: &SharedShape) -> Option<usize> {
        self.chunks.iter().position(|chunk| {
            let collider = chunk.collider.get().and_then(Option::as_ref);
            collider.is_some_and(|collider| Arc::ptr_eq(&collider.0, &shape.0))
        })
    }

    /// The collider of a chunk, built now if need be.
    pub fn chunk_collider(&self, chunk: u32, mesh: &Mesh) -> Option<SharedShape> {
        let chunk = chunk as usize;
        self.chunk_colliders(mesh, |number| number == chunk).pop()
    }

    fn chunk_colliders(&self, mesh: &Mesh, is_wanted: impl Fn(usize) -> bool) -> Vec<SharedShape> {
        let lacks = |number, chunk: &Chunk| chunk.collider.get().is_none() && is_wanted(number);
        self.fill(mesh, lacks, Chunk::build_collider);
        let chunks = self.chunks.iter().enumerate();
        let wanted = chunks.filter(|(number, _)| is_wanted(*number));
        let colliders = wanted.filter_map(|(_, chunk)| chunk.collider.get()?.clone());
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

impl fmt::Debug for ChunkedMesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chunks = self.chunks.len();
        f.debug_struct("ChunkedMesh")
            .field("chunks", &chunks)
            .finish()
    }
}
