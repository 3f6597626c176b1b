//! Pieces that somebody has kept, on the worker: what breaks had made of a body, without the breaks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use fracture_geometry::{Chunks, FractureError, Mesh, PieceKind, Solid, Traced};
use glam::{DVec3, Vec3};

use super::finishing::{BrokenPiece, Making};
use super::seeing::{Look, Seeable, Viewer};
use super::shared::{beside, Shared};
use crate::body::{Anchor, Anchors, Shape};
use crate::event::BreakFailure;
use crate::kept::{Kept, KeptBytes, KeptPiece};
use crate::numbers::Unreadable;

/// From so many pieces on, a second thread helps; below, starting it would take as long.
const WORTH_A_THREAD: usize = 16;

/// All that is needed, so that the worker never looks at the simulation.
pub(crate) struct RecallOrder {
    /// Of the whole body.
    pub shape: Arc<Shape>,
    pub anchors: Anchors,
    pub making: Making,
    pub kept: Kept,
}

/// The pieces of a body.
pub(crate) struct Recalled {
    pub pieces: Vec<RecalledPiece>,
    /// How much of it has become crumbs, m^3.
    pub crumbs: f64,
    /// Of the whole body, m^3.
    pub volume: f64,
    /// Centre of mass of the whole, body space.
    pub center: DVec3,
    /// The surface that cut faces have.
    pub cap_surface: u32,
    /// What holds the pieces.
    pub anchors: Arc<[Anchor]>,
}

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

impl RecallOrder {
    /// Makes the pieces; `None` when what was kept cannot be read.
    pub fn run(self, cancel: &AtomicBool) -> Result<Option<Recalled>, BreakFailure> {
        let solid = self.shape.solid()?;
        let Ok((crumbs, kept)) = self.kept.pieces() else {
            return Ok(None);
        };
        let made = self.all(solid, &kept, cancel)?;
        let Ok(pieces) = made.into_iter().collect::<Result<_, Unreadable>>() else {
            return Ok(None);
        };
        let bounds = solid.bounds().map(|corner| corner.as_vec3());
        Ok(Some(Recalled {
            pieces,
            crumbs,
            volume: solid.mass().volume,
            center: solid.mass().center,
            cap_surface: self.making.cut_faces.style(solid).surface,
            anchors: self.anchors.resolve(bounds),
        }))
    }

    /// All pieces, by two threads when there are many.
    fn all(
        &self,
        solid: &Solid,
        kept: &[KeptBytes],
        cancel: &AtomicBool,
    ) -> Result<Vec<Result<RecalledPiece, Unreadable>>, BreakFailure> {
        let viewer = Viewer {
            finish: self.making.finish.as_ref(),
            check_pieces: self.making.check_pieces,
            solid,
            surface: self.shape.surface(solid),
            cap_surface: self.making.cut_faces.style(solid).surface,
        };
        let made = Shared::new(kept, |bytes| match cancel.load(Ordering::Relaxed) {
            true => Err(FractureError::Cancelled.into()),
            false => Ok(bytes.read().map(|piece| self.one(&viewer, piece))),
        });
        if kept.len() >= WORTH_A_THREAD {
            beside(|| made.work(), || ());
        }
        made.finish().into_iter().collect()
    }

    fn one(&self, viewer: &Viewer, kept: KeptPiece) -> RecalledPiece {
        let kind = kept.line.last().copied().unwrap_or_default();
        let flat = traced(kind, kept.mesh, viewer.solid);
        let look = viewer.look(&Seeable {
            kind,
            anchored: kept.anchored,
            mass: &kept.mass,
            flat: &flat,
            seen: &flat.mesh,
            collision: &kept.cells,
            lasting: true,
        });
        let Look {
            closed,
            surface,
            made: seen,
        } = look;
        let triangles = flat.mesh.triangles.len() as u32;
        let piece = BrokenPiece {
            kind,
            anchored: kept.anchored,
            shape: Shape::of_piece(flat.mesh, viewer.solid, surface),
            collider: kept.collider,
            hulls: kept.hulls,
            mass: kept.mass,
            kilograms: kept.mass.volume * self.making.density,
            crumb: false,
            triangles,
            push: [Vec3::ZERO; 2],
            closed,
            seen,
        };
        RecalledPiece {
            piece,
            line: kept.line,
            depth: kept.depth,
            seed: kept.seed,
        }
    }
}

/// An island knows what of it is as it was, where there are chunks that may have been left alone.
fn traced(kind: PieceKind, mesh: Mesh, solid: &Solid) -> Traced {
    let is_island = matches!(kind, PieceKind::Island { .. });
    match is_island && solid.triangle_count() > Chunks::SIZE {
        true => Traced::found(mesh, solid.mesh()),
        false => Traced {
            origins: vec![u32::MAX; mesh.triangles.len()],
            mesh,
        },
    }
}
