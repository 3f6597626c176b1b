//! Which lengths of a bar a piece keeps in a break, and where a blow tears them.

use super::{Bar, BarBlow, BarFigures, BareSpan};

/// Least and most length by which a bar is pulled out of a part that falls, in diameters: an estimate.
const PULLED_OUT: [f64; 2] = [6.0, 24.0];

/// Surroundings of a length of a bar after a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surroundings {
    /// The piece whose bars are looked for.
    Own,
    /// Another piece that is held.
    Held,
    /// A part that comes off as a whole.
    Falling,
}

impl Bar {
    /// The lengths that a piece keeps of the bar, in metres from its start: what is in the piece, and the bare lengths
    /// next to that. `parts` are the lengths that are in pieces; what is in none, or in too little of one to be held
    /// there, is bare. Of a bare length between two pieces that are held each has its half; a part that falls takes along
    /// what is in it, but for an end that is pulled out.
    pub fn kept(&self, parts: &[(Surroundings, [f64; 2])], figures: &BarFigures) -> Vec<[f64; 2]> {
        let grips =
            |(_, [low, high]): &&(Surroundings, [f64; 2])| high - low >= figures.least_grip();
        let mut parts: Vec<_> = parts.iter().filter(grips).copied().collect();
        parts.sort_by(|a, b| a.1[0].total_cmp(&b.1[0]));
        let mut kept: Vec<[f64; 2]> = Vec::new();
        let mut before: Option<(Surroundings, [f64; 2])> = None;
        for (around, part) in parts {
            match (before, around) {
                (None, Surroundings::Own) => kept.push([0.0, part[1]]),
                (Some((Surroundings::Own, _)), Surroundings::Own) => {
                    end_last(&mut kept, part[1]);
                }
                (Some((other, there)), Surroundings::Own) => {
                    let from = match other {
                        Surroundings::Held => 0.5 * (there[1] + part[0]),
                        _ => (part[0] - self.pulled_out(part[0], figures)).max(there[0]),
                    };
                    kept.push([from, part[1]]);
                }
                (Some((Surroundings::Own, own)), other) => {
                    let to = match other {
                        Surroundings::Held => 0.5 * (own[1] + part[0]),
                        _ => (own[1] + self.pulled_out(own[1], figures)).min(part[1]),
                    };
                    end_last(&mut kept, to);
                }
                _ => {}
            }
            before = Some((around, part));
        }
        if let Some((Surroundings::Own, _)) = before {
            end_last(&mut kept, self.length());
        }
        kept
    }

    /// How long the end is that is pulled out of a part that falls, metres: it differs from bar to bar.
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
