//! Loading of one piece: from its snapshot to what the break had made.

use std::sync::Arc;

use fracture_geometry::{Mesh, PieceKind};

use super::snapshot::{SavedCollider, SavedColliders, SavedCutRef, SavedPiece, SourceInfo};
use crate::debris::PieceFigures;
use crate::pieces::{
    debris_collider, BrokenPiece, ChunkHooks, ChunkedMesh, ChunkedMeshParts, Colliders, Cut,
    CutHistory, HookContext, HookOutput, HullCount, InheritedShapeData, LazyHulls, LazyParts,
    PieceOptions, PieceOutput, Shape, Velocity,
};

/// A loaded piece.
pub(crate) struct RestoredPiece {
    pub piece: BrokenPiece,
    /// Kinds of the pieces that it was a part of, oldest first, and its own kind last.
    pub kinds: Arc<[PieceKind]>,
    /// Generation: how often its ancestors were broken.
    pub depth: u32,
    /// Seed of its breaks.
    pub seed: u64,
}

/// Loads the pieces of one body.
pub(super) struct PieceLoader<'a> {
    /// The shape of the intact body.
    pub shape: &'a Shape,
    pub options: &'a PieceOptions,
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
        let kind = saved.kinds.last().copied().unwrap_or_default();
        let chunks = saved.chunked_mesh.take();
        let context = self.context();
        let (output, chunked_mesh) = match (context.chunk_hooks(kind), chunks) {
            (Some(hooks), Some(chunks)) => {
                let (output, chunked_mesh) = self.load_island(&context, &saved, chunks, hooks);
                (output, Some(chunked_mesh))
            }
            // The island was saved without chunks, and now the hooks need them: it has to be broken off again.
            (Some(_), None) => return None,
            (None, _) => (load_fragment(&context, kind, &saved), None),
        };
        let (colliders, hulls) =
            load_colliders(&saved.colliders, &saved.mesh, chunked_mesh.as_ref());
        let inherited = InheritedShapeData {
            sheet_thickness: self.info.thickness,
            whole_frame: saved.whole_frame.unwrap_or(self.info.long_frame),
            chunked_mesh,
            cut_history: saved.cuts.map(|cuts| self.cut_history(&cuts)),
            source_hulls: self.hulls.filter(|_| is_remainder(&saved.kinds)).cloned(),
        };
        let piece = BrokenPiece {
            kind,
            anchored: saved.anchored,
            shape: Shape::from_encoded(saved.encoded_mesh, inherited),
            flat: None,
            figures: (!saved.anchored)
                .then(|| PieceFigures::new(colliders.first(), &saved.mass, self.options.density)),
            colliders,
            hulls,
            mass: saved.mass,
            kilograms: saved.mass.volume * self.options.density,
            is_dust: false,
            triangles: saved.mesh.triangles.len() as u32,
            velocity_change: Velocity::default(),
            loose_crack: None,
            bars: None,
            refinement: None,
            is_closed: output.is_closed,
            hook_output: output.hooks,
        };
        let restored = RestoredPiece {
            piece,
            kinds: saved.kinds,
            depth: saved.depth,
            seed: saved.seed,
        };
        Some((restored, saved.mesh))
    }

    fn context(&self) -> HookContext<'_> {
        HookContext {
            restored: true,
            ..self.options.hook_context(self.info.cap_surface)
        }
    }

    /// The cut history of a piece. A cut that is missing costs time only: its hulls are searched for.
    fn cut_history(&self, cuts: &[SavedCutRef]) -> CutHistory {
        let cut = |(index, kind): &SavedCutRef| {
            let cut = self.cuts.get(*index as usize)?;
            Some((cut.clone(), *kind))
        };
        CutHistory::with_cuts(
            self.parts.clone(),
            self.info.triangles as usize,
            cuts.iter().filter_map(cut).collect(),
        )
    }

    fn load_island(
        &self,
        context: &HookContext,
        saved: &SavedPiece,
        chunks: ChunkedMeshParts,
        hooks: &ChunkHooks,
    ) -> (PieceOutput, ChunkedMesh) {
        let chunked_mesh = ChunkedMesh::from_parts(chunks, self.shape.chunk_pool());
        let with_colliders = saved.colliders.shapes.iter().any(SavedCollider::is_chunk);
        let render_chunks =
            chunked_mesh.render_payloads_and_colliders(&saved.mesh, hooks, with_colliders);
        // A piece that was saved with its provisional collision mesh has none.
        let collision_chunks = if !saved.anchored {
            Vec::new()
        } else if saved.cells.is_empty() {
            chunked_mesh.collision_payloads(&saved.mesh, hooks)
        } else {
            chunked_mesh.set_collision(saved.cells.iter().cloned(), hooks)
        };
        let output = PieceOutput {
            is_closed: context.is_closed(&saved.mesh),
            hooks: HookOutput {
                render_chunks,
                collision_chunks,
                ..HookOutput::default()
            },
        };
        (output, chunked_mesh)
    }
}

fn load_fragment(context: &HookContext, kind: PieceKind, saved: &SavedPiece) -> PieceOutput {
    PieceOutput {
        is_closed: context.is_closed(&saved.mesh),
        hooks: HookOutput {
            payload: context.payload(kind, saved.anchored, &saved.mesh, &saved.mass),
            ..HookOutput::default()
        },
    }
}

/// Builds the colliders in the debris world; from the mesh if none could be read.
fn load_colliders(
    saved: &SavedColliders,
    mesh: &Mesh,
    chunked_mesh: Option<&ChunkedMesh>,
) -> (Colliders, HullCount) {
    let shape = |collider: &SavedCollider| match collider {
        SavedCollider::Shape(shape) => Some(shape.clone()),
        SavedCollider::Chunk(chunk) => chunked_mesh?.chunk_collider(*chunk, mesh),
        SavedCollider::SimplifiedChunk(chunk, shape) => {
            chunked_mesh?.set_simplified_collider(*chunk, shape);
            Some(shape.clone())
        }
    };
    let shapes = saved.shapes.iter().filter_map(shape);
    match Colliders::new(shapes) {
        Some(colliders) => (colliders, saved.hulls),
        None => {
            let built = debris_collider(mesh);
            (built.shape.into(), built.hulls)
        }
    }
}

/// True for what is left of the intact body, and was not broken out of it.
fn is_remainder(kinds: &[PieceKind]) -> bool {
    let mut kinds = kinds.iter();
    kinds.all(|kind| matches!(kind, PieceKind::Island { .. }))
}
