//! A body's surface in chunks, and what has been made of them: shared by all bodies that have a
//! chunk, from break to break.

use std::fmt;
use std::sync::Arc;

use fracture_geometry::{Aabb, Mesh, MeshWithSources, OctreeLeaf, RenderPartition, Solid};
use glam::Vec3;

use super::chunk::{Chunk, ChunkName};
use super::piece_hooks::{ChunkHooks, SharedPayload};
use super::pool::ChunkPool;

/// Meshes of up to so many triangles are collided with as they are.
const EXACT: usize = 2000;
/// What is collided with stays this near to a larger mesh, as a part of its longest side.
const NEAR: f32 = 0.01;
/// Most triangles of one collision shape.
const CELL: usize = 1000;

/// A surface in chunks.
pub(crate) struct ChunkedMesh {
    pub(super) chunks: RenderPartition,
    pub(super) made: Vec<Arc<Chunk>>,
    space: CollisionSpace,
    /// What it is collided with.
    cells: Vec<Collided>,
}

/// A part that is collided with.
#[derive(Clone)]
struct Collided {
    cell: Arc<OctreeLeaf>,
    made: SharedPayload,
}

/// How a body and all its pieces are simplified to be collided with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CollisionSpace {
    /// Metres; 0 for no simplification.
    pub tolerance: f32,
    /// The cube that is divided into cells.
    pub cube: [Vec3; 2],
}

/// What makes a surface, without what has been made of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChunkedMeshParts {
    pub chunks: RenderPartition,
    /// Of each chunk.
    pub names: Vec<Option<ChunkName>>,
    pub space: CollisionSpace,
}

impl ChunkedMesh {
    /// The surface of an intact body.
    pub fn of(solid: &Solid, pool: &ChunkPool) -> Self {
        let chunks = RenderPartition::new(solid.mesh());
        let [low, high] = solid.bounds().as_vec3();
        let size = (high - low).max_element();
        let is_small = solid.triangle_count() <= EXACT;
        let names = ChunkName::all(solid.mesh(), chunks.count());
        Self {
            made: names.map(|name| pool.get(name)).collect(),
            chunks,
            space: CollisionSpace {
                tolerance: if is_small { 0.0 } else { NEAR * size },
                cube: [low, low + size],
            },
            cells: Vec::new(),
        }
    }

    /// The surface of a piece: its chunks are those of its parent as far as they are untouched.
    pub fn after(&self, solid: &Solid, piece: &MeshWithSources, seen: &Mesh) -> Self {
        let (chunks, kept) = self.chunks.update(solid, piece, seen);
        let made = kept.iter().filter_map(|old| self.made.get(*old as usize));
        let made: Vec<Arc<Chunk>> = made.cloned().collect();
        let new = chunks.count().saturating_sub(made.len() as u32);
        Self {
            made: made.into_iter().chain(fresh(new)).collect(),
            chunks,
            space: self.space,
            cells: Vec::new(),
        }
    }

    /// A surface that somebody has kept.
    pub fn from_parts(parts: ChunkedMeshParts, pool: &ChunkPool) -> Self {
        let named = |name: Option<ChunkName>| name.map_or_else(Arc::default, |name| pool.get(name));
        Self {
            made: parts.names.into_iter().map(named).collect(),
            chunks: parts.chunks,
            space: parts.space,
            cells: Vec::new(),
        }
    }

    /// What it can be made of again.
    pub fn parts(&self) -> ChunkedMeshParts {
        ChunkedMeshParts {
            chunks: self.chunks.clone(),
            names: self.made.iter().map(|chunk| chunk.name).collect(),
            space: self.space,
        }
    }

    /// What is drawn, chunk by chunk; what is not there yet is made.
    pub fn looks(&self, mesh: &Mesh, hooks: &ChunkHooks) -> Vec<SharedPayload> {
        self.looks_and_trees(mesh, hooks, false)
    }

    /// The same, and if wanted the trees of all chunks ([`ChunkedMesh::tree_of`]).
    pub fn looks_and_trees(
        &self,
        mesh: &Mesh,
        hooks: &ChunkHooks,
        with_trees: bool,
    ) -> Vec<SharedPayload> {
        let lacks_tree = |chunk: &Chunk| with_trees && chunk.tree.get().is_none();
        let lacks = |_, chunk: &Chunk| chunk.look.get().is_none() || lacks_tree(chunk);
        self.fill(mesh, lacks, |chunk, mesh| {
            chunk.look.get_or_init(|| hooks.look(mesh));
            if with_trees {
                chunk.make_tree(mesh);
            }
        });
        let looks = self.made.iter().filter_map(|chunk| chunk.look.get());
        looks.cloned().collect()
    }

    /// What is collided with, in parts; those that the parent had are the parent's.
    pub fn collision(
        &mut self,
        mesh: &Mesh,
        parent: &Self,
        hooks: &ChunkHooks,
    ) -> Vec<SharedPayload> {
        let whole = match self.space.tolerance > 0.0 {
            true => self.light(mesh),
            false => mesh.simplified(0.0),
        };
        let [min, max] = self.space.cube.map(|corner| corner.as_dvec3());
        let cells = whole.partition_octree(Aabb { min, max }, CELL).into_iter();
        self.collide(cells.map(Arc::new), Some(parent), hooks)
    }

    /// The same for parts that somebody has kept.
    pub fn collide(
        &mut self,
        cells: impl Iterator<Item = Arc<OctreeLeaf>>,
        parent: Option<&Self>,
        hooks: &ChunkHooks,
    ) -> Vec<SharedPayload> {
        let collided = |cell: Arc<OctreeLeaf>| {
            let mut known = parent.into_iter().flat_map(|parent| &parent.cells);
            let known = known.find(|known| known.cell.hash == cell.hash);
            known.cloned().unwrap_or_else(|| Collided {
                made: hooks.collision(&cell.mesh),
                cell,
            })
        };
        self.cells = cells.map(collided).collect();
        self.cells.iter().map(|part| part.made.clone()).collect()
    }

    /// The parts that it is collided with, if somebody has asked for them.
    pub fn cells(&self) -> impl Iterator<Item = &OctreeLeaf> {
        self.cells.iter().map(|part| &*part.cell)
    }

    /// The whole surface with few triangles: its chunks one by one, so that most are there already,
    /// and then what they are together, for the borders between them.
    fn light(&self, mesh: &Mesh) -> Mesh {
        self.prepare_collision(mesh);
        let mut whole = Mesh::default();
        for light in self.made.iter().filter_map(|chunk| chunk.light.get()) {
            let first = whole.positions.len() as u32;
            whole.positions.extend(&light.positions);
            let triangles = light.triangles.iter().map(|t| t.map(|v| v + first));
            whole.triangles.extend(triangles);
        }
        whole.simplified(0.5 * self.space.tolerance)
    }

    /// Does in advance what takes longest about [`ChunkedMesh::collision`].
    pub fn prepare_collision(&self, mesh: &Mesh) {
        let tolerance = 0.5 * self.space.tolerance;
        if tolerance > 0.0 {
            let lacks = |_, chunk: &Chunk| chunk.light.get().is_none();
            self.fill(mesh, lacks, |chunk, mesh| {
                chunk.light.get_or_init(|| mesh.simplified(tolerance));
            });
        }
    }

    /// Makes what some chunks lack.
    pub(crate) fn fill(
        &self,
        mesh: &Mesh,
        lacks: impl Fn(usize, &Chunk) -> bool,
        make: impl Fn(&Chunk, &Mesh),
    ) {
        let chunk = |number: usize| Some(&**self.made.get(number)?);
        let wanted = |number: u32| {
            let number = number as usize;
            chunk(number).is_some_and(|chunk| lacks(number, chunk))
        };
        // The common case: all is there.
        if !(0..self.chunks.count()).any(&wanted) {
            return;
        }
        for (number, mesh) in self.chunks.meshes(mesh, wanted) {
            if let Some(chunk) = chunk(number as usize) {
                make(chunk, &mesh);
            }
        }
    }
}

fn fresh(count: u32) -> impl Iterator<Item = Arc<Chunk>> {
    (0..count).map(|_| Arc::default())
}

impl fmt::Debug for ChunkedMesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chunks = self.made.len();
        f.debug_struct("Surface").field("chunks", &chunks).finish()
    }
}
