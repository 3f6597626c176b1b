//! A piece on its way from the cutter to a body: its meshes, and its colliders.

use fracture_geometry::piece_mesh::MeshWithSources;
use fracture_geometry::{MassProperties, Mesh, Piece, PieceKind};

use super::chunked_mesh::ChunkedMesh;
use super::colliders::{BuiltCollider, Colliders, HullCount};
use super::cut_history::CutHistory;
use super::hook_context::DraftView;
use crate::debris::PieceFigures;

/// A piece with its number, whether it is known to be held, and its crack parts.
pub(super) type Input<'p> = (usize, ((&'p Piece, Option<bool>), &'p [Piece]));

/// A piece with its mesh.
pub(super) struct PieceDraft<'a> {
    pub piece: &'a Piece,
    pub crack_parts: &'a [Piece],
    /// Mesh with flat cut faces, from which colliders are made.
    pub flat: MeshWithSources,
    /// The collider, if it was built beside the other meshes.
    pub early_collider: Option<BuiltCollider>,
    /// Mesh with rough cut faces, if they have bumps.
    pub rough: Option<Mesh>,
    pub mass: MassProperties,
    pub cut_history: Option<CutHistory>,
    /// Of an island for which there are chunk hooks.
    pub chunked_mesh: Option<ChunkedMesh>,
    pub anchored: bool,
    pub is_dust: bool,
    pub keep: bool,
}

/// The colliders of a piece.
pub(super) struct PieceColliders {
    pub colliders: Colliders,
    pub hulls: HullCount,
    /// Of a free piece that is a body.
    pub figures: Option<PieceFigures>,
    /// Whether better ones are to take their place.
    pub provisional: bool,
}

impl From<BuiltCollider> for PieceColliders {
    fn from(built: BuiltCollider) -> Self {
        Self {
            colliders: built.shape.into(),
            hulls: built.hulls,
            figures: None,
            provisional: built.provisional,
        }
    }
}

impl PieceDraft<'_> {
    pub fn view(&self) -> DraftView<'_> {
        DraftView {
            kind: self.piece.kind,
            anchored: self.anchored,
            mass: &self.mass,
            flat: &self.flat,
            rendered: self.mesh(),
            chunked_mesh: self.chunked_mesh.as_ref(),
            keep: self.keep,
        }
    }

    /// The mesh that is rendered.
    pub fn mesh(&self) -> &Mesh {
        self.rough.as_ref().unwrap_or(&self.flat.mesh)
    }

    pub fn is_remainder(&self) -> bool {
        matches!(self.piece.kind, PieceKind::Island { .. }) && !self.is_dust
    }
}
