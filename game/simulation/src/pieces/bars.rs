//! Bars of reinforced concrete in pieces that are held: a break leaves them where they were, bends them and tears them.

use std::sync::Arc;

use fracture_geometry::bars::{lay_in, Bar, BarBlow, BarFigures, Surroundings};
use fracture_geometry::steps::pause;
use fracture_geometry::{PieceKind, Solid};

use super::broken_piece::BrokenPiece;
use super::held_bars::HeldBars;
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
    /// Those of a held piece; `None` of an intact body, where they are laid in.
    pub held: Option<Arc<HeldBars>>,
}

/// The lengths of bars that are in a part of a body.
struct PartOfBars {
    /// Of the piece among those of the break.
    number: usize,
    is_held: bool,
    solid: Arc<Solid>,
    /// By bar.
    inside: Vec<Vec<[f64; 2]>>,
}

impl PartOfBars {
    /// Finds those of the pieces that stay and of the other parts that come off whole: rubble falls out from between bars.
    async fn find(bars: &[Bar], pieces: &[BrokenPiece]) -> Result<Vec<Self>, BreakFailure> {
        let is_part = |piece: &BrokenPiece| {
            let is_whole = matches!(piece.kind, PieceKind::Island { .. });
            !bars.is_empty() && !piece.is_dust && (piece.anchored || is_whole)
        };
        let mut parts = Vec::new();
        for (number, piece) in pieces
            .iter()
            .enumerate()
            .filter(|(_, piece)| is_part(piece))
        {
            let solid = piece.shape.solid_in_steps().await?.clone();
            pause().await;
            parts.push(Self {
                number,
                is_held: piece.anchored,
                inside: bars.iter().map(|bar| bar.parts_in(&solid)).collect(),
                solid,
            });
            pause().await;
        }
        Ok(parts)
    }

    /// The lengths of a bar, with what they are in for a piece.
    fn lengths(
        &self,
        piece: usize,
        bar: usize,
    ) -> impl Iterator<Item = (Surroundings, [f64; 2])> + '_ {
        let around = match self.is_held {
            _ if self.number == piece => Surroundings::Own,
            true => Surroundings::Held,
            false => Surroundings::Falling,
        };
        let lengths = self.inside.get(bar).into_iter().flatten();
        lengths.map(move |length| (around, *length))
    }
}

impl BarsInBody {
    /// Gives the pieces that stay the bars that they hold, and says whether there was room for any in the body. Of a body
    /// that nothing holds, and of a sheet, there are none.
    pub async fn share(
        &self,
        solid: &Solid,
        pieces: &mut [BrokenPiece],
        by: PartedBy,
    ) -> Result<bool, BreakFailure> {
        let stays = |piece: &BrokenPiece| piece.anchored;
        let has_bars = self.held.is_some() || self.figures.are_bars();
        if !has_bars || solid.is_shell() || !pieces.iter().any(stays) {
            return Ok(true);
        }
        let all = match &self.held {
            Some(held) => held.clone(),
            None => Arc::new(HeldBars {
                bars: lay_in(solid, self.figures),
                blows: Vec::new(),
            }),
        };
        pause().await;
        let parts = PartOfBars::find(&all.bars, pieces).await?;
        let mut blows = all.blows.clone();
        if let PartedBy::Blow(blow) = by {
            blows.push(blow);
            blows.drain(..blows.len().saturating_sub(MAX_BLOWS));
        }
        let held = pieces.iter_mut().enumerate();
        for (number, piece) in held.filter(|(_, piece)| stays(piece)) {
            let bars = all.bars.iter().enumerate().flat_map(|(index, bar)| {
                let inside = parts.iter().flat_map(|part| part.lengths(number, index));
                self.kept_of(bar, &inside.collect::<Vec<_>>(), by)
            });
            let mut bars: Vec<Bar> = bars.collect();
            let own = parts.iter().find(|part| part.number == number);
            if let (PartedBy::Blow(blow), Some(own)) = (by, own) {
                bars = self.torn(bars, &own.solid, &blow);
            }
            let blows = blows.clone();
            piece.bars = Some(Arc::new(HeldBars { bars, blows }));
        }
        Ok(self.held.is_some() || !all.bars.is_empty())
    }

    /// The bars that a piece keeps of one. A blade leaves what is in the piece.
    fn kept_of(&self, bar: &Bar, inside: &[(Surroundings, [f64; 2])], by: PartedBy) -> Vec<Bar> {
        let lengths = match by {
            PartedBy::Blade => {
                let own = inside
                    .iter()
                    .filter(|(around, _)| *around == Surroundings::Own);
                own.map(|(_, length)| *length).collect()
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
