//! Hooks of the host that run on the worker for each piece.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use fracture_geometry::{MassProperties, Mesh, PieceKind};

/// Output of a [`PieceHooks`] hook; comes back in [`NewPiece::payload`](crate::NewPiece::payload).
pub type Payload = Box<dyn Any + Send + Sync>;

/// Output of a chunk hook, shared by all bodies that have the chunk.
pub type SharedPayload = Arc<dyn Any + Send + Sync>;

/// Input of the piece hook.
#[derive(Clone, Copy, Debug)]
pub struct PieceInput<'a> {
    /// Render mesh in body space; cut faces have the surface `cap_surface`.
    pub mesh: &'a Mesh,
    /// Surface of cut faces.
    pub cap_surface: u32,
    /// Fragment or island.
    pub kind: PieceKind,
    /// Whether an anchor holds the piece.
    pub anchored: bool,
    /// Volume, centre and moments for density one.
    pub mass: &'a MassProperties,
    /// Whether the piece comes from a save.
    pub restored: bool,
}

type PieceHook = dyn Fn(PieceInput<'_>) -> Payload + Send + Sync;
type ChunkHook = dyn Fn(&Mesh) -> SharedPayload + Send + Sync;

/// Functions that run on the worker, for instance to build the engine's vertex buffers off the main
/// thread. When one panics the whole break fails and the body stays as it was.
#[derive(Clone)]
pub struct PieceHooks {
    piece: Arc<PieceHook>,
    chunks: Option<ChunkHooks>,
}

/// Hooks that run for the chunks of an island.
#[derive(Clone)]
pub(crate) struct ChunkHooks {
    render: Arc<ChunkHook>,
    collision: Arc<ChunkHook>,
}

impl PieceHooks {
    /// Wraps a function that is run for each piece.
    pub fn new(hook: impl Fn(PieceInput<'_>) -> Payload + Send + Sync + 'static) -> Self {
        Self {
            piece: Arc::new(hook),
            chunks: None,
        }
    }

    /// Adds hooks for chunks of islands. Chunks outlive the island as long as no break comes near them.
    /// The piece hook is not run for islands then.
    ///
    /// `render` is run for chunks of at most some thousand triangles
    /// ([`NewPiece::render_chunks`](crate::NewPiece::render_chunks)). `collision` is run for the
    /// collision mesh of an anchored island
    /// ([`NewPiece::collision_chunks`](crate::NewPiece::collision_chunks)), in meshes of at most 1,000
    /// triangles without attributes. They stay within a hundredth of the longest side of the intact
    /// body; up to 2,000 triangles they are the island's own. All bodies that share a shape must have
    /// the same functions.
    pub fn with_chunk_hooks(
        mut self,
        render: impl Fn(&Mesh) -> SharedPayload + Send + Sync + 'static,
        collision: impl Fn(&Mesh) -> SharedPayload + Send + Sync + 'static,
    ) -> Self {
        self.chunks = Some(ChunkHooks {
            render: Arc::new(render),
            collision: Arc::new(collision),
        });
        self
    }

    pub(crate) fn run(&self, piece: PieceInput<'_>) -> Payload {
        (self.piece)(piece)
    }

    pub(crate) fn chunk_hooks(&self) -> Option<&ChunkHooks> {
        self.chunks.as_ref()
    }
}

impl ChunkHooks {
    pub fn render(&self, chunk: &Mesh) -> SharedPayload {
        (self.render)(chunk)
    }

    pub fn collision(&self, chunk: &Mesh) -> SharedPayload {
        (self.collision)(chunk)
    }
}

impl fmt::Debug for PieceHooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PieceHooks")
    }
}
