//! Pieces moved apart, to look between them.

use fracture::{PieceInfo, PieceKind};
use fyrox::core::algebra::Vector3;

/// Displacement of a piece that is moved apart all the way, as a multiple of its distance from the
/// centre.
const FAR: f32 = 1.5;

/// The points that pieces are moved away from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Center {
    fragments: Vector3<f32>,
    islands: Vector3<f32>,
}

impl Center {
    /// Fragments move away from a point behind the impact, so that they come out of their hole; islands
    /// from their common centre. `normal` is that of the impact.
    pub fn of(pieces: &[PieceInfo], struck_at: Vector3<f32>, normal: Vector3<f32>) -> Self {
        let is_fragment = |piece: &&PieceInfo| piece.kind == PieceKind::Fragment;
        let fragments = pieces.iter().filter(is_fragment);
        let reach = fragments
            .map(|piece| (piece.position - struck_at).norm())
            .fold(0.0, f32::max);
        let islands = pieces.iter().filter(|piece| !is_fragment(piece));
        let volume: f64 = islands.clone().map(|piece| piece.volume).sum();
        let weighted = islands.map(|piece| piece.position * (piece.volume / volume) as f32);
        Self {
            fragments: struck_at - normal * reach,
            islands: weighted.sum(),
        }
    }

    /// Returns the displacement of a piece; `explode` is 0 to 1.
    pub fn away(&self, piece: &PieceInfo, explode: f32) -> Vector3<f32> {
        let from = match piece.kind {
            PieceKind::Fragment => self.fragments,
            PieceKind::Island => self.islands,
        };
        (piece.position - from) * (explode * FAR)
    }
}
