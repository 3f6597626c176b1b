//! One piece that somebody has kept, as the break had made it.

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

/// A piece, and where it comes from.
pub(crate) struct RestoredPiece {
    pub piece: BrokenPiece,
    /// What it is, and before that what those were that it was a part of.
    pub line: Arc<[PieceKind]>,
    /// How often those were broken.
    pub depth: u32,
    /// Where the spin of its breaks comes from.
    pub seed: u64,
}

/// What the pieces of a body have in common.
pub(super) struct PieceLoader<'a> {
    /// Of the whole body.
    pub shape: &'a Shape,
    pub making: &'a PieceOptions,
    pub facts: &'a SourceInfo,
    /// The parts of the whole body.
    pub parts: &'a Arc<LazyParts>,
    /// The hulls of the whole body, when nothing held that.
    pub hulls: Option<&'a Arc<LazyHulls>>,
    /// The breaks that pieces know of, by number.
    pub cuts: &'a [Arc<Cut>],
}

impl PieceLoader<'_> {
    /// The piece. What is left over is the mesh, for the next one to be read in its place.
    pub fn piece(&self, mut kept: SavedPiece) -> Option<(RestoredPiece, Mesh)> {
        let kind = kept.line.last().copied().unwrap_or_default();
        let surface = kept.surface.take();
        let sight = HookContext {
            recalled: true,
            ..self.making.sight(self.facts.cap_surface)
        };
        let look = match (sight.hooks(kind), surface) {
            (Some(hooks), Some(parts)) => self.island(&sight, &kept, parts, hooks),
            // Saved without chunks, which are needed now: only breaking the body again makes them.
            (Some(_), None) => return None,
            (None, _) => fragment(&sight, kind, &kept),
        };
        let (colliders, hulls) = match look.colliders {
            Some(colliders) => (colliders, kept.colliders.hulls),
            None => colliders(&kept.colliders, &kept.mesh, look.surface.as_ref()),
        };
        let triangles = kept.mesh.triangles.len() as u32;
        let known = InheritedShapeData {
            sheet: self.facts.thickness,
            surface: look.surface,
            stock: kept.breaks.map(|breaks| self.stock(&breaks)),
            hulls: self.hulls.filter(|_| is_rest(&kept.line)).cloned(),
        };
        let piece = BrokenPiece {
            kind,
            anchored: kept.anchored,
            shape: Shape::from_encoded(kept.packed, known),
            colliders,
            hulls,
            mass: kept.mass,
            kilograms: kept.mass.volume * self.making.density,
            crumb: false,
            triangles,
            push: [Vec3::ZERO; 2],
            closed: look.closed,
            seen: look.made,
        };
        let recalled = RestoredPiece {
            piece,
            line: kept.line,
            depth: kept.depth,
            seed: kept.seed,
        };
        Some((recalled, kept.mesh))
    }

    /// What a piece was carved from by such breaks; of those that are not there hulls are sought.
    fn stock(&self, breaks: &[SavedCutRef]) -> CutHistory {
        let carved = |(number, kind): &SavedCutRef| {
            let cut = self.cuts.get(*number as usize)?;
            Some((cut.clone(), *kind))
        };
        CutHistory {
            parts: self.parts.clone(),
            breaks: breaks.iter().filter_map(carved).collect(),
        }
    }

    /// An island whose chunks have been kept.
    fn island(
        &self,
        sight: &HookContext,
        kept: &SavedPiece,
        parts: ChunkedMeshParts,
        hooks: &ChunkHooks,
    ) -> PieceOutput {
        let mut surface = ChunkedMesh::from_parts(parts, self.shape.chunk_pool());
        let with_trees = kept.colliders.parts.iter().any(SavedCollider::is_chunk);
        let looks = surface.looks_and_trees(&kept.mesh, hooks, with_trees);
        let cells = kept.cells.iter().cloned();
        let collision = match kept.anchored {
            true => surface.collide(cells, None, hooks),
            false => Vec::new(),
        };
        PieceOutput {
            closed: sight.closed(&kept.mesh),
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

fn fragment(sight: &HookContext, kind: PieceKind, kept: &SavedPiece) -> PieceOutput {
    PieceOutput {
        closed: sight.closed(&kept.mesh),
        made: HookOutput {
            payload: sight.payload((kind, kept.anchored), &kept.mesh, &kept.mass),
            ..HookOutput::default()
        },
        ..PieceOutput::default()
    }
}

/// What is collided with, of shapes and of the triangles of chunks.
fn colliders(
    kept: &SavedColliders,
    mesh: &Mesh,
    surface: Option<&ChunkedMesh>,
) -> (Colliders, HullCount) {
    let shape = |part: &SavedCollider| match part {
        SavedCollider::Shape(shape) => Some(shape.clone()),
        SavedCollider::Chunk(chunk) => surface?.tree_of(*chunk, mesh),
    };
    let all = kept.parts.iter().filter_map(shape);
    match Colliders::of(all) {
        Some(colliders) => (colliders, kept.hulls),
        None => {
            let anew = debris_collider(mesh);
            (anew.shape.into(), anew.hulls)
        }
    }
}

/// Whether something is left of a whole, and not broken out of it.
fn is_rest(line: &[PieceKind]) -> bool {
    let mut line = line.iter();
    line.all(|kind| matches!(kind, PieceKind::Island { .. }))
}
