//! Which lengths of a bar a piece keeps in a break, and where a blow tears them.

use super::{Bar, BarBlow, BarFigures, BareSpan};

/// Least and most length by which a bar is pulled out of a piece, in diameters: an estimate.
const PULLED_OUT: [f64; 2] = [6.0, 24.0];

/// A length of a bar in a piece after a break.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmbeddedLength {
    /// Where it begins and ends, metres from the bar's start.
    pub ends: [f64; 2],
    /// Whether it is in the piece whose bars are looked for.
    pub is_own: bool,
    /// Whether that piece is held, so that it keeps its bars against one that is not.
    pub is_held: bool,
}

impl EmbeddedLength {
    fn length(&self) -> f64 {
        self.ends[1] - self.ends[0]
    }

    fn middle(&self) -> f64 {
        0.5 * (self.ends[0] + self.ends[1])
    }
}

impl Bar {
    /// The lengths that a piece keeps of the bar, in metres from its start: what is in the piece, and the bare lengths
    /// next to that. `parts` are the lengths that are in pieces; what is in none, or in too little of one to be held
    /// there, is bare. Where a bar goes from a piece to another, each keeps its side of one place.
    pub fn kept(&self, parts: &[EmbeddedLength], figures: &BarFigures) -> Vec<[f64; 2]> {
        let grips = |part: &&EmbeddedLength| part.length() >= figures.least_grip();
        let mut parts: Vec<_> = parts.iter().filter(grips).collect();
        parts.sort_by(|a, b| a.ends[0].total_cmp(&b.ends[0]));
        let mut kept: Vec<[f64; 2]> = Vec::new();
        let mut before: Option<&EmbeddedLength> = None;
        for part in parts {
            match before {
                Some(before) if before.is_own != part.is_own => {
                    let place = self.parting(before, part, figures);
                    if part.is_own {
                        kept.push([place, self.length()]);
                    } else {
                        end_last(&mut kept, place);
                    }
                }
                None if part.is_own => kept.push([0.0, self.length()]),
                _ => {}
            }
            before = Some(part);
        }
        kept.retain(|[from, to]| from < to);
        kept
    }

    /// Where the bar parts between two pieces, metres from its start: in the middle between two that are held; else it is
    /// pulled out of the one that is not held, of two of which neither is, of the one in which there is less of it; as far
    /// as the middle of that at most.
    fn parting(
        &self,
        before: &EmbeddedLength,
        after: &EmbeddedLength,
        figures: &BarFigures,
    ) -> f64 {
        let is_pulled_out_of_after = match (before.is_held, after.is_held) {
            (true, true) => return 0.5 * (before.ends[1] + after.ends[0]),
            (false, false) => before.length() >= after.length(),
            (is_before_held, _) => is_before_held,
        };
        if is_pulled_out_of_after {
            let from = before.ends[1];
            (from + self.pulled_out(from, figures)).min(after.middle())
        } else {
            let from = after.ends[0];
            (from - self.pulled_out(from, figures)).max(before.middle())
        }
    }

    /// How long the end is that is pulled out of a piece, metres: it differs from bar to bar.
    fn pulled_out(&self, at: f64, figures: &BarFigures) -> f64 {
        let place = self.place(at);
        let share = (97.31 * place.x + 57.17 * place.y + 83.47 * place.z).rem_euclid(1.0);
        let [least, most] = PULLED_OUT;
        figures.diameter * (least + share * (most - least))
    }

    /// A length of the bar, as a bar of its own.
    pub fn part(&self, [from, to]: [f64; 2]) -> Self {
        Self {
            start: self.place(from),
            end: self.place(to),
            axis: self.axis,
        }
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

/// Has the last of some lengths end elsewhere.
fn end_last(lengths: &mut [[f64; 2]], end: f64) {
    if let Some(last) = lengths.last_mut() {
        last[1] = end;
    }
}
