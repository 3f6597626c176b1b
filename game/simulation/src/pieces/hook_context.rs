//! Running the host's hooks for a piece, on the worker.

use fracture_geometry::check::check_closed;
use fracture_geometry::piece_mesh::MeshWithSources;
use fracture_geometry::{MassProperties, Mesh, PieceKind, Solid};

use super::chunked_mesh::ChunkedMesh;
use super::colliders::Colliders;
use super::piece_hooks::{ChunkHooks, Payload, PieceHooks, PieceInput, SharedPayload};

/// Output of the hooks for one piece.
#[derive(Default)]
pub(crate) struct HookOutput {
    pub payload: Option<Payload>,
    pub render_chunks: Vec<SharedPayload>,
    pub collision_chunks: Vec<SharedPayload>,
}

/// Output of the hooks, and what is derived from the mesh along with it.
#[derive(Default)]
pub(crate) struct PieceOutput {
    pub is_closed: Option<bool>,
    /// Of an island.
    pub chunked_mesh: Option<ChunkedMesh>,
    /// Colliders of a large anchored island; other pieces have one collider built from their mesh.
    pub chunk_colliders: Option<Colliders>,
    pub hooks: HookOutput,
}

/// Hooks and options for the pieces of one break.
#[derive(Clone, Copy)]
pub(crate) struct HookContext<'a> {
    pub hooks: Option<&'a PieceHooks>,
    /// Whether to check that pieces are closed.
    pub check_pieces: bool,
    /// Surface of cut faces.
    pub cap_surface: u32,
    /// Whether the pieces come from a save.
    pub restored: bool,
}

/// A finished draft of a piece.
pub(super) struct DraftView<'a> {
    pub kind: PieceKind,
    pub anchored: bool,
    pub mass: &'a MassProperties,
    /// Mesh with flat cut faces.
    pub flat: &'a MeshWithSources,
    /// Mesh with rough cut faces, which is rendered.
    pub rendered: &'a Mesh,
    /// Whether the piece stays, so that the host needs its output.
    pub keep: bool,
}

impl<'a> HookContext<'a> {
    /// The hooks for the chunks of an island; `None` for fragments.
    pub fn chunk_hooks(&self, kind: PieceKind) -> Option<&'a ChunkHooks> {
        let is_island = matches!(kind, PieceKind::Island { .. });
        self.hooks.filter(|_| is_island)?.chunk_hooks()
    }

    /// Runs the piece hook.
    pub fn payload(
        &self,
        kind: PieceKind,
        anchored: bool,
        mesh: &Mesh,
        mass: &MassProperties,
    ) -> Option<Payload> {
        let input = PieceInput {
            mesh,
            cap_surface: self.cap_surface,
            kind,
            anchored,
            mass,
            restored: self.restored,
        };
        self.hooks.map(|hooks| hooks.run(input))
    }

    /// Whether a mesh is closed; `None` when that is not to be checked.
    pub fn is_closed(&self, mesh: &Mesh) -> Option<bool> {
        let check = || check_closed(mesh).is_closed();
        self.check_pieces.then(check)
    }

    /// Runs all hooks for a piece of a solid with the given chunked mesh.
    pub(super) fn run(
        &self,
        piece: &DraftView,
        solid: &Solid,
        parent: &ChunkedMesh,
    ) -> PieceOutput {
        let mut output = self.run_chunk_hooks(piece, solid, parent);
        if !piece.keep {
            return output;
        }
        if output.chunked_mesh.is_none() {
            let (kind, anchored) = (piece.kind, piece.anchored);
            output.hooks.payload = self.payload(kind, anchored, piece.rendered, piece.mass);
        }
        output.is_closed = self.is_closed(piece.rendered);
        output
    }

    fn run_chunk_hooks(
        &self,
        piece: &DraftView,
        solid: &Solid,
        parent: &ChunkedMesh,
    ) -> PieceOutput {
        let mut output = PieceOutput::default();
        let Some(hooks) = self.chunk_hooks(piece.kind) else {
            return output;
        };
        let mut mesh = parent.for_piece(solid, piece.flat, piece.rendered);
        if piece.keep {
            output.hooks.render_chunks = mesh.render_payloads(piece.rendered, hooks);
        }
        if piece.keep && piece.anchored {
            output.hooks.collision_chunks = mesh.collision_payloads(piece.rendered, parent, hooks);
        }
        if piece.keep && self.collides_by_chunk(piece, solid) {
            output.chunk_colliders = mesh.colliders(parent, piece.flat, piece.rendered);
        }
        output.chunked_mesh = Some(mesh);
        output
    }

    /// Whether a piece collides chunk by chunk: large anchored islands do. Chunks of a sheet would have
    /// no inside.
    pub(super) fn collides_by_chunk(&self, piece: &DraftView, solid: &Solid) -> bool {
        let is_large = ChunkedMesh::is_large(piece.flat.mesh.triangles.len());
        let is_sheet = solid.thickness().is_some();
        is_large && piece.anchored && !is_sheet && self.chunk_hooks(piece.kind).is_some()
    }
}
