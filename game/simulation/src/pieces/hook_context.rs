//! What is seen of a piece: the embedding layer's own work on its mesh.

use std::sync::Arc;

use fracture_geometry::{
    check_closed, MassProperties, Mesh, MeshWithSources, OctreeLeaf, PieceKind, Solid,
};

use crate::pieces::Colliders;
use crate::pieces::{ChunkHooks, ChunkedMesh, Payload, PieceHooks, PieceInput, SharedPayload};

/// What the hooks have made of a piece.
#[derive(Default)]
pub(crate) struct HookOutput {
    pub payload: Option<Payload>,
    pub looks: Vec<SharedPayload>,
    pub collision: Vec<SharedPayload>,
}

/// What is seen of a piece.
#[derive(Default)]
pub(crate) struct PieceOutput {
    pub closed: Option<bool>,
    /// An island's.
    pub surface: Option<ChunkedMesh>,
    /// What a large held island is collided with; others are by what is made of their meshes.
    pub colliders: Option<Colliders>,
    pub made: HookOutput,
}

/// How the pieces of a body are made to be seen.
#[derive(Clone, Copy)]
pub(crate) struct HookContext<'a> {
    pub finish: Option<&'a PieceHooks>,
    /// Whether somebody wants to know if pieces are closed.
    pub check_pieces: bool,
    /// The surface of cut faces.
    pub cap_surface: u32,
    /// Whether the pieces come from a save.
    pub recalled: bool,
}

impl<'a> HookContext<'a> {
    /// What is made of the chunks of an island; nothing for fragments.
    pub fn hooks(&self, kind: PieceKind) -> Option<&'a ChunkHooks> {
        let is_island = matches!(kind, PieceKind::Island { .. });
        self.finish.filter(|_| is_island)?.chunks()
    }

    /// What is made of a piece as a whole.
    pub fn payload(
        &self,
        (kind, anchored): (PieceKind, bool),
        mesh: &Mesh,
        mass: &MassProperties,
    ) -> Option<Payload> {
        let unfinished = PieceInput {
            mesh,
            cap_surface: self.cap_surface,
            kind,
            anchored,
            mass,
            recalled: self.recalled,
        };
        self.finish.map(|finish| finish.run(unfinished))
    }

    /// Whether a piece is closed, for who wants to know.
    pub fn closed(&self, mesh: &Mesh) -> Option<bool> {
        let check = || check_closed(mesh).is_closed();
        self.check_pieces.then(check)
    }
}

/// What the pieces of a body have in common whose solid is there.
pub(crate) struct Viewer<'a> {
    pub sight: HookContext<'a>,
    pub solid: &'a Solid,
    /// The surface of the solid.
    pub surface: &'a ChunkedMesh,
}

/// A piece that is looked at.
pub(crate) struct DraftView<'a> {
    pub kind: PieceKind,
    pub anchored: bool,
    pub mass: &'a MassProperties,
    /// With flat cut faces.
    pub flat: &'a MeshWithSources,
    /// As it is seen.
    pub seen: &'a Mesh,
    /// What it is collided with, when somebody has kept that; else nothing.
    pub collision: &'a [Arc<OctreeLeaf>],
    /// Whether it is there to stay.
    pub lasting: bool,
}

impl Viewer<'_> {
    pub fn look(&self, piece: &DraftView) -> PieceOutput {
        let mut look = self.island_look(piece).unwrap_or_default();
        if !piece.lasting {
            return look;
        }
        if look.surface.is_none() {
            let what = (piece.kind, piece.anchored);
            look.made.payload = self.sight.payload(what, piece.seen, piece.mass);
        }
        look.closed = self.sight.closed(piece.seen);
        look
    }

    /// Whether a piece is collided with chunk by chunk; those of sheets have no inside.
    pub fn collides_in_parts(&self, kind: PieceKind, anchored: bool, mesh: &Mesh) -> bool {
        let is_large = ChunkedMesh::is_in_parts(mesh.triangles.len());
        let is_sheet = self.solid.thickness().is_some();
        is_large && anchored && !is_sheet && self.sight.hooks(kind).is_some()
    }

    /// What is seen of an island, chunk by chunk.
    fn island_look(&self, piece: &DraftView) -> Option<PieceOutput> {
        let hooks = self.sight.hooks(piece.kind)?;
        let mut surface = self.surface.after(self.solid, piece.flat, piece.seen);
        let mut look = PieceOutput::default();
        if piece.lasting {
            look.made.looks = surface.looks(piece.seen, hooks);
        }
        if piece.lasting && piece.anchored {
            look.made.collision = match piece.collision {
                [] => surface.collision(piece.seen, self.surface, hooks),
                kept => surface.collide(kept.iter().cloned(), Some(self.surface), hooks),
            };
        }
        if piece.lasting && self.collides_in_parts(piece.kind, piece.anchored, &piece.flat.mesh) {
            look.colliders = surface.colliders(self.surface, piece.flat, piece.seen);
        }
        look.surface = Some(surface);
        Some(look)
    }
}
