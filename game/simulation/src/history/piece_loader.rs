//! Loading of one piece: from its snapshot to what the break had made.

use std::sync::Arc;

use fracture_geometry::{Mesh, PieceKind};
use glam::Vec3;

use super::snapshot::{SavedCollider, SavedColliders, SavedCutRef, SavedPiece, SourceInfo};
use crate::pieces::{debris_collider, Colliders, HullCount};
use crate::pieces::{BrokenPiece, HookContext, HookOutput, PieceOptions, PieceOutput};
use crate::pieces::{
    ChunkHooks, ChunkedMesh, ChunkedMeshParts, Cut, CutHistory, InheritedShapeData, LazyHulls,
    LazyParts, Shape,
};

/// A loaded piece.
pub(crate) struct RestoredPiece {
    pub piece: BrokenPiece,
    /// Kinds of the pieces that it was a part of, oldest first, and its own kind last.
    pub line: Arc<[PieceKind]>,
    /// Generation: how often its ancestors were broken.
    pub depth: u32,
    /// Seed of its breaks.
    pub seed: u64,
}

/// Loads the pieces of one body.
pub(super) struct PieceLoader<'a> {
    /// The shape of the intact body.
    pub shape: &'a Shape,
    pub making: &'a PieceOptions,
    pub info: &'a SourceInfo,
    /// Convex parts of the intact body.
    pub parts: &'a Arc<LazyParts>,
    /// Hulls of the intact body, if no anchor held it.
    pub hulls: Option<&'a Arc<LazyHulls>>,
    /// The cuts of the snapshots, by index.
    pub cuts: &'a [Arc<Cut>],
}

impl PieceLoader<'_> {
    /// Loads a piece, and gives the memory of its mesh back for the next one.
    pub fn load(&self, mut saved: SavedPiece) -> Option<(RestoredPiece, Mesh)> {
        let kind = saved.line.last().copied().unwrap_or_default();
        let chunks = saved.surface.take();
        let sight = HookContext {
            recalled: true,
            ..self.making.sight(self.info.cap_surface)
        };
        let look = match (sight.hooks(kind), chunks) {
            (Some(hooks), Some(chunks)) => self.load_island(&sight, &saved, chunks, hooks),
            // The island was saved without chunks, and now the hooks need them: it has to be broken off again.
            (Some(_), None) => return None,
            (None, _) => load_fragment(&sight, kind, &saved),
        };
        let (colliders, hulls) = match look.colliders {
            Some(colliders) => (colliders, saved.colliders.hulls),
            None => load_colliders(&saved.colliders, &saved.mesh, look.surface.as_ref()),
        };
        let triangles = saved.mesh.triangles.len() as u32;
        let known = InheritedShapeData {
            sheet: self.info.thickness,
            surface: look.surface,
            stock: saved.cuts.map(|cuts| self.cut_history(&cuts)),
            hulls: self.hulls.filter(|_| is_remainder(&saved.line)).cloned(),
        };
        let piece = BrokenPiece {
            kind,
            anchored: saved.anchored,
            shape: Shape::from_encoded(saved.encoded_mesh, known),
            colliders,
            hulls,
            mass: saved.mass,
            kilograms: saved.mass.volume * self.making.density,
            crumb: false,
            triangles,
            push: [Vec3::ZERO; 2],
            closed: look.closed,
            seen: look.made,
        };
        let restored = RestoredPiece {
            piece,
            line: saved.line,
            depth: saved.depth,
            seed: saved.seed,
        };
        Some((restored, saved.mesh))
    }

    /// The cut history of a piece. A cut that is missing costs time only: its hulls are searched for.
    fn cut_history(&self, cuts: &[SavedCutRef]) -> CutHistory {
        let cut = |(index, kind): &SavedCutRef| {
            let cut = self.cuts.get(*index as usize)?;
            Some((cut.clone(), *kind))
        };
        CutHistory {
            parts: self.parts.clone(),
            breaks: cuts.iter().filter_map(cut).collect(),
        }
    }

    fn load_island(
        &self,
        sight: &HookContext,
        saved: &SavedPiece,
        chunks: ChunkedMeshParts,
        hooks: &ChunkHooks,
    ) -> PieceOutput {
        let mut surface = ChunkedMesh::from_parts(chunks, self.shape.chunk_pool());
        let with_trees = saved.colliders.shapes.iter().any(SavedCollider::is_chunk);
        let looks = surface.looks_and_trees(&saved.mesh, hooks, with_trees);
        let collision = if saved.anchored {
            surface.collide(saved.cells.iter().cloned(), None, hooks)
        } else {
            Vec::new()
        };
        PieceOutput {
            closed: sight.closed(&saved.mesh),
            surface: Some(surface),
            colliders: None,
            made: HookOutput {
                payload: None,
                looks,
                collision,
            },
        }
    }
}

fn load_fragment(sight: &HookContext, kind: PieceKind, saved: &SavedPiece) -> PieceOutput {
    PieceOutput {
        closed: sight.closed(&saved.mesh),
        made: HookOutput {
            payload: sight.payload((kind, saved.anchored), &saved.mesh, &saved.mass),
            ..HookOutput::default()
        },
        ..PieceOutput::default()
    }
}

/// Builds the colliders in the debris world; from the mesh if none could be read.
fn load_colliders(
    saved: &SavedColliders,
    mesh: &Mesh,
    surface: Option<&ChunkedMesh>,
) -> (Colliders, HullCount) {
    let shape = |collider: &SavedCollider| match collider {
        SavedCollider::Shape(shape) => Some(shape.clone()),
        SavedCollider::Chunk(chunk) => surface?.tree_of(*chunk, mesh),
    };
    let shapes = saved.shapes.iter().filter_map(shape);
    match Colliders::of(shapes) {
        Some(colliders) => (colliders, saved.hulls),
        None => {
            let built = debris_collider(mesh);
            (built.shape.into(), built.hulls)
        }
    }
}

/// True for what is left of the intact body, and was not broken out of it.
fn is_remainder(line: &[PieceKind]) -> bool {
    let mut line = line.iter();
    line.all(|kind| matches!(kind, PieceKind::Island { .. }))
}
