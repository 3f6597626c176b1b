//! Bars of reinforced concrete in pieces: a break leaves them where they were, bends them and tears them.

use std::collections::BTreeMap;
use std::sync::Arc;

use fracture_geometry::bars::{
    lay_in, Bar, BarBlow, BarFigures, BareSpan, EmbeddedLength, Parting,
};
use fracture_geometry::steps::pause;
use fracture_geometry::Solid;

use super::bar_bonds::{parting_of, BarBond, BarsBetween};
use super::barred_piece::{lengths_in, BarredPiece};
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

/// The outcome of a break for the bars of a body, besides those of its pieces.
pub(crate) struct BarsOutcome {
    /// Whether there was room for any in the body.
    pub has_room: bool,
    /// The pieces that they hold together.
    pub bonds: Vec<BarBond>,
}

impl BarsOutcome {
    /// That of a body without bars.
    pub const NONE: Self = Self {
        has_room: true,
        bonds: Vec::new(),
    };
}

impl BarsInBody {
    /// Gives the pieces their bars, but for rubble. In a sheet there are none.
    pub async fn share(
        &self,
        solid: &Solid,
        pieces: &mut [BrokenPiece],
        by: PartedBy,
    ) -> Result<BarsOutcome, BreakFailure> {
        if solid.is_shell() {
            return Ok(BarsOutcome::NONE);
        }
        let all = self.all(solid);
        if all.bars.is_empty() {
            let has_room = self.of_piece.is_some() || !self.figures.are_bars();
            return Ok(BarsOutcome {
                has_room,
                ..BarsOutcome::NONE
            });
        }
        pause().await;
        let barred = BarredPiece::find(pieces).await?;
        let lengths = lengths_in(&all.bars, &barred).await;
        let bonds = self.bonds(&all.bars, &lengths, &barred, by);
        let blows = blows_after(&all.blows, by);
        for (index, own) in barred.iter().enumerate() {
            let kept = all.bars.iter().zip(&lengths).flat_map(|(bar, lengths)| {
                let parting = |pair: &[EmbeddedLength; 2]| {
                    let is_torn = self.is_torn(bar, pair, by);
                    match pair.map(|own| barred.get(own.piece)) {
                        [Some(first), Some(second)] => parting_of([first, second], &bonds, is_torn),
                        _ => Parting::None,
                    }
                };
                self.kept_of(bar, index, lengths, by, parting)
            });
            let mut bars: Vec<Bar> = kept.collect();
            if let PartedBy::Blow(blow) = by {
                bars = self.torn(bars, &own.solid, &blow);
            }
            let blows = blows.clone();
            if let Some(piece) = pieces.get_mut(own.number).filter(|_| !bars.is_empty()) {
                piece.bars = Some(Arc::new(PieceBars { bars, blows }));
            }
            pause().await;
        }
        Ok(BarsOutcome {
            has_room: true,
            bonds,
        })
    }

    /// The bars of the body before it breaks.
    fn all(&self, solid: &Solid) -> Arc<PieceBars> {
        let laid_in = || PieceBars {
            bars: lay_in(solid, self.figures),
            blows: Vec::new(),
        };
        let of_piece = self.of_piece.clone();
        of_piece.unwrap_or_else(|| Arc::new(laid_in()))
    }

    /// The pieces that bars hold together.
    fn bonds(
        &self,
        bars: &[Bar],
        lengths: &[Vec<EmbeddedLength>],
        pieces: &[BarredPiece],
        by: PartedBy,
    ) -> Vec<BarBond> {
        let mut between: BTreeMap<[usize; 2], BarsBetween> = BTreeMap::new();
        for (bar, lengths) in bars.iter().zip(lengths) {
            for pair in bar.crossings(lengths, &self.figures) {
                let [first, second] = pair.map(|own| own.piece);
                let is_held = |piece: usize| pieces.get(piece).is_some_and(|own| own.is_held);
                let are_held = is_held(first) && is_held(second);
                if !are_held && !self.is_torn(bar, &pair, by) {
                    let key = [first.min(second), first.max(second)];
                    let bars = between.entry(key).or_default();
                    bars.add(bar, pair.map(|own| own.ends), first < second);
                }
            }
        }
        let mut bonds = Vec::new();
        for (numbers, bars) in between {
            if let [Some(first), Some(second)] = numbers.map(|number| pieces.get(number)) {
                bonds.extend(bars.bond([first, second], &self.figures));
            }
        }
        bonds
    }

    /// Whether the blow tears a bar between two pieces.
    fn is_torn(&self, bar: &Bar, [first, second]: &[EmbeddedLength; 2], by: PartedBy) -> bool {
        let span = BareSpan {
            ends: [first.ends[1], second.ends[0]],
            is_held: [true; 2],
        };
        match by {
            PartedBy::Blow(blow) => blow.tears(bar, &span, &self.figures),
            PartedBy::Blade => true,
            PartedBy::Weight => false,
        }
    }

    /// The bars that a piece keeps of one. A blade leaves what is in the piece.
    fn kept_of(
        &self,
        bar: &Bar,
        piece: usize,
        lengths: &[EmbeddedLength],
        by: PartedBy,
        parting: impl Fn(&[EmbeddedLength; 2]) -> Parting,
    ) -> Vec<Bar> {
        match by {
            PartedBy::Blade => {
                let own = lengths.iter().filter(|length| length.piece == piece);
                own.map(|length| bar.part(length.ends)).collect()
            }
            _ => bar.kept(piece, lengths, &self.figures, parting),
        }
    }

    fn torn(&self, bars: Vec<Bar>, solid: &Solid, blow: &BarBlow) -> Vec<Bar> {
        let torn = bars.into_iter().flat_map(|bar| {
            let spans = bar.bare_spans(&bar.parts_in(solid), self.figures.least_grip());
            bar.torn(&spans, &self.figures, blow)
        });
        torn.collect()
    }
}

/// The blows that bars have got after a break, given those before.
fn blows_after(before: &[BarBlow], by: PartedBy) -> Vec<BarBlow> {
    let mut blows = before.to_vec();
    if let PartedBy::Blow(blow) = by {
        blows.push(blow);
        blows.drain(..blows.len().saturating_sub(MAX_BLOWS));
    }
    blows
}
