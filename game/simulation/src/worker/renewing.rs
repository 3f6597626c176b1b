//! One piece that somebody has kept, as the break had made it.

use std::sync::Arc;

use fracture_geometry::{Mesh, MeshWithSources, PieceKind, RenderPartition, Solid};
use glam::Vec3;

use super::finishing::{BrokenPiece, Making};
use super::seeing::{Look, Seeable, Seen, Sight, Viewer};
use crate::body::{
    ChunkHooks, Known, LazyHulls, LazyParts, PastCut, Shape, Stock, Surface, SurfaceParts,
};
use crate::debris::{debris_collider, Colliders, HullCount};
use crate::event::BreakFailure;
use crate::kept::{Facts, KeptCarving, KeptColliders, KeptPart, KeptPiece};

/// A piece, and where it comes from.
pub(crate) struct RecalledPiece {
    pub piece: BrokenPiece,
    /// What it is, and before that what those were that it was a part of.
    pub line: Arc<[PieceKind]>,
    /// How often those were broken.
    pub depth: u32,
    /// Where the spin of its breaks comes from.
    pub seed: u64,
}

/// What the pieces of a body have in common.
pub(super) struct Renewal<'a> {
    /// Of the whole body.
    pub shape: &'a Shape,
    pub making: &'a Making,
    pub facts: &'a Facts,
    /// The parts of the whole body.
    pub parts: &'a Arc<LazyParts>,
    /// The hulls of the whole body, when nothing held that.
    pub hulls: Option<&'a Arc<LazyHulls>>,
    /// The breaks that pieces know of, by number.
    pub cuts: &'a [Arc<PastCut>],
}

impl Renewal<'_> {
    /// The piece. What is left over is the mesh, for the next one to be read in its place.
    pub fn piece(&self, mut kept: KeptPiece) -> Result<(RecalledPiece, Mesh), BreakFailure> {
        let kind = kept.line.last().copied().unwrap_or_default();
        let surface = kept.surface.take();
        let sight = Sight {
            recalled: true,
            ..self.making.sight(self.facts.cap_surface)
        };
        let look = match (sight.hooks(kind), surface) {
            (Some(hooks), Some(parts)) => self.island(&sight, &kept, parts, hooks),
            (Some(_), None) => self.traced_island(sight, kind, &mut kept)?,
            (None, _) => fragment(&sight, kind, &kept),
        };
        let (colliders, hulls) = match look.colliders {
            Some(colliders) => (colliders, kept.colliders.hulls),
            None => colliders(&kept.colliders, &kept.mesh, look.surface.as_ref()),
        };
        let triangles = kept.mesh.triangles.len() as u32;
        let known = Known {
            sheet: self.facts.thickness,
            surface: look.surface,
            stock: kept.breaks.map(|breaks| self.stock(&breaks)),
            hulls: self.hulls.filter(|_| is_rest(&kept.line)).cloned(),
        };
        let piece = BrokenPiece {
            kind,
            anchored: kept.anchored,
            shape: Shape::of_packed(kept.packed, known),
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
        let recalled = RecalledPiece {
            piece,
            line: kept.line,
            depth: kept.depth,
            seed: kept.seed,
        };
        Ok((recalled, kept.mesh))
    }

    /// What a piece was carved from by such breaks; of those that are not there hulls are sought.
    fn stock(&self, breaks: &[KeptCarving]) -> Stock {
        let carved = |(number, kind): &KeptCarving| {
            let cut = self.cuts.get(*number as usize)?;
            Some((cut.clone(), *kind))
        };
        Stock {
            parts: self.parts.clone(),
            breaks: breaks.iter().filter_map(carved).collect(),
        }
    }

    /// An island whose chunks have been kept.
    fn island(
        &self,
        sight: &Sight,
        kept: &KeptPiece,
        parts: SurfaceParts,
        hooks: &ChunkHooks,
    ) -> Look {
        let mut surface = Surface::from_parts(parts, self.shape.chunk_pool());
        let with_trees = kept.colliders.parts.iter().any(KeptPart::is_chunk);
        let looks = surface.looks_and_trees(&kept.mesh, hooks, with_trees);
        let cells = kept.cells.iter().cloned();
        let collision = match kept.anchored {
            true => surface.collide(cells, None, hooks),
            false => Vec::new(),
        };
        Look {
            closed: sight.closed(&kept.mesh),
            surface: Some(surface),
            colliders: None,
            made: Seen {
                payload: None,
                looks,
                collision,
            },
        }
    }

    /// An island of which nobody knows which chunks it has: they are those of the whole body that can be
    /// found in it.
    fn traced_island(
        &self,
        sight: Sight,
        kind: PieceKind,
        kept: &mut KeptPiece,
    ) -> Result<Look, BreakFailure> {
        let solid = self.shape.solid()?;
        let viewer = Viewer {
            sight,
            solid,
            surface: self.shape.surface(solid),
        };
        let flat = traced(std::mem::take(&mut kept.mesh), solid);
        let look = viewer.look(&Seeable {
            kind,
            anchored: kept.anchored,
            mass: &kept.mass,
            flat: &flat,
            seen: &flat.mesh,
            collision: &kept.cells,
            lasting: true,
        });
        kept.mesh = flat.mesh;
        Ok(look)
    }
}

fn fragment(sight: &Sight, kind: PieceKind, kept: &KeptPiece) -> Look {
    Look {
        closed: sight.closed(&kept.mesh),
        made: Seen {
            payload: sight.payload((kind, kept.anchored), &kept.mesh, &kept.mass),
            ..Seen::default()
        },
        ..Look::default()
    }
}

/// An island knows what of it is as it was, where there are chunks that may have been left alone.
fn traced(mesh: Mesh, solid: &Solid) -> MeshWithSources {
    match solid.triangle_count() > RenderPartition::SIZE {
        true => MeshWithSources::found(mesh, solid.mesh()),
        false => MeshWithSources {
            origins: vec![u32::MAX; mesh.triangles.len()],
            mesh,
        },
    }
}

/// What is collided with, of shapes and of the triangles of chunks.
fn colliders(
    kept: &KeptColliders,
    mesh: &Mesh,
    surface: Option<&Surface>,
) -> (Colliders, HullCount) {
    let shape = |part: &KeptPart| match part {
        KeptPart::Shape(shape) => Some(shape.clone()),
        KeptPart::Chunk(chunk) => surface?.tree_of(*chunk, mesh),
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
