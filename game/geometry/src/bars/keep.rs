//! Which lengths of a bar a piece keeps in a break, and where a blow tears them.

use super::{Bar, BarBlow, BarFigures, BareSpan};

/// Least and most length by which a bar is pulled out of a piece, in diameters: an estimate.
const PULLED_OUT: [f64; 2] = [6.0, 24.0];

/// A length of a bar in a piece after a break.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmbeddedLength {
    /// The piece, by a number of the caller's.
    pub piece: usize,
    /// Where it begins and ends, metres from the bar's start.
    pub ends: [f64; 2],
}

impl EmbeddedLength {
    /// Length, metres.
    pub fn length(&self) -> f64 {
        self.ends[1] - self.ends[0]
    }

    fn middle(&self) -> f64 {
        0.5 * (self.ends[0] + self.ends[1])
    }
}

/// The way in which a bar parts between two pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parting {
    /// It goes on: what is bare between the two is kept by the one that comes first along the bar.
    None,
    /// It is pulled out of the first, as far as the middle of that at most.
    InFirst,
    /// It is pulled out of the second.
    InSecond,
}

impl Bar {
    /// The lengths that hold the bar, in order: in others there is too little of it.
    fn holding(lengths: &[EmbeddedLength], figures: &BarFigures) -> Vec<EmbeddedLength> {
        let holds = |own: &&EmbeddedLength| own.length() >= figures.least_grip();
        let mut holding: Vec<_> = lengths.iter().filter(holds).copied().collect();
        holding.sort_by(|a, b| a.ends[0].total_cmp(&b.ends[0]));
        holding
    }

    /// Where the bar goes from one piece to another, by the lengths on either side, of those that are in pieces.
    pub fn crossings(
        &self,
        lengths: &[EmbeddedLength],
        figures: &BarFigures,
    ) -> Vec<[EmbeddedLength; 2]> {
        let holding = Self::holding(lengths, figures);
        let neighbors = holding.windows(2).filter_map(|two| two.try_into().ok());
        neighbors
            .filter(|[a, b]: &[EmbeddedLength; 2]| a.piece != b.piece)
            .collect()
    }

    /// The bars that a piece keeps of the bar: what is in the piece, and the bare lengths next to that. `lengths` are those
    /// that are in pieces; what is in none, or in too little of one to be held there, is bare. Where the bar goes from one
    /// piece to another, each keeps its side of the place where it parts.
    pub fn kept(
        &self,
        piece: usize,
        lengths: &[EmbeddedLength],
        figures: &BarFigures,
        parting: impl Fn(&[EmbeddedLength; 2]) -> Parting,
    ) -> Vec<Self> {
        let mut kept: Vec<Self> = Vec::new();
        if lengths.iter().all(|own| own.piece != piece) {
            return kept; // the common case
        }
        let mut before: Option<EmbeddedLength> = None;
        for own in Self::holding(lengths, figures) {
            let is_own = own.piece == piece;
            match before {
                Some(before) if (before.piece == piece) != is_own => {
                    let pair = [before, own];
                    let parting = parting(&pair);
                    let place = self.place_of_parting(&pair, parting, figures);
                    if is_own {
                        kept.push(self.part([place, self.length()]));
                    } else if let Some(last) = kept.last_mut() {
                        last.end = self.place(place);
                        last.is_end_held = parting == Parting::None;
                    }
                }
                None if is_own => kept.push(*self),
                _ => {}
            }
            before = Some(own);
        }
        kept.retain(|bar| bar.length() > 0.0);
        kept
    }

    /// Where the bar parts, metres from its start.
    fn place_of_parting(
        &self,
        [first, second]: &[EmbeddedLength; 2],
        parting: Parting,
        figures: &BarFigures,
    ) -> f64 {
        let [end, start] = [first.ends[1], second.ends[0]];
        match parting {
            Parting::None => start,
            Parting::InFirst => (start - self.pulled_out(start, figures)).max(first.middle()),
            Parting::InSecond => (end + self.pulled_out(end, figures)).min(second.middle()),
        }
    }

    /// How long the end is that is pulled out of a piece, metres: it differs from bar to bar.
    fn pulled_out(&self, at: f64, figures: &BarFigures) -> f64 {
        let place = self.place(at);
        let share = (97.31 * place.x + 57.17 * place.y + 83.47 * place.z).rem_euclid(1.0);
        let [least, most] = PULLED_OUT;
        figures.diameter * (least + share * (most - least))
    }

    /// The bars that the bar becomes by a blow: those of its bare lengths are torn which are held at both ends and get
    /// more energy than they take.
    pub fn torn(&self, spans: &[BareSpan], figures: &BarFigures, blow: &BarBlow) -> Vec<Self> {
        let tears = |span: &&BareSpan| blow.tears(self, span, figures);
        let mut bars = Vec::new();
        let mut from = 0.0;
        for span in spans.iter().filter(tears) {
            let place = blow.nearest(self, span);
            // As far apart as the steel is thick: two ends are seen.
            let half_gap = (0.5 * figures.diameter).min(0.25 * span.length());
            bars.push(self.part([from, place - half_gap]));
            from = place + half_gap;
        }
        bars.push(self.part([from, self.length()]));
        bars
    }
}
