//! The account of energy and momentum of a run: nothing comes out of nothing, and what breaks take is really gone.
//!
//! The mechanical energy of a scene rises only by what actions bring, and falls by what each break says that cracks and
//! heat have taken, if by nothing else. The energy and the momentum of a blow are those of the pieces, of the striker and of
//! the cracks together.

use super::action::Action;
use fracture::{BreakCause, Event};
use fyrox::{
    core::algebra::Vector3,
    graph::SceneGraph,
    scene::{
        rigidbody::{RigidBody, RigidBodyType},
        Scene,
    },
};
use serde::Serialize;
use std::collections::VecDeque;

/// Frames after which nothing of an impact is outstanding: the engine stops a striker, and a few frames later the
/// break gives back what it has not absorbed.
const WINDOW: usize = 5;

/// Part of all energy that was brought or set free by a fall, or of a blow's energy or momentum, which may come out of
/// nothing, by rounding and by bodies that the solver lifts out of each other.
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
    /// As much as the scene's energy changes in the next frame.
    InNextFrame,
}

impl Brought {
    /// The energy that an action will bring, or brings in a scene.
    pub fn by(action: &Action, scene: Option<&Scene>) -> Self {
        let body = |name: &str| {
            let graph = &scene?.graph;
            let (node, _) = graph.find_by_name_from_root(name)?;
            graph.try_get_of_type::<RigidBody>(node).ok()
        };
        match action {
            Action::Impact(impact) | Action::Message(impact) => Self::AtMost(impact.energy.into()),
            Action::Shoot { energy, .. } | Action::Explosion { energy, .. } => {
                Self::AtMost((*energy).into())
            }
            Action::Throw { .. }
            | Action::Cut { .. }
            | Action::Shove { .. }
            | Action::Pace { .. } => Self::AtOnce,
            // The engine applies it in its next step.
            Action::Push { node, impulse } => {
                Self::AtMost(body(node).map_or(0.0, |body| push_energy(body, impulse.0)))
            }
            Action::Drive { node, .. } => match body(node).map(RigidBody::body_type) {
                Some(RigidBodyType::Dynamic) => Self::AtOnce,
                // What moves by hand works on what it touches.
                _ => Self::InNextFrame,
            },
            // Bodies that come and go, or are put elsewhere, as the module notices in the next frame.
            Action::Move { .. }
            | Action::Remove { .. }
            | Action::RestoreIntact { .. }
            | Action::SaveAndLoad
            | Action::CloseScene => Self::InNextFrame,
        }
    }
}

/// The energy that an impulse (N s) at the centre of a rigid body gives it, J: at most, because colliders may add mass.
fn push_energy(body: &RigidBody, impulse: Vector3<f32>) -> f64 {
    let change = impulse / body.mass().max(f32::MIN_POSITIVE);
    f64::from(impulse.dot(&(body.lin_vel() + 0.5 * change)))
}

/// The energy of a run, J.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct EnergyTotals {
    /// Energy that actions have brought, at most: some blows break nothing.
    pub brought: f64,
    /// Energy of all blows that have broken something.
    pub blows: f64,
    /// The part of these that the pieces got.
    pub pieces: f64,
    /// The part that strikers kept.
    pub strikers: f64,
    /// The part that became cracks and heat.
    pub absorbed: f64,
    /// Energy that has gone from the motions and the heights of all bodies, by breaks and in contacts.
    pub gone: f64,
}

/// Energy of a scene after a frame.
struct Entry {
    /// J
    energy: f64,
    /// Energy that was brought after the frame, less that which breaks have absorbed since, J.
    brought: f64,
}

/// Energy of a scene, frame by frame.
#[derive(Default)]
pub struct EnergyAccount {
    /// Oldest first.
    recent: VecDeque<Entry>,
    /// Whether the change in the next frame is what an action brings.
    is_open: bool,
    totals: EnergyTotals,
    /// Energy and momentum that came out of nothing, in words.
    pub excesses: Vec<String>,
}

impl EnergyAccount {
    /// The sums since the start.
    pub fn totals(&self) -> EnergyTotals {
        self.totals
    }

    /// Adds energy that an action brings, J.
    pub fn bring(&mut self, energy: f64) {
        // An impact with an odd energy is refused.
        let energy = if energy.is_finite() { energy } else { 0.0 };
        if let Some(entry) = self.recent.back_mut() {
            entry.brought += energy;
            self.totals.brought += energy.max(0.0);
        }
    }

    /// Takes the change in the next frame as what an action brings.
    pub fn open(&mut self) {
        self.is_open = true;
    }

    /// All energy that was brought or that has gone, J.
    fn turnover(&self) -> f64 {
        self.totals.brought + self.totals.gone
    }

    /// Adds the energy after a frame, J, in which breaks told some events.
    pub fn add<'a>(&mut self, frame: u32, energy: f64, events: impl Iterator<Item = &'a Event>) {
        let blows: Vec<Blow> = events.filter_map(Blow::new).collect();
        self.add_blows(frame, energy, &blows);
    }

    fn add_blows(&mut self, frame: u32, energy: f64, blows: &[Blow]) {
        for blow in blows {
            self.check(frame, blow);
        }
        let mut on_its_way = 0.0;
        if std::mem::take(&mut self.is_open) {
            if let Some(last) = self.recent.back() {
                self.totals.brought += (energy - last.energy).max(0.0);
            }
            // The pieces of a blow get its energy in a later frame.
            let brought = self.recent.drain(..).map(|entry| entry.brought);
            on_its_way = brought.sum::<f64>().max(0.0);
        }
        let absorbed: f64 = blows.iter().map(Blow::absorbed).sum();
        if let Some(last) = self.recent.back_mut() {
            last.brought -= absorbed;
            self.totals.gone += (last.energy - energy).max(0.0);
        }
        if let Some(allowed) = self.allowed() {
            let excess = energy - allowed;
            let turnover = self.turnover();
            if excess > MIN_EXCESS.max(TOLERANCE * turnover) {
                self.excesses.push(format!(
                    "frame {frame}: {excess:.1} J come out of nothing, of {turnover:.1} J in all"
                ));
            }
        }
        self.recent.push_back(Entry {
            energy,
            brought: on_its_way,
        });
        if self.recent.len() > WINDOW {
            self.recent.pop_front();
        }
    }

    /// The most energy that there may be now, J; `None` at the start.
    fn allowed(&self) -> Option<f64> {
        let mut brought = 0.0;
        let entries = self.recent.iter().rev().map(|entry| {
            brought += entry.brought;
            entry.energy + brought
        });
        entries.reduce(f64::max)
    }

    /// Checks what a break has given its pieces and its striker.
    fn check(&mut self, frame: u32, blow: &Blow) {
        self.totals.blows += blow.energy;
        self.totals.pieces += blow.pieces;
        self.totals.strikers += blow.kept_energy;
        self.totals.absorbed += blow.absorbed();
        for fault in blow.faults() {
            let name = &blow.name;
            self.excesses
                .push(format!("frame {frame}: \"{name}\" {fault}"));
        }
    }
}

/// An impact that has broken something, and what came of it.
#[derive(Clone, Debug, Default)]
struct Blow {
    name: String,
    /// J; 0 when unknown.
    energy: f64,
    /// The energy that the pieces got, J.
    pieces: f64,
    /// The energy that the striker kept, J.
    kept_energy: f64,
    /// The impulse that the striker did not keep, N s.
    impulse: Vector3<f32>,
    /// The momentum that the pieces got, N s.
    momentum: Vector3<f32>,
    /// The angular momentum about the point of the impact that the pieces got, N m s.
    angular_momentum: Vector3<f32>,
    /// Radius of the break, metres.
    radius: f32,
    /// Whether a piece is held, and may have taken momentum away.
    is_held: bool,
}

impl Blow {
    /// The blow of a break; `None` for any other event.
    fn new(event: &Event) -> Option<Self> {
        let Event::Broken {
            name,
            cause: BreakCause::Impact,
            energy,
            radius,
            pieces,
            diagnostics,
            ..
        } = event
        else {
            return None;
        };
        Some(Self {
            name: name.clone(),
            energy: f64::from(*energy),
            pieces: diagnostics.energy_gain,
            kept_energy: diagnostics.kept_energy.into(),
            impulse: diagnostics.impulse - diagnostics.kept_impulse,
            momentum: diagnostics.momentum_gain,
            angular_momentum: diagnostics.angular_momentum_gain,
            radius: *radius,
            is_held: pieces.iter().any(|piece| piece.anchored),
        })
    }

    /// The energy that is in nothing that moves any more, J.
    fn absorbed(&self) -> f64 {
        // The energy of an impact may be unknown.
        (self.energy - self.kept_energy - self.pieces).max(0.0)
    }

    /// The faults of a break, in words.
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let tolerance = TOLERANCE as f32;
        let mut check = |what: &str, unit: &str, gain: f64, most: f64| {
            if gain > most {
                faults.push(format!("{what} {gain:.2} {unit}, of {most:.2} {unit}"));
            }
        };
        if self.energy > 0.0 {
            let most = (1.0 + TOLERANCE) * self.energy;
            let pieces = self.pieces + self.kept_energy;
            check("gives pieces and striker", "J", pieces, most);
        }
        let impulse = self.impulse.norm();
        let most = (1.0 + tolerance) * impulse + f32::EPSILON;
        check(
            "gives its pieces",
            "N s",
            self.momentum.norm().into(),
            most.into(),
        );
        if !self.is_held {
            // What is free takes a part of the impulse, or has it already.
            let along = self.impulse.try_normalize(0.0).unwrap_or_default();
            let aside = self.momentum - along * self.momentum.dot(&along).max(0.0);
            let most = tolerance * impulse + f32::EPSILON;
            check(
                "drives its pieces aside with",
                "N s",
                aside.norm().into(),
                most.into(),
            );
            let turn = self.angular_momentum.norm();
            check(
                "turns its pieces by",
                "N m s",
                turn.into(),
                (most * self.radius).into(),
            );
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A blow of 100 J and 20 N s on a free body, of which the pieces get 30 J and the striker keeps 20.
    fn blow() -> Blow {
        Blow {
            name: "Statue".to_owned(),
            energy: 100.0,
            pieces: 30.0,
            kept_energy: 20.0,
            impulse: Vector3::x() * 20.0,
            momentum: Vector3::x() * 15.0,
            radius: 0.5,
            ..Blow::default()
        }
    }

    /// The excesses of a run with these energies, J, and with a blow in its last frame.
    fn excesses(energies: &[f64], blow: Option<Blow>) -> Vec<String> {
        let mut account = EnergyAccount::default();
        let last = energies.len() - 1;
        for (frame, energy) in energies.iter().enumerate() {
            let blows: Vec<_> = blow.iter().filter(|_| frame == last).cloned().collect();
            account.add_blows(frame as u32, *energy, &blows);
        }
        account.excesses
    }

    #[test]
    fn what_a_break_has_absorbed_is_gone() {
        // A ball of 100 J is stopped by the engine; then 50 J are given back.
        assert_eq!(excesses(&[200.0, 100.0, 150.0], Some(blow())), [""; 0]);
        // The ball has lost nothing, as if it had not been stopped.
        assert_eq!(excesses(&[200.0, 200.0, 200.0], Some(blow())).len(), 1);
        // More comes back than the break tells.
        assert_eq!(excesses(&[200.0, 100.0, 170.0], Some(blow())).len(), 1);
    }

    #[test]
    fn energy_rises_by_what_actions_bring_only() {
        let mut account = EnergyAccount::default();
        account.add_blows(0, 1000.0, &[]);
        account.bring(300.0);
        account.add_blows(1, 1300.0, &[]);
        account.bring(-500.0);
        account.add_blows(2, 800.0, &[]);
        assert_eq!(account.excesses, [""; 0]);
        assert_eq!(account.totals().brought, 300.0);
        for frame in 3..9 {
            account.add_blows(frame, 800.0, &[]);
        }
        account.add_blows(9, 850.0, &[]);
        assert_eq!(account.excesses.len(), 1);
        // A body is put elsewhere, and moves on its own from then on.
        account.open();
        account.add_blows(10, 2000.0, &[]);
        assert_eq!(account.excesses.len(), 1);
        account.add_blows(11, 2100.0, &[]);
        assert_eq!(account.excesses.len(), 2);
        // A blow breaks something in the frame after the one in which a body is put elsewhere.
        account.bring(60.0);
        account.open();
        account.add_blows(12, 3000.0, &[]);
        account.add_blows(13, 3060.0, &[]);
        assert_eq!(account.excesses.len(), 2);
        account.add_blows(14, 3160.0, &[]);
        assert_eq!(account.excesses.len(), 3);
    }

    #[test]
    fn a_break_that_gives_more_than_its_blow_had_is_told() {
        let x = Vector3::x();
        for (fault, free, held) in [
            (blow(), 0, 0),
            (
                Blow {
                    pieces: 82.0,
                    ..blow()
                },
                1,
                1,
            ),
            (
                Blow {
                    kept_energy: 72.0,
                    ..blow()
                },
                1,
                1,
            ),
            (
                Blow {
                    momentum: x * 20.3,
                    ..blow()
                },
                1,
                1,
            ),
            // A body that has the impulse in its velocity already.
            (
                Blow {
                    momentum: x * 0.0,
                    ..blow()
                },
                0,
                0,
            ),
            (
                Blow {
                    momentum: x * -1.0,
                    ..blow()
                },
                1,
                0,
            ),
            (
                Blow {
                    momentum: Vector3::new(15.0, 0.3, 0.0),
                    ..blow()
                },
                1,
                0,
            ),
            (
                Blow {
                    angular_momentum: x * 0.2,
                    ..blow()
                },
                1,
                0,
            ),
        ] {
            for (is_held, expected) in [(false, free), (true, held)] {
                let blow = Blow {
                    is_held,
                    ..fault.clone()
                };
                assert_eq!(blow.faults().len(), expected, "{blow:?}");
            }
        }
    }
}
