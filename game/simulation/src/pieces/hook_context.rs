//! Running the host's hooks for a piece, on the worker.

use std::sync::Arc;

use fracture_geometry::check::check_closed;
use fracture_geometry::piece_mesh::MeshWithSources;
use fracture_geometry::{MassProperties, Mesh, PieceKind, Solid};

use super::chunked_mesh::{ChunkTask, ChunkedMesh, CollisionNeed};
use super::colliders::Colliders;
use super::collision_chunk::CollisionChunk;
use super::piece_hooks::{ChunkHooks, Payload, PieceHooks, PieceInput, SharedPayload};

/// Output of the hooks for one piece.
#[derive(Default)]
pub(crate) struct HookOutput {
    pub payload: Option<Payload>,
    pub render_chunks: Vec<SharedPayload>,
    pub collision_chunks: Vec<SharedPayload>,
    /// Those chunks, if others are to take their place; else none.
    pub provisional: Vec<Arc<CollisionChunk>>,
}

/// Output of the hooks, and what is told of the mesh along with it.
#[derive(Default)]
pub(crate) struct PieceOutput {
    pub is_closed: Option<bool>,
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
    /// Whether pieces get colliders that are ready at once, to be refined later.
    pub provisional: bool,
    /// Whether these must not depend on what other jobs have made.
    pub is_repeatable: bool,
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
    /// `rendered` in chunks, of an island for which there are chunk hooks.
    pub chunked_mesh: Option<&'a ChunkedMesh>,
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

    /// The chunks of a piece of a solid with the given chunked mesh; `None` where no hook wants them.
    pub(super) fn chunked_mesh(
        &self,
        piece: &DraftView,
        solid: &Solid,
        parent: &ChunkedMesh,
    ) -> Option<ChunkedMesh> {
        self.chunk_hooks(piece.kind)
            .map(|_| parent.for_piece(solid, piece.flat, piece.rendered))
    }

    /// Tasks that do what takes longest about running the hooks for a piece in chunks; any thread can run them before.
    pub(super) fn chunk_tasks<'p>(
        &self,
        piece: &DraftView<'p>,
        parent: &'p ChunkedMesh,
    ) -> impl Iterator<Item = ChunkTask<'p>> + 'p
    where
        'a: 'p,
    {
        let mesh = piece.rendered;
        let collision = self.collision_need(piece, parent);
        let chunked = piece.chunked_mesh.filter(|_| piece.keep);
        let chunked = chunked.zip(self.chunk_hooks(piece.kind));
        let tasks = chunked.map(|(chunked, hooks)| chunked.tasks(mesh, hooks, collision));
        tasks.into_iter().flatten()
    }

    fn collision_need<'p>(&self, piece: &DraftView, parent: &'p ChunkedMesh) -> CollisionNeed<'p> {
        match (piece.anchored, self.provisional) {
            (false, _) => CollisionNeed::None,
            (true, false) => CollisionNeed::Lasting,
            (true, true) => CollisionNeed::Provisional {
                parent,
                is_repeatable: self.is_repeatable,
            },
        }
    }

    /// Runs all hooks for a piece of a solid with the given chunked mesh.
    pub(super) fn run(&self, piece: &DraftView, parent: &ChunkedMesh) -> PieceOutput {
        if !piece.keep {
            return PieceOutput::default();
        }
        let hooks = match piece.chunked_mesh.zip(self.chunk_hooks(piece.kind)) {
            Some((chunked, hooks)) => {
                let mut output = HookOutput {
                    render_chunks: chunked.render_payloads(piece.rendered, hooks),
                    ..HookOutput::default()
                };
                if piece.anchored && self.provisional && chunked.is_simplifying() {
                    let need = self.collision_need(piece, parent);
                    output.provisional = chunked.provisional_collision(piece.rendered, need);
                    let chunks = output.provisional.iter();
                    output.collision_chunks = chunks.map(|chunk| chunk.payload(hooks)).collect();
                } else if piece.anchored {
                    output.collision_chunks = chunked.collision_payloads(piece.rendered, hooks);
                }
                output
            }
            None => HookOutput {
                payload: self.payload(piece.kind, piece.anchored, piece.rendered, piece.mass),
                ..HookOutput::default()
            },
        };
        PieceOutput {
            is_closed: self.is_closed(piece.rendered),
            hooks,
        }
    }

    /// The colliders of a piece that collides chunk by chunk, as large anchored islands do; `None` of others, and where
    /// the triangles make no shape. Chunks of a sheet would have no inside.
    pub(super) fn chunk_colliders(
        &self,
        piece: &DraftView,
        solid: &Solid,
        parent: &ChunkedMesh,
    ) -> Option<Colliders> {
        let is_large = ChunkedMesh::is_large(piece.flat.mesh.triangles.len());
        let is_sheet = solid.thickness().is_some();
        if !is_large || !piece.anchored || is_sheet {
            return None;
        }
        piece
            .chunked_mesh?
            .colliders(parent, piece.flat, piece.rendered)
    }
}
