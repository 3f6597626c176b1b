//! A body's mesh in chunks. Data derived from a chunk (render payloads, simplified meshes, colliders) is
//! shared by all bodies that have the chunk, from break to break: building the collider of one mesh
//! takes as long as all else about a break, so that those of untouched chunks are reused.

use std::fmt;
use std::sync::{Arc, OnceLock};

use fracture_geometry::piece_mesh::{MeshWithSources, OctreeLeaf, RenderPartition};
use fracture_geometry::steps::pause;
use fracture_geometry::{Aabb, Mesh, Solid};
use glam::Vec3;

use super::chunk::{Chunk, ChunkName, ChunkPool};
use super::colliders::mesh_bounds;
use super::collision_chunk::{CollisionChunk, CollisionPool};
use super::piece_hooks::{ChunkHooks, SharedPayload};
use crate::parallel::{Helpers, SharedItems};

/// Collision meshes of up to this many triangles are not simplified.
const MAX_EXACT_TRIANGLES: usize = 2000;
/// Distance of a simplified collision mesh from the mesh at most, in longest sides of the intact body.
const COLLISION_TOLERANCE: f32 = 0.01;
/// Size of the cells in which the vertices of a coarse chunk become one, in tolerances of the collision mesh.
const COARSE_CELL: f32 = 2.0;
/// Most triangles of one collision chunk.
const MAX_CHUNK_TRIANGLES: usize = 1000;

/// A mesh in chunks.
pub(crate) struct ChunkedMesh {
    pub(super) partition: RenderPartition,
    /// By number in the partition.
    pub(super) chunks: Vec<Arc<Chunk>>,
    /// By number in the partition: triangles. Of the body that this is the mesh of, known from its first break on.
    sizes: OnceLock<Vec<u32>>,
    pub(super) space: CollisionSpace,
    /// The lasting collision mesh of an anchored piece, for the host's physics.
    collision: OnceLock<Vec<Arc<CollisionChunk>>>,
    collision_pool: Arc<CollisionPool>,
}

/// The collision mesh of a piece.
#[derive(Clone, Copy)]
pub(crate) enum CollisionNeed<'a> {
    /// None: it is free.
    None,
    /// The one that it keeps.
    Lasting,
    /// One that is ready at once: chunks are coarse, unless they are those of the parent, or, where it need not be the same
    /// each time, unless they have been simplified.
    Provisional {
        parent: &'a ChunkedMesh,
        is_repeatable: bool,
    },
}

/// How a chunk is simplified for a collision mesh.
#[derive(Clone, Copy)]
enum Detail {
    None,
    /// With cells of so many metres.
    Coarse(f32),
    /// Within so many metres.
    Simplified(f32),
}

impl Detail {
    /// Whether that has not been done.
    fn is_lacking(self, chunk: &Chunk) -> bool {
        match self {
            Self::None => false,
            Self::Coarse(_) => chunk.coarse.get().is_none(),
            Self::Simplified(_) => chunk.simplified.get().is_none(),
        }
    }

    fn make(self, chunk: &Chunk, mesh: &Mesh) {
        match self {
            Self::None => {}
            Self::Coarse(cell) => _ = chunk.coarse.get_or_init(|| coarse(mesh, cell)),
            Self::Simplified(tolerance) => {
                chunk.simplified.get_or_init(|| mesh.simplified(tolerance));
            }
        }
    }

    /// The same in steps.
    async fn make_in_steps(self, chunk: &Chunk, mesh: &Mesh) {
        match self {
            Self::Simplified(tolerance) if self.is_lacking(chunk) => {
                let simplified = mesh.simplified_in_steps(tolerance).await;
                chunk.simplified.get_or_init(|| simplified);
            }
            _ => self.make(chunk, mesh),
        }
    }
}

/// A mesh whose vertices are joined in cells of some size, metres.
fn coarse(mesh: &Mesh, cell: f32) -> Mesh {
    let [low, high] = mesh_bounds(mesh);
    // What is out of range becomes one end of it.
    mesh.clustered(((high - low).max_element() / cell).ceil() as u8)
}

/// A chunk that lacks something that the host needs, to be made by any thread.
pub(crate) struct ChunkTask<'a> {
    chunk: &'a Chunk,
    mesh: Mesh,
    hooks: &'a ChunkHooks,
    detail: Detail,
}

impl ChunkTask<'_> {
    /// Makes what is lacking.
    pub fn run(self) {
        self.chunk
            .render
            .get_or_init(|| self.hooks.render(&self.mesh));
        self.detail.make(self.chunk, &self.mesh);
    }
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
        let partition = RenderPartition::new(solid);
        let [low, high] = solid.bounds().as_vec3();
        let size = (high - low).max_element();
        let names = ChunkName::all(solid.mesh(), partition.count());
        Self {
            chunks: names.map(|name| pool.get(name)).collect(),
            sizes: OnceLock::from(partition.sizes(solid)),
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
            collision_pool: Arc::default(),
        }
    }

    /// The mesh of a piece of this body: untouched chunks are shared, the rest is divided anew.
    /// `flat` has flat cut faces, `rendered` has rough ones.
    pub fn for_piece(&self, solid: &Solid, flat: &MeshWithSources, rendered: &Mesh) -> Self {
        let sizes = self.sizes.get_or_init(|| self.partition.sizes(solid));
        let (partition, untouched) = self.partition.update(sizes, flat, rendered);
        let shared = untouched
            .iter()
            .filter_map(|old| self.chunks.get(*old as usize));
        let mut chunks: Vec<Arc<Chunk>> = shared.cloned().collect();
        let count = (partition.count() as usize).max(chunks.len());
        chunks.resize_with(count, Arc::default);
        Self {
            chunks,
            sizes: OnceLock::new(),
            partition,
            space: self.space,
            collision: OnceLock::new(),
            collision_pool: self.collision_pool.clone(),
        }
    }

    /// The mesh of a piece from a save.
    pub fn from_parts(parts: ChunkedMeshParts, pool: &ChunkPool) -> Self {
        let chunk = |name: Option<ChunkName>| name.map_or_else(Arc::default, |name| pool.get(name));
        Self {
            chunks: parts.names.into_iter().map(chunk).collect(),
            sizes: OnceLock::new(),
            partition: parts.partition,
            space: parts.space,
            collision: OnceLock::new(),
            collision_pool: Arc::default(),
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
    pub(super) fn fill(
        &self,
        mesh: &Mesh,
        lacks: impl Fn(usize, &Chunk) -> bool,
        derive: impl Fn(&Chunk, &Mesh),
    ) {
        self.lacking(mesh, lacks)
            .for_each(|(chunk, mesh)| derive(chunk, &mesh));
    }

    /// The chunks that lack something, with their meshes.
    fn lacking<'a: 'm, 'm>(
        &'a self,
        mesh: &'m Mesh,
        lacks: impl Fn(usize, &Chunk) -> bool + 'm,
    ) -> impl Iterator<Item = (&'a Chunk, Mesh)> + 'm {
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

    /// Tasks that do what takes longest about the payloads of a piece: one for each chunk that lacks something.
    pub fn tasks<'a>(
        &'a self,
        mesh: &'a Mesh,
        hooks: &'a ChunkHooks,
        collision: CollisionNeed<'a>,
    ) -> impl Iterator<Item = ChunkTask<'a>> + 'a {
        let detail = move |chunk: &Chunk| self.detail(chunk, collision);
        let lacks =
            move |_, chunk: &Chunk| chunk.render.get().is_none() || detail(chunk).is_lacking(chunk);
        let lacking = self.lacking(mesh, lacks);
        lacking.map(move |(chunk, mesh)| ChunkTask {
            chunk,
            mesh,
            hooks,
            detail: detail(chunk),
        })
    }

    /// The lasting collision payloads. Chunks of the collision mesh that others of the body's pieces have, too, are
    /// shared with them.
    pub fn collision_payloads(&self, mesh: &Mesh, hooks: &ChunkHooks) -> Vec<SharedPayload> {
        let simplified = if self.is_simplifying() {
            self.simplified(mesh)
        } else {
            mesh.simplified(0.0)
        };
        let leaves = self.octree_leaves(&simplified);
        self.set_collision(leaves.into_iter().map(Arc::new), hooks)
    }

    /// The collision mesh with which a held piece enters the scene, by a provisional need. For one that is simplified.
    pub fn provisional_collision(
        &self,
        mesh: &Mesh,
        need: CollisionNeed,
    ) -> Vec<Arc<CollisionChunk>> {
        let detail = |chunk: &Chunk| self.detail(chunk, need);
        let lacks = |_, chunk: &Chunk| detail(chunk).is_lacking(chunk);
        self.fill(mesh, lacks, |chunk, mesh| detail(chunk).make(chunk, mesh));
        // Once: another thread may simplify a chunk meanwhile.
        let details: Vec<Detail> = self.chunks.iter().map(|chunk| detail(chunk)).collect();
        let chunks = || details.iter().zip(&self.chunks);
        let kept = chunks().filter(|(detail, _)| matches!(detail, Detail::Simplified(_)));
        let kept = joined(kept.filter_map(|(_, chunk)| chunk.simplified.get()));
        let kept = kept.simplified(0.5 * self.space.tolerance);
        let new = chunks().filter(|(detail, _)| matches!(detail, Detail::Coarse(_)));
        let new = new.filter_map(|(_, chunk)| chunk.coarse.get());
        let leaves = self.octree_leaves(&joined([&kept].into_iter().chain(new)));
        self.collision_pool.chunks(leaves.into_iter().map(Arc::new))
    }

    /// Collision payloads for octree leaves that are known, from a save.
    pub fn set_collision(
        &self,
        leaves: impl Iterator<Item = Arc<OctreeLeaf>>,
        hooks: &ChunkHooks,
    ) -> Vec<SharedPayload> {
        let chunks = || self.collision_pool.chunks(leaves);
        let collision = self.collision.get_or_init(chunks);
        let payloads = collision.iter().map(|chunk| chunk.payload(hooks));
        payloads.collect()
    }

    /// Octree leaves of the lasting collision mesh; none before its payloads have been asked for.
    pub fn collision_leaves(&self) -> impl Iterator<Item = &OctreeLeaf> {
        let collision = self.collision.get().map_or(&[][..], Vec::as_slice);
        collision.iter().map(|chunk| &*chunk.leaf)
    }

    fn octree_leaves(&self, mesh: &Mesh) -> Vec<OctreeLeaf> {
        let [min, max] = self.space.cube.map(|corner| corner.as_dvec3());
        mesh.partition_octree(Aabb { min, max }, MAX_CHUNK_TRIANGLES)
    }

    /// The whole mesh with few triangles: simplified by chunk, so that most are there already, and then
    /// as a whole, for the borders between chunks.
    fn simplified(&self, mesh: &Mesh) -> Mesh {
        self.prepare_collision(mesh);
        joined(self.simplified_chunks()).simplified(0.5 * self.space.tolerance)
    }

    /// Whether the collision mesh is simplified, so that making it takes long.
    pub fn is_simplifying(&self) -> bool {
        self.space.tolerance > 0.0
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
        let lacking = self.lacking_collision(mesh).into_iter();
        lacking.for_each(|(chunk, mesh)| self.make_collision(chunk, &mesh));
    }

    /// The chunks that are not simplified, with their meshes.
    pub(super) fn lacking_collision(&self, mesh: &Mesh) -> Vec<(&Chunk, Mesh)> {
        let detail = self.lasting_detail();
        let lacks = move |_, chunk: &Chunk| detail.is_lacking(chunk);
        self.lacking(mesh, lacks).collect()
    }

    /// Simplifies a chunk.
    pub(super) fn make_collision(&self, chunk: &Chunk, mesh: &Mesh) {
        self.lasting_detail().make(chunk, mesh);
    }

    /// The same in steps.
    pub(super) async fn make_collision_in_steps(&self, chunk: &Chunk, mesh: &Mesh) {
        self.lasting_detail().make_in_steps(chunk, mesh).await;
    }

    /// Does in advance what takes longest about held pieces: simplifies chunks, and builds those that collide by chunk
    /// their colliders. Helpers share the work on a large mesh; without them it is done in steps.
    pub async fn prepare_held(&self, mesh: &Mesh, helpers: &Helpers) {
        let detail = self.lasting_detail();
        let is_large = Self::is_large(mesh.triangles.len());
        let lacks = move |_, chunk: &Chunk| {
            let lacks_collider = is_large && chunk.collider.get().is_none();
            lacks_collider || detail.is_lacking(chunk)
        };
        let chunks = SharedItems::new(self.lacking(mesh, lacks));
        let finish = |chunk: &Chunk, mesh: &Mesh| {
            if is_large {
                chunk.build_collider(mesh);
            }
        };
        if is_large && helpers.threads() > 1 {
            let work = || {
                while let Some((chunk, mesh)) = chunks.take() {
                    detail.make(chunk, &mesh);
                    finish(chunk, &mesh);
                }
            };
            let _call = helpers.call();
            helpers.run_beside(work, work);
        }
        while let Some((chunk, mesh)) = chunks.take() {
            detail.make_in_steps(chunk, &mesh).await;
            finish(chunk, &mesh);
            pause().await;
        }
    }

    /// How chunks are simplified for lasting collision meshes.
    fn lasting_detail(&self) -> Detail {
        if self.is_simplifying() {
            Detail::Simplified(0.5 * self.space.tolerance)
        } else {
            Detail::None
        }
    }

    /// How a chunk is simplified for a collision mesh.
    fn detail(&self, chunk: &Chunk, collision: CollisionNeed) -> Detail {
        match collision {
            CollisionNeed::None => Detail::None,
            CollisionNeed::Provisional {
                parent,
                is_repeatable,
            } if self.is_simplifying() => {
                let mut known = parent.chunks.iter();
                let keeps = if is_repeatable {
                    known.any(|known| std::ptr::eq(&**known, chunk))
                } else {
                    chunk.simplified.get().is_some()
                };
                if keeps {
                    self.lasting_detail()
                } else {
                    Detail::Coarse(COARSE_CELL * self.space.tolerance)
                }
            }
            CollisionNeed::Provisional { .. } | CollisionNeed::Lasting => self.lasting_detail(),
        }
    }
}

/// Meshes without attributes as one.
fn joined<'a>(parts: impl Iterator<Item = &'a Mesh>) -> Mesh {
    let mut joined = Mesh::default();
    for part in parts {
        let offset = joined.positions.len() as u32;
        joined.positions.extend(&part.positions);
        let triangles = part.triangles.iter().map(|t| t.map(|v| v + offset));
        joined.triangles.extend(triangles);
    }
    joined
}

impl fmt::Debug for ChunkedMesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chunks = self.chunks.len();
        f.debug_struct("ChunkedMesh")
            .field("chunks", &chunks)
            .finish()
    }
}
