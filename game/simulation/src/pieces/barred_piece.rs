//! Pieces of a break that have bars.

use std::sync::Arc;

use fracture_geometry::bars::{Bar, EmbeddedLength};
use fracture_geometry::steps::pause;
use fracture_geometry::{Mesh, PieceKind, Solid};
use glam::DVec3;

use super::broken_piece::BrokenPiece;
use crate::error::BreakFailure;

/// A piece that has bars.
pub(super) struct BarredPiece {
    /// Its number among those of the break.
    pub number: usize,
    /// Its number among those that become bodies.
    pub body: usize,
    pub solid: Arc<Solid>,
    pub is_held: bool,
    pub kilograms: f64,
    /// Of mass, body space, metres.
    pub center: DVec3,
}

impl BarredPiece {
    /// The pieces that are held, and the others that come off whole: rubble falls out from between bars.
    pub async fn find(pieces: &[BrokenPiece]) -> Result<Vec<Self>, BreakFailure> {
        let has_bars =
            |piece: &BrokenPiece| piece.anchored || matches!(piece.kind, PieceKind::Island { .. });
        let mut found = Vec::new();
        let pieces = pieces.iter().enumerate();
        let bodies = pieces.filter(|(_, piece)| !piece.is_dust).enumerate();
        for (body, (number, piece)) in bodies.filter(|(_, (_, piece))| has_bars(piece)) {
            // Bars go on for a while into what holds them, so that bumps do not count.
            let solid = match &piece.flat {
                Some(flat) => Arc::new(Solid::in_steps(Mesh::clone(flat), None).await?),
                None => piece.shape.solid_in_steps().await?.clone(),
            };
            found.push(Self {
                number,
                body,
                solid,
                is_held: piece.anchored,
                kilograms: piece.kilograms,
                center: piece.mass.center,
            });
            pause().await;
        }
        Ok(found)
    }

    /// Whether it hangs on another one, and not that on it, where bars hold the two together: of two free ones the lighter.
    pub fn hangs_on(&self, other: &Self) -> bool {
        other.is_held || !self.is_held && self.kilograms < other.kilograms
    }
}

/// The lengths of each bar that are in pieces, by their numbers in the list.
pub(super) async fn lengths_in(bars: &[Bar], pieces: &[BarredPiece]) -> Vec<Vec<EmbeddedLength>> {
    let mut lengths: Vec<Vec<EmbeddedLength>> = vec![Vec::new(); bars.len()];
    for (piece, barred) in pieces.iter().enumerate() {
        for (bar, own) in bars.iter().zip(&mut lengths) {
            let inside = bar.parts_in(&barred.solid).into_iter();
            own.extend(inside.map(|ends| EmbeddedLength { piece, ends }));
        }
        pause().await;
    }
    lengths
}
