//! The embedding layer's own work on a piece, done on the worker.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use fracture_geometry::{MassProperties, Mesh, PieceKind};

/// What a [`PieceHooks`] hook makes; comes back in [`NewPiece::payload`](crate::NewPiece::payload).
pub type Payload = Box<dyn Any + Send + Sync>;

/// What is made once of a part of a surface, and shared by all bodies that have the part.
pub type SharedPayload = Arc<dyn Any + Send + Sync>;

/// A piece as the hook sees it.
#[derive(Clone, Copy, Debug)]
pub struct PieceInput<'a> {
    /// The render mesh in body space; cut faces have the surface `cap_surface`.
    pub mesh: &'a Mesh,
    /// The surface of cut faces.
    pub cap_surface: u32,
    /// Fragment or island.
    pub kind: PieceKind,
    /// Whether an anchor holds it.
    pub anchored: bool,
    /// Volume, centre and moments for density one.
    pub mass: &'a MassProperties,
    /// Whether it was broken off in the past, and comes from a save.
    pub recalled: bool,
}

type MakePiece = dyn Fn(PieceInput<'_>) -> Payload + Send + Sync;
type MakePart = dyn Fn(&Mesh) -> SharedPayload + Send + Sync;

/// Functions that run on the worker, for instance to build the engine's vertex buffers off the main
/// thread. When one panics the whole break fails and the body stays as it was.
#[derive(Clone)]
pub struct PieceHooks {
    piece: Arc<MakePiece>,
    chunks: Option<ChunkHooks>,
}

/// What is made of the parts of an island.
#[derive(Clone)]
pub(crate) struct ChunkHooks {
    look: Arc<MakePart>,
    collision: Arc<MakePart>,
}

impl PieceHooks {
    /// Wraps a function that makes something of each piece.
    pub fn new(hook: impl Fn(PieceInput<'_>) -> Payload + Send + Sync + 'static) -> Self {
        Self {
            piece: Arc::new(hook),
            chunks: None,
        }
    }

    /// Has islands taken in parts, which outlive the island as long as no break comes near them:
    /// the first hook is not run for islands then.
    ///
    /// `look` is run for chunks of at most some thousand triangles
    /// ([`NewPiece::looks`](crate::NewPiece::looks)), `collision` for what a held island is collided
    /// with ([`NewPiece::collision`](crate::NewPiece::collision)): meshes of at most 1,000 triangles
    /// without attributes, that stay within a hundredth of the longest side of the intact body; up
    /// to 2,000 triangles its very own. All bodies that share a shape must have the same functions.
    pub fn with_chunks(
        mut self,
        look: impl Fn(&Mesh) -> SharedPayload + Send + Sync + 'static,
        collision: impl Fn(&Mesh) -> SharedPayload + Send + Sync + 'static,
    ) -> Self {
        self.chunks = Some(ChunkHooks {
            look: Arc::new(look),
            collision: Arc::new(collision),
        });
        self
    }

    pub(crate) fn run(&self, piece: PieceInput<'_>) -> Payload {
        (self.piece)(piece)
    }

    pub(crate) fn chunks(&self) -> Option<&ChunkHooks> {
        self.chunks.as_ref()
    }
}

impl ChunkHooks {
    pub fn look(&self, chunk: &Mesh) -> SharedPayload {
        (self.look)(chunk)
    }

    pub fn collision(&self, part: &Mesh) -> SharedPayload {
        (self.collision)(part)
    }
}

impl fmt::Debug for PieceHooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Finish")
    }
}
