//! Bars of reinforced concrete in pieces: a break leaves them where they were, bends them and tears them.

use std::sync::Arc;

use fracture_geometry::bars::{lay_in, Bar, BarBlow, BarFigures, EmbeddedLength};
use fracture_geometry::steps::pause;
use fracture_geometry::{PieceKind, Solid};

use super::broken_piece::BrokenPiece;
use super::piece_bars::PieceBars;
use crate::error::BreakFailure;

/// The most blows by which bars are bent. Of more the oldest is forgotten.
const MAX_BLOWS: usize = 16;

/// The cause by which a body was parted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PartedBy {
    Blow(BarBlow),
    /// It cuts bars as well.
    Blade,
    Weight,
}

/// The bars of a body that breaks.
#[derive(Clone)]
pub(crate) struct BarsInBody {
    pub figures: BarFigures,
    /// Those of a piece; `None` of an intact body, where they are laid in.
    pub of_piece: Option<Arc<PieceBars>>,
}

/// The lengths of bars that are in a piece.
struct PieceLengths {
    /// Of the piece among those of the break.
    number: usize,
    is_held: bool,
    solid: Arc<Solid>,
    /// By bar.
    inside: Vec<Vec<[f64; 2]>>,
}

impl PieceLengths {
    /// Finds those of the pieces that are held and of the others that come off whole: rubble falls out from between bars.
    async fn find(bars: &[Bar], pieces: &[BrokenPiece]) -> Result<Vec<Self>, BreakFailure> {
        let has_bars = |piece: &BrokenPiece| {
            let is_whole = matches!(piece.kind, PieceKind::Island { .. });
            !piece.is_dust && (piece.anchored || is_whole)
        };
        let mut found = Vec::new();
        let pieces = pieces.iter().enumerate();
        for (number, piece) in pieces.filter(|(_, piece)| has_bars(piece)) {
            let solid = piece.shape.solid_in_steps().await?.clone();
            pause().await;
            found.push(Self {
                number,
                is_held: piece.anchored,
                inside: bars.iter().map(|bar| bar.parts_in(&solid)).collect(),
                solid,
            });
            pause().await;
        }
        Ok(found)
    }

    /// The lengths of a bar, as they are for a piece.
    fn lengths(&self, piece: usize, bar: usize) -> impl Iterator<Item = EmbeddedLength> + '_ {
        let lengths = self.inside.get(bar).into_iter().flatten();
        lengths.map(move |ends| EmbeddedLength {
            ends: *ends,
            is_own: self.number == piece,
            is_held: self.is_held,
        })
    }
}

impl BarsInBody {
    /// Gives the pieces their bars, but for rubble, and says whether there was room for any in the body. In a sheet there
    /// are none.
    pub async fn share(
        &self,
        solid: &Solid,
        pieces: &mut [BrokenPiece],
        by: PartedBy,
    ) -> Result<bool, BreakFailure> {
        let has_bars = self.of_piece.is_some() || self.figures.are_bars();
        if !has_bars || solid.is_shell() {
            return Ok(true);
        }
        let all = match &self.of_piece {
            Some(bars) => bars.clone(),
            None => Arc::new(PieceBars {
                bars: lay_in(solid, self.figures),
                blows: Vec::new(),
            }),
        };
        if all.bars.is_empty() {
            return Ok(self.of_piece.is_some());
        }
        pause().await;
        let parts = PieceLengths::find(&all.bars, pieces).await?;
        let mut blows = all.blows.clone();
        if let PartedBy::Blow(blow) = by {
            blows.push(blow);
            blows.drain(..blows.len().saturating_sub(MAX_BLOWS));
        }
        for own in &parts {
            let bars = all.bars.iter().enumerate().flat_map(|(index, bar)| {
                let inside = parts
                    .iter()
                    .flat_map(|part| part.lengths(own.number, index));
                self.kept_of(bar, &inside.collect::<Vec<_>>(), by)
            });
            let mut bars: Vec<Bar> = bars.collect();
            if let PartedBy::Blow(blow) = by {
                bars = self.torn(bars, &own.solid, &blow);
            }
            let blows = blows.clone();
            if let Some(piece) = pieces.get_mut(own.number).filter(|_| !bars.is_empty()) {
                piece.bars = Some(Arc::new(PieceBars { bars, blows }));
            }
        }
        Ok(true)
    }

    /// The bars that a piece keeps of one. A blade leaves what is in the piece.
    fn kept_of(&self, bar: &Bar, inside: &[EmbeddedLength], by: PartedBy) -> Vec<Bar> {
        let lengths = match by {
            PartedBy::Blade => {
                let own = inside.iter().filter(|length| length.is_own);
                own.map(|length| length.ends).collect()
            }
            _ => bar.kept(inside, &self.figures),
        };
        lengths.into_iter().map(|length| bar.part(length)).collect()
    }

    fn torn(&self, bars: Vec<Bar>, solid: &Solid, blow: &BarBlow) -> Vec<Bar> {
        let torn = bars.into_iter().flat_map(|bar| {
            let spans = bar.bare_spans(&bar.parts_in(solid), self.figures.least_grip());
            bar.torn(&spans, &self.figures, blow)
        });
        torn.collect()
    }
}
