//! Pieces of a break that have bars.

use std::sync::Arc;

use fracture_geometry::bars::{Bar, EmbeddedLength};
use fracture_geometry::steps::pause;
use fracture_geometry::{Mesh, PieceKind, Solid};

use super::broken_piece::BrokenPiece;
use crate::error::BreakFailure;

/// Share of a body's mass in pieces that come off whole from which on all fragments are rubble.
const LEAST_WHOLE: f64 = 0.1;
/// Share of its mass up to which a fragment is rubble where less comes off whole.
const MOST_RUBBLE: f64 = 0.02;

/// A piece that has bars.
pub(super) struct BarredPiece {
    /// Its number among those of the break.
    pub number: usize,
    /// Its number among those that become bodies.
    pub body: usize,
    pub solid: Arc<Solid>,
    pub is_held: bool,
    pub kilograms: f64,
}

impl BarredPiece {
    /// The pieces that are held, and the others that come off whole: rubble falls out from between bars. Where a blow leaves
    /// next to nothing whole, the large fragments have them.
    pub async fn find(pieces: &[BrokenPiece]) -> Result<Vec<Self>, BreakFailure> {
        let is_whole =
            |piece: &BrokenPiece| piece.anchored || matches!(piece.kind, PieceKind::Island { .. });
        let kilograms = |of: fn(&BrokenPiece) -> bool| -> f64 {
            let pieces = pieces.iter().filter(|piece| of(piece));
            pieces.map(|piece| piece.kilograms).sum()
        };
        let (all, whole) = (kilograms(|_| true), kilograms(is_whole));
        let most_rubble = if whole < LEAST_WHOLE * all {
            MOST_RUBBLE * all
        } else {
            f64::INFINITY
        };
        let has_bars = |piece: &BrokenPiece| is_whole(piece) || piece.kilograms > most_rubble;
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
