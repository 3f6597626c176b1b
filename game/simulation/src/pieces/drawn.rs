//! Drawings of a body besides its mesh.

use std::sync::Arc;

use fracture_geometry::Mesh;

use super::piece_hooks::SharedPayload;

/// Cracks in a body's surface as strips, or bars as rods, and what the host has made of them.
pub(crate) struct Drawn {
    pub mesh: Arc<Mesh>,
    pub payload: Option<SharedPayload>,
}
