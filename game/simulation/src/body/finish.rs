//! The embedding layer's own work on a piece, done on the worker.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use fracture_geometry::{Mass, Mesh, PieceKind};

/// What a [`Finish`] hook makes; comes back in [`NewPiece::payload`](crate::NewPiece::payload).
pub type Payload = Box<dyn Any + Send>;

/// A piece as the hook sees it.
#[derive(Clone, Copy, Debug)]
pub struct Unfinished<'a> {
    /// The render mesh in body space; cut faces have the surface `cap_surface`.
    pub mesh: &'a Mesh,
    /// The surface of cut faces.
    pub cap_surface: u32,
    /// Fragment or island.
    pub kind: PieceKind,
    /// Whether an anchor holds it.
    pub anchored: bool,
    /// Volume, centre and moments for density one.
    pub mass: &'a Mass,
}

/// A function that runs on the worker for each piece, for instance to build the engine's vertex
/// buffers off the main thread. When it panics the whole break fails and the body stays as it was.
#[derive(Clone)]
pub struct Finish(Arc<dyn Fn(Unfinished<'_>) -> Payload + Send + Sync>);

impl Finish {
    /// Wraps a function.
    pub fn new(hook: impl Fn(Unfinished<'_>) -> Payload + Send + Sync + 'static) -> Self {
        Self(Arc::new(hook))
    }

    pub(crate) fn run(&self, piece: Unfinished<'_>) -> Payload {
        (self.0)(piece)
    }
}

impl fmt::Debug for Finish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Finish")
    }
}
