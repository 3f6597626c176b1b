//! What is seen of a piece: the embedding layer's own work on its mesh.

use std::sync::Arc;

use fracture_geometry::{check_closed, Mass, Mesh, MeshCell, PieceKind, Solid, Traced};

use crate::body::{ChunkHooks, Finish, Payload, SharedPayload, Surface, Unfinished};
use crate::debris::Colliders;

/// What the hooks have made of a piece.
#[derive(Default)]
pub(crate) struct Seen {
    pub payload: Option<Payload>,
    pub looks: Vec<SharedPayload>,
    pub collision: Vec<SharedPayload>,
}

/// What is seen of a piece.
#[derive(Default)]
pub(super) struct Look {
    pub closed: Option<bool>,
    /// An island's.
    pub surface: Option<Surface>,
    /// What a large held island is collided with; others are by what is made of their meshes.
    pub colliders: Option<Colliders>,
    pub made: Seen,
}

/// What the pieces of a body have in common.
pub(super) struct Viewer<'a> {
    pub finish: Option<&'a Finish>,
    /// Whether somebody wants to know if pieces are closed.
    pub check_pieces: bool,
    pub solid: &'a Solid,
    /// The surface of the solid.
    pub surface: &'a Surface,
    /// The surface of cut faces.
    pub cap_surface: u32,
}

/// A piece that is looked at.
pub(super) struct Seeable<'a> {
    pub kind: PieceKind,
    pub anchored: bool,
    pub mass: &'a Mass,
    /// With flat cut faces.
    pub flat: &'a Traced,
    /// As it is seen.
    pub seen: &'a Mesh,
    /// What it is collided with, when somebody has kept that; else nothing.
    pub collision: &'a [Arc<MeshCell>],
    /// Whether it is there to stay.
    pub lasting: bool,
}

impl Viewer<'_> {
    pub fn look(&self, piece: &Seeable) -> Look {
        let mut look = self.island_look(piece).unwrap_or_default();
        if !piece.lasting {
            return look;
        }
        if look.surface.is_none() {
            let unfinished = Unfinished {
                mesh: piece.seen,
                cap_surface: self.cap_surface,
                kind: piece.kind,
                anchored: piece.anchored,
                mass: piece.mass,
            };
            look.made.payload = self.finish.map(|finish| finish.run(unfinished));
        }
        let check = || check_closed(piece.seen).is_closed();
        look.closed = self.check_pieces.then(check);
        look
    }

    /// Whether a piece is collided with chunk by chunk; those of sheets have no inside.
    pub fn collides_in_parts(&self, kind: PieceKind, anchored: bool, mesh: &Mesh) -> bool {
        let is_large = Surface::is_in_parts(mesh.triangles.len());
        let is_sheet = self.solid.thickness().is_some();
        is_large && anchored && !is_sheet && self.hooks(kind).is_some()
    }

    /// What is made of the chunks of an island; nothing for fragments.
    fn hooks(&self, kind: PieceKind) -> Option<&ChunkHooks> {
        let is_island = matches!(kind, PieceKind::Island { .. });
        self.finish.filter(|_| is_island)?.chunks()
    }

    /// What is seen of an island, chunk by chunk.
    fn island_look(&self, piece: &Seeable) -> Option<Look> {
        let hooks = self.hooks(piece.kind)?;
        let mut surface = self.surface.after(self.solid, piece.flat, piece.seen);
        let mut look = Look::default();
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
