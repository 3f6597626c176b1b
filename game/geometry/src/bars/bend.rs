//! Bending of bare bars by blows: by the rules of plastic hinges, without the elastic part.

use super::{Bar, BarFigures, BareSpan};
use glam::DVec3;
use std::f64::consts::{FRAC_PI_4, PI};

/// Strain at which a bar tears: the least that ductile steel (class B) has at its highest force (EN 1992-1-1, Annex C).
const RUPTURE_STRAIN: f64 = 0.05;
/// Angle by which a bar that is held at one end bends at most, radians.
const MOST_TURN: f64 = 1.2;
/// Straight parts in which a bent bar is drawn.
const STEPS: u32 = 12;
/// Least shares of a span on either side of the place that is pushed farthest.
const LEAST_SIDE: f64 = 0.2;
/// How often a bend is halved that would be inside of what is held, before there is none.
const HALVINGS: u32 = 4;

/// A blow that bars have got, in the frame of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarBlow {
    /// Where it struck.
    pub point: DVec3,
    /// Unit vector along which it pushes.
    pub direction: DVec3,
    /// Radius of the break, metres, above 0.
    pub radius: f64,
    /// Energy, J.
    pub energy: f64,
}

/// The bends that blows have left in bars.
#[derive(Clone, Copy, Debug)]
pub struct Bending<'a> {
    /// The bars' sizes and steel.
    pub figures: &'a BarFigures,
    /// The blows that they have got.
    pub blows: &'a [BarBlow],
}

impl BarFigures {
    /// Tension at which a bar flows, N.
    fn tension(&self) -> f64 {
        self.section() * self.yield_strength
    }

    /// Moment at which a bar becomes a hinge, N m.
    fn plastic_moment(&self) -> f64 {
        self.diameter * self.diameter * self.diameter / 6.0 * self.yield_strength
    }

    /// Area of a section, m^2.
    pub fn section(&self) -> f64 {
        FRAC_PI_4 * self.diameter * self.diameter
    }

    /// Force across a bar at which it gives way between two pieces, N: it is sheared off, or where a length in metres is bare
    /// it bends at two hinges.
    pub fn transverse_strength(&self, bare: f64) -> f64 {
        let sheared = self.tension() / 3.0f64.sqrt();
        sheared.min(2.0 * self.plastic_moment() / bare.max(0.0))
    }

    /// How far a span that is held at both ends is pushed out by an energy, metres: it bends at three hinges, and gets
    /// longer.
    fn pushed_out(&self, length: f64, energy: f64) -> f64 {
        let (tension, moment) = (self.tension(), self.plastic_moment());
        let root = (64.0 * moment * moment + 8.0 * tension * energy * length).sqrt();
        let pushed = (root - 8.0 * moment) / (4.0 * tension);
        pushed.min((0.5 * RUPTURE_STRAIN).sqrt() * length)
    }
}

impl BarBlow {
    /// Whether all figures are in their ranges, as those of a save may not be.
    pub fn is_valid(&self) -> bool {
        let is_sized = self.radius > 0.0 && self.radius.is_finite();
        let has_energy = self.energy >= 0.0 && self.energy.is_finite();
        self.point.is_finite() && self.direction.is_normalized() && is_sized && has_energy
    }

    /// The place of a span that is nearest to the blow, but for its ends; metres from the bar's start.
    pub(super) fn nearest(&self, bar: &Bar, span: &BareSpan) -> f64 {
        let along = self.point[bar.axis] - bar.start[bar.axis];
        let edge = LEAST_SIDE * span.length();
        along.max(span.ends[0] + edge).min(span.ends[1] - edge)
    }

    /// Energy that a span gets, J: its share of the area that is struck.
    fn share(&self, bar: &Bar, span: &BareSpan, diameter: f64) -> f64 {
        let along = self.point[bar.axis] - bar.start[bar.axis];
        let off = self.point.distance(bar.place(along));
        let half = (self.radius * self.radius - off * off).max(0.0).sqrt();
        let chord = (along + half).min(span.ends[1]) - (along - half).max(span.ends[0]);
        self.energy * diameter * chord.max(0.0) / (PI * self.radius * self.radius)
    }

    /// Whether a span tears: it is held at both ends, and cannot take up its share by getting longer.
    pub fn tears(&self, bar: &Bar, span: &BareSpan, figures: &BarFigures) -> bool {
        let most = figures.tension() * RUPTURE_STRAIN * span.length();
        span.is_held == [true, true] && self.share(bar, span, figures.diameter) > most
    }

    /// The direction across a bar in which it is pushed; none where it is struck along its axis.
    fn across(&self, bar: &Bar) -> DVec3 {
        let mut across = self.direction;
        across[bar.axis] = 0.0;
        across
    }
}

impl Bending<'_> {
    /// The middle line of a span that blows have bent, from the lesser coordinate on. It does not bend to where
    /// `is_inside` says that there is concrete.
    pub fn line(
        &self,
        bar: &Bar,
        span: &BareSpan,
        is_inside: impl Fn(DVec3) -> bool,
    ) -> Vec<DVec3> {
        let straight = || span.ends.map(|at| bar.place(at)).to_vec();
        let mut factor = 1.0;
        for _ in 0..=HALVINGS {
            let line = match span.is_held {
                [true, true] => self.between(bar, span, factor),
                _ => self.cantilever(bar, span, factor),
            };
            let Some(line) = line else { break };
            let mut inner = line.iter().skip(2).take(line.len().saturating_sub(4));
            if !inner.any(|place| is_inside(*place)) {
                return line;
            }
            factor *= 0.5;
        }
        straight()
    }

    /// A span that is held at both ends; `None` if it is straight.
    fn between(&self, bar: &Bar, span: &BareSpan, factor: f64) -> Option<Vec<DVec3>> {
        let most = (0.5 * RUPTURE_STRAIN).sqrt() * span.length();
        let pushes = self.blows.iter().filter_map(|blow| {
            let energy = blow.share(bar, span, self.figures.diameter);
            let push = self.figures.pushed_out(span.length(), energy) * blow.across(bar);
            (push != DVec3::ZERO).then(|| (blow.nearest(bar, span), push))
        });
        let pushes: Vec<(f64, DVec3)> = pushes.collect();
        if pushes.is_empty() {
            return None;
        }
        let place = |k: u32| {
            let at = span.ends[0] + span.length() * f64::from(k) / f64::from(STEPS);
            let pushed = pushes.iter().map(|(peak, push)| {
                let side = if at <= *peak {
                    span.ends[0]
                } else {
                    span.ends[1]
                };
                let rise = (at - side) / (peak - side);
                *push * (rise * rise * (3.0 - 2.0 * rise))
            });
            let pushed: DVec3 = pushed.sum();
            bar.place(at) + factor * pushed.clamp_length_max(most)
        };
        Some((0..=STEPS).map(place).collect())
    }

    /// A span that is held at one end, which becomes an arc of its length; `None` if it is straight.
    fn cantilever(&self, bar: &Bar, span: &BareSpan, factor: f64) -> Option<Vec<DVec3>> {
        let turns = self.blows.iter().map(|blow| {
            let energy = blow.share(bar, span, self.figures.diameter);
            energy / self.figures.plastic_moment() * blow.across(bar)
        });
        let turn: DVec3 = turns.sum();
        let (across, turn) = (turn.try_normalize()?, factor * turn.length().min(MOST_TURN));
        let is_first_held = span.is_held[0];
        let [root, away] = if is_first_held {
            [span.ends[0], 1.0]
        } else {
            [span.ends[1], -1.0]
        };
        let (root, along) = (bar.place(root), away * DVec3::AXES[bar.axis]);
        let radius = span.length() / turn;
        let place = |k: u32| {
            let (sine, cosine) = libm::sincos(turn * f64::from(k) / f64::from(STEPS));
            root + radius * (sine * along + (1.0 - cosine) * across)
        };
        let mut line: Vec<DVec3> = (0..=STEPS).map(place).collect();
        if !is_first_held {
            line.reverse();
        }
        Some(line)
    }
}
