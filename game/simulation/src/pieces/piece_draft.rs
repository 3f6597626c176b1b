//! A piece on its way from the cutter to a body: its meshes, and its colliders.

use std::collections::BTreeSet;

use fracture_geometry::piece_mesh::MeshWithSources;
use fracture_geometry::{MassProperties, Mesh, Piece, PieceKind};

use super::chunked_mesh::ChunkedMesh;
use super::colliders::{BuiltCollider, Colliders, HullCount};
use super::cut_history::CutHistory;
use super::hook_context::DraftView;
use crate::debris::PieceFigures;

/// Most pieces of a break that are bodies; smaller ones become dust. Each body costs time in the frame
/// that swaps it in. The number is fixed, because logged breaks must come out the same whatever the
/// settings are.
const MAX_BODIES: usize = 1024;

/// Pieces of a break that stay. In a replay, the others break again or vanish before they are seen or
/// touched, so that only their meshes are built: where a tenth of 194 pieces is left, a block with 30 breaks
/// is replayed in 20 ms in place of 72, a ring with 54 in 27 in place of 152.
#[derive(Clone)]
pub(crate) enum Keep {
    All,
    /// By number among the pieces that are bodies.
    Only(BTreeSet<usize>),
}

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

/// Turns the smallest free pieces into dust where there are too many for all to be bodies.
pub(super) fn limit_bodies(drafts: &mut [PieceDraft]) {
    let is_free_body = |draft: &&mut PieceDraft| !draft.anchored && !draft.is_dust;
    let mut free: Vec<&mut PieceDraft> = drafts.iter_mut().filter(is_free_body).collect();
    // A stable sort: of equal volumes the first stay.
    free.sort_by(|a, b| b.mass.volume.total_cmp(&a.mass.volume));
    for draft in free.into_iter().skip(MAX_BODIES) {
        draft.is_dust = true;
    }
}

/// Marks the pieces that are to stay.
pub(super) fn mark_kept(drafts: &mut [PieceDraft], keep: &Keep) {
    let bodies = drafts.iter_mut().filter(|draft| !draft.is_dust);
    for (number, draft) in bodies.enumerate() {
        draft.keep = match keep {
            Keep::All => true,
            Keep::Only(numbers) => numbers.contains(&number),
        };
    }
}
