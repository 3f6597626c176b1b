//! What is seen of a piece: the embedding layer's own work on its mesh.

use std::sync::Arc;

use fracture_geometry::{check_closed, Mass, Mesh, MeshCell, PieceKind, Solid, Traced};

use crate::body::{Finish, Payload, SharedPayload, Surface, Unfinished};

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
        let mut made = Seen::default();
        let surface = self.island_look(piece, &mut made);
        if !piece.lasting {
            return Look {
                closed: None,
                surface,
                made,
            };
        }
        if surface.is_none() {
            let unfinished = Unfinished {
                mesh: piece.seen,
                cap_surface: self.cap_surface,
                kind: piece.kind,
                anchored: piece.anchored,
                mass: piece.mass,
            };
            made.payload = self.finish.map(|finish| finish.run(unfinished));
        }
        let check = || check_closed(piece.seen).is_closed();
        Look {
            closed: self.check_pieces.then(check),
            surface,
            made,
        }
    }

    /// What is seen of an island, chunk by chunk; nothing for fragments.
    fn island_look(&self, piece: &Seeable, made: &mut Seen) -> Option<Surface> {
        let is_island = matches!(piece.kind, PieceKind::Island { .. });
        let hooks = self.finish.filter(|_| is_island)?.chunks()?;
        let mut surface = self.surface.after(self.solid, piece.flat, piece.seen);
        if !piece.lasting {
            return Some(surface);
        }
        made.looks = surface.looks(piece.seen, hooks);
        if piece.anchored {
            made.collision = match piece.collision {
                [] => surface.collision(piece.seen, self.surface, hooks),
                kept => surface.collide(kept.iter().cloned(), self.surface, hooks),
            };
        }
        Some(surface)
    }
}
