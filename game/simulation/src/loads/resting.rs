//! Forces on bodies over the last tenth of a second.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use glam::DVec3;

use super::body_force::BodyForce;
use super::islands::Hanging;
use super::landed::Landed;
use super::load_list::PlacedLoad;
use crate::debris::{BodyRef, ContactForce, Landings, Pressing};
use crate::types::BodyId;

/// Time over which a force is averaged, seconds: two frames of sixty in a second.
const INTERVAL: f32 = 0.033;

/// Intervals that a force has to last: a tenth of a second.
const INTERVALS: usize = 3;

/// The way in which a body loads another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LoadBy {
    Contact(BodyRef),
    /// With all that joints connect to it.
    Joints(BodyRef),
}

impl LoadBy {
    /// The body that loads.
    pub fn body(self) -> BodyRef {
        match self {
            Self::Contact(body) | Self::Joints(body) => body,
        }
    }
}

/// The force of one body on another over the last intervals.
#[derive(Default)]
struct RestingForce {
    /// Sum over the interval that is not over yet.
    current: BodyForce,
    /// Of that sum, seconds.
    time: f32,
    /// Means of the intervals before.
    last: [BodyForce; INTERVALS],
}

impl RestingForce {
    /// Takes the force in a step of `dt` seconds. Returns whether an interval has ended.
    fn take(&mut self, force: Option<&BodyForce>, dt: f32) -> bool {
        if let Some(force) = force {
            self.current.add(force, f64::from(dt));
        }
        self.time += dt;
        let is_over = self.time >= INTERVAL;
        if is_over {
            let mean = self.current.mean(self.time);
            self.last.rotate_left(1);
            if let Some(newest) = self.last.last_mut() {
                *newest = mean;
            }
            (self.current, self.time) = Default::default();
        }
        is_over
    }

    /// The force that has lasted.
    fn lasting(&self) -> BodyForce {
        let weight = |force: &&BodyForce| force.force.length_squared();
        let least = self
            .last
            .iter()
            .min_by(|a, b| weight(a).total_cmp(&weight(b)));
        least.copied().unwrap_or_default()
    }

    fn is_over(&self) -> bool {
        let intervals = self.last.iter().chain([&self.current]);
        intervals
            .into_iter()
            .all(|interval| interval.force == DVec3::ZERO)
    }
}

/// The word of a step on the force of one body on another.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Told {
    /// Nothing: it is told elsewhere.
    Elsewhere,
    /// It is as it was.
    Same,
    /// It is told, or there is none.
    Now,
}

/// Forces of a step, by the body on which they act and by their cause.
pub(crate) type StepForces = BTreeMap<(BodyRef, LoadBy), BodyForce>;

/// All loads of contacts and joints.
#[derive(Default)]
pub(crate) struct Loads {
    forces: BTreeMap<BodyRef, BTreeMap<LoadBy, RestingForce>>,
    /// Landings of bodies that the host moves.
    pub landings: Landings,
    /// Large bodies that have landed, oldest first.
    pub landed: VecDeque<Landed>,
    /// Contact forces that the host has told since the last step.
    pub told: Vec<ContactForce>,
    /// Bodies that hang on held ones by joints.
    pub hanging: Hanging,
    /// Bodies of which an interval has ended.
    changed: BTreeSet<BodyRef>,
    /// Loads with which the stress in bodies was solved last.
    noted: BTreeMap<BodyId, Vec<PlacedLoad>>,
}

impl Loads {
    /// Whether nothing rests or hangs anywhere.
    pub fn is_idle(&self) -> bool {
        self.forces.is_empty() && self.told.is_empty() && !self.hanging.has_joints
    }

    /// Takes the forces of a step of `dt` seconds; `told` says what it tells of each cause.
    pub fn take(&mut self, forces: &StepForces, dt: f32, told: impl Fn(LoadBy) -> Told) {
        for (on, by) in forces.keys() {
            let of_body = self.forces.entry(*on).or_default();
            of_body.entry(*by).or_default();
        }
        let changed = &mut self.changed;
        self.forces.retain(|on, of_body| {
            of_body.retain(|by, force| {
                let is_over = match told(*by) {
                    Told::Elsewhere => return true,
                    Told::Same => {
                        let last = force.last.last().copied();
                        force.take(last.as_ref(), dt)
                    }
                    Told::Now => force.take(forces.get(&(*on, *by)), dt),
                };
                if is_over {
                    changed.insert(*on);
                }
                !(is_over && force.is_over())
            });
            !of_body.is_empty()
        });
    }

    /// The lasting forces on a body.
    pub fn lasting(&self, on: BodyRef) -> impl Iterator<Item = (LoadBy, BodyForce)> + '_ {
        let of_body = self.forces.get(&on).into_iter().flatten();
        of_body.map(|(by, force)| (*by, force.lasting()))
    }

    /// Takes the bodies whose loads may have changed.
    pub fn take_changed(&mut self) -> BTreeSet<BodyRef> {
        std::mem::take(&mut self.changed)
    }

    /// The loads with which a body is solved.
    pub fn noted(&self, body: BodyId) -> &[PlacedLoad] {
        self.noted.get(&body).map_or(&[], Vec::as_slice)
    }

    /// Takes the loads with which a body is solved from now on.
    pub fn note(&mut self, body: BodyId, loads: Vec<PlacedLoad>) {
        if loads.is_empty() {
            self.noted.remove(&body);
        } else {
            self.noted.insert(body, loads);
        }
    }
}

impl Told {
    /// The part of a step of the debris world.
    pub fn by_debris(pressing: Pressing, by: LoadBy) -> Self {
        match (by, pressing) {
            (LoadBy::Joints(_), _) | (_, Pressing::Unknown) => Self::Elsewhere,
            (_, Pressing::AtRest) => Self::Same,
            (_, Pressing::Stepped) => Self::Now,
        }
    }

    /// The part of a step of the host.
    pub fn by_host(pressing: Pressing, by: LoadBy) -> Self {
        match (by, pressing) {
            (LoadBy::Joints(_), _) | (_, Pressing::Unknown) => Self::Now,
            _ => Self::Elsewhere,
        }
    }
}
