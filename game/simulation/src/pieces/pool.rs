//! Chunks of whole meshes by name: what has been made of one is not made again for a body that somebody
//! has kept.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::chunk::{Chunk, ChunkName};

/// The chunks of one mesh that somebody still has.
#[derive(Default)]
pub(crate) struct ChunkPool(Mutex<BTreeMap<ChunkName, Weak<Chunk>>>);

impl ChunkPool {
    /// The chunk of that name; a new one when nobody has it.
    pub(crate) fn get(&self, name: ChunkName) -> Arc<Chunk> {
        // A panic elsewhere cannot leave it half written.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.entry(name).or_default();
        known.upgrade().unwrap_or_else(|| {
            let chunk = Arc::new(Chunk::named(name));
            *known = Arc::downgrade(&chunk);
            chunk
        })
    }
}
