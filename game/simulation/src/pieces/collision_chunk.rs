//! Parts of the collision meshes of held pieces, shared by all pieces that have them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use fracture_geometry::piece_mesh::OctreeLeaf;

use super::piece_hooks::{ChunkHooks, SharedPayload};

/// An octree leaf of a collision mesh, and what the host has made of it.
pub(crate) struct CollisionChunk {
    pub leaf: Arc<OctreeLeaf>,
    payload: OnceLock<SharedPayload>,
}

impl CollisionChunk {
    /// Output of the host's hook, which is run once.
    pub fn payload(&self, hooks: &ChunkHooks) -> SharedPayload {
        let run = || hooks.collision(&self.leaf.mesh);
        self.payload.get_or_init(run).clone()
    }
}

/// The collision chunks of a body and its pieces that are in use, by the hash of their triangles: whichever thread
/// needs one first, all that have the same triangles share it.
#[derive(Default)]
pub(super) struct CollisionPool(Mutex<BTreeMap<u64, Weak<CollisionChunk>>>);

impl CollisionPool {
    /// The chunks of some leaves.
    pub fn chunks(
        &self,
        leaves: impl Iterator<Item = Arc<OctreeLeaf>>,
    ) -> Vec<Arc<CollisionChunk>> {
        // A panic elsewhere cannot leave the map half written.
        let mut chunks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        chunks.retain(|_, chunk| chunk.strong_count() > 0);
        let chunk = |leaf: Arc<OctreeLeaf>| {
            let entry = chunks.entry(leaf.hash).or_default();
            entry.upgrade().unwrap_or_else(|| {
                let chunk = Arc::new(CollisionChunk {
                    leaf,
                    payload: OnceLock::new(),
                });
                *entry = Arc::downgrade(&chunk);
                chunk
            })
        };
        leaves.map(chunk).collect()
    }
}
