//! The energy account of a run: nothing comes out of nothing.
//!
//! The mechanical energy of a scene rises only by what actions bring, and a break gives its pieces no more energy
//! and momentum than its impact had.

use super::action::Action;
use fracture::{BreakCause, Event};
use std::collections::VecDeque;

/// Frames after which nothing of an impact is outstanding: the engine stops a striker, and a few frames later the
/// break gives back what it has not absorbed.
const WINDOW: usize = 5;

/// Part of all energy that was brought or set free by a fall which may come out of nothing, by rounding and by
/// bodies that the solver lifts out of each other.
const TOLERANCE: f64 = 0.01;

/// Energy below which nothing is reported, J.
const MIN_EXCESS: f64 = 5.0;

/// Energy that an action brings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Brought {
    /// So much at most, J.
    AtMost(f64),
    /// As much as the scene's energy rises by it, at once.
    AtOnce,
    /// An unknown energy: the account begins anew.
    Unknown,
}

impl Brought {
    /// The energy that an action brings.
    pub fn by(action: &Action) -> Self {
        match action {
            Action::Impact(impact) | Action::Message(impact) => Self::AtMost(impact.energy.into()),
            Action::Shoot { energy, .. } | Action::Explosion { energy, .. } => {
                Self::AtMost((*energy).into())
            }
            Action::Throw { .. } | Action::Cut { .. } => Self::AtOnce,
            _ => Self::Unknown,
        }
    }
}

/// Energy of a scene after a frame.
struct Entry {
    /// J
    energy: f64,
    /// Energy that was brought after the frame, J.
    brought: f64,
}

/// Energy of a scene, frame by frame.
#[derive(Default)]
pub struct EnergyAccount {
    /// Oldest first.
    recent: VecDeque<Entry>,
    /// All energy that was brought or that has gone since the account was begun, J.
    turnover: f64,
    /// Energy that came out of nothing, in words.
    pub excesses: Vec<String>,
}

impl EnergyAccount {
    /// Adds energy that an action brings, J.
    pub fn bring(&mut self, energy: f64) {
        // An impact with an odd energy is refused.
        let energy = if energy.is_finite() {
            energy.max(0.0)
        } else {
            0.0
        };
        if let Some(entry) = self.recent.back_mut() {
            entry.brought += energy;
            self.turnover += energy;
        }
    }

    /// Begins the account anew.
    pub fn reset(&mut self) {
        self.recent.clear();
        self.turnover = 0.0;
    }

    /// Adds the energy after a frame, J.
    pub fn add(&mut self, frame: u32, energy: f64) {
        let mut brought = 0.0;
        let mut allowed = f64::NEG_INFINITY;
        for entry in self.recent.iter().rev() {
            brought += entry.brought;
            allowed = allowed.max(entry.energy + brought);
        }
        if let Some(last) = self.recent.back() {
            self.turnover += (last.energy - energy).max(0.0);
            let excess = energy - allowed;
            if excess > MIN_EXCESS.max(TOLERANCE * self.turnover) {
                self.excesses.push(format!(
                    "frame {frame}: {excess:.1} J come out of nothing, of {:.1} J in all",
                    self.turnover
                ));
            }
        }
        self.recent.push_back(Entry {
            energy,
            brought: 0.0,
        });
        if self.recent.len() > WINDOW {
            self.recent.pop_front();
        }
    }

    /// Checks what a break has given its pieces.
    pub fn check(&mut self, frame: u32, event: &Event) {
        let Event::Broken {
            name,
            cause: BreakCause::Impact,
            energy,
            diagnostics,
            ..
        } = event
        else {
            return;
        };
        let impulse = diagnostics.impulse.norm();
        for (what, gain, most) in [
            ("J", diagnostics.energy_gain, f64::from(*energy)),
            (
                "N s",
                diagnostics.momentum_gain.norm().into(),
                impulse.into(),
            ),
        ] {
            // The energy of an impact may be unknown, and is 0 then.
            if most > 0.0 && gain > (1.0 + TOLERANCE) * most {
                self.excesses.push(format!(
                    "frame {frame}: \"{name}\" is broken by {most:.2} {what}, and its pieces get {gain:.2} {what}"
                ));
            }
        }
    }
}
