//! A body's surface in chunks, and what has been made of them: shared by all bodies that have a
//! chunk, from break to break.

use std::fmt;
use std::sync::{Arc, OnceLock};

use fracture_geometry::{Chunks, Mesh, MeshCell, Solid, Traced};
use glam::Vec3;

use super::finish::{ChunkHooks, SharedPayload};

/// Meshes of up to so many triangles are collided with as they are.
const EXACT: usize = 2000;
/// What is collided with stays this near to a larger mesh, as a part of its longest side.
const NEAR: f32 = 0.01;
/// Most triangles of one collision shape.
const CELL: usize = 1000;

/// A surface in chunks.
pub(crate) struct Surface {
    chunks: Chunks,
    made: Vec<Arc<Chunk>>,
    space: CollisionSpace,
    /// What it is collided with.
    cells: Vec<Collided>,
}

/// A part that is collided with.
#[derive(Clone)]
struct Collided {
    cell: Arc<MeshCell>,
    made: SharedPayload,
}

/// What has been made of a chunk.
#[derive(Default)]
struct Chunk {
    look: OnceLock<SharedPayload>,
    /// Near the chunk, with fewer triangles.
    light: OnceLock<Mesh>,
}

/// How a body and all its pieces are simplified to be collided with.
#[derive(Clone, Copy)]
struct CollisionSpace {
    /// Metres; 0 for no simplification.
    tolerance: f32,
    /// The cube that is divided into cells.
    cube: [Vec3; 2],
}

impl Surface {
    /// The surface of an intact body.
    pub fn of(solid: &Solid) -> Self {
        let chunks = Chunks::of(solid.mesh());
        let [low, high] = solid.bounds().map(|corner| corner.as_vec3());
        let size = (high - low).max_element();
        let is_small = solid.triangle_count() <= EXACT;
        Self {
            made: fresh(chunks.count()).collect(),
            chunks,
            space: CollisionSpace {
                tolerance: if is_small { 0.0 } else { NEAR * size },
                cube: [low, low + size],
            },
            cells: Vec::new(),
        }
    }

    /// The surface of a piece: its chunks are those of its parent as far as they are untouched.
    pub fn after(&self, solid: &Solid, piece: &Traced, seen: &Mesh) -> Self {
        let (chunks, kept) = self.chunks.after(solid, piece, seen);
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

    /// What is drawn, chunk by chunk; what is not there yet is made.
    pub fn looks(&self, mesh: &Mesh, hooks: &ChunkHooks) -> Vec<SharedPayload> {
        self.fill(mesh, |chunk| &chunk.look, |mesh| hooks.look(mesh));
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
        let cells = whole.cells(self.space.cube, CELL).into_iter();
        self.collide(cells.map(Arc::new), parent, hooks)
    }

    /// The same for parts that somebody has kept.
    pub fn collide(
        &mut self,
        cells: impl Iterator<Item = Arc<MeshCell>>,
        parent: &Self,
        hooks: &ChunkHooks,
    ) -> Vec<SharedPayload> {
        let collided = |cell: Arc<MeshCell>| {
            let known = parent
                .cells
                .iter()
                .find(|known| known.cell.hash == cell.hash);
            known.cloned().unwrap_or_else(|| Collided {
                made: hooks.collision(&cell.mesh),
                cell,
            })
        };
        self.cells = cells.map(collided).collect();
        self.cells.iter().map(|part| part.made.clone()).collect()
    }

    /// The parts that it is collided with, if somebody has asked for them.
    pub fn cells(&self) -> impl Iterator<Item = &MeshCell> {
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

    /// Does in advance what takes longest about [`Surface::collision`].
    pub fn prepare_collision(&self, mesh: &Mesh) {
        let tolerance = 0.5 * self.space.tolerance;
        if tolerance > 0.0 {
            self.fill(
                mesh,
                |chunk| &chunk.light,
                |mesh| mesh.simplified(tolerance),
            );
        }
    }

    fn fill<T>(&self, mesh: &Mesh, of: impl Fn(&Chunk) -> &OnceLock<T>, make: impl Fn(&Mesh) -> T) {
        let slot = |chunk: u32| self.made.get(chunk as usize).map(|chunk| of(chunk));
        let is_empty = |chunk| slot(chunk).is_some_and(|slot| slot.get().is_none());
        for (chunk, mesh) in self.chunks.meshes(mesh, is_empty) {
            if let Some(slot) = slot(chunk) {
                slot.get_or_init(|| make(&mesh));
            }
        }
    }
}

fn fresh(count: u32) -> impl Iterator<Item = Arc<Chunk>> {
    (0..count).map(|_| Arc::default())
}

impl fmt::Debug for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chunks = self.made.len();
        f.debug_struct("Surface").field("chunks", &chunks).finish()
    }
}
