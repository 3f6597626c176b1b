//! Landings of large bodies: the impulses of the contacts that stop one, and the forces on which it rests then.
//!
//! The solver spreads a collision over several steps, and over as many contacts as it likes: how a rigid body shares an
//! impulse among more than three of them is not determined. So the impulses of the steps in which a body is stopped
//! are added up, and those of one other body are taken as linear over their places, as stress is over a face. Together
//! they are as large as the change of momentum says, in any frame rate.
//!
//! Of a body that lies still the forces are looked at from time to time, and told where they have changed.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3, Vec3};
use rapier3d::math::Pose;

use super::contact_forces::ContactForce;
use super::external::BodyRef;
use crate::error::BodyError;
use crate::types::{is_in_range, square, BodyId};

/// Time in which a collision takes place, seconds: some milliseconds between blocks of stone, shorter than a step.
pub(super) const COLLISION_TIME: f32 = 1.0 / 240.0;

/// Change of velocity by contacts in a step, beyond that which bears the weight, from which on a body lands, m/s...
const LANDING_SPEED: f32 = 0.15;
/// ... and up to which the same landing goes on.
const REST_SPEED: f32 = 0.03;

/// Longest time for which the steps of a landing are added up, seconds.
const MAX_DURATION: f32 = 0.05;

/// Speeds below which a body lies still, m/s and rad/s.
const STILL: f32 = 0.1;

/// Time between two looks at the forces on a body that lies still, seconds.
const REST_INTERVAL: f32 = 0.5;

/// Change of the forces on a body that lies still, in parts of them, from which on they are told.
const NOTABLE_CHANGE: f32 = 0.1;

/// Bounds of the true impulse of contacts, in parts of what rapier reports.
const SHARES: [f32; 2] = [0.25, 1.5];

/// A large body that contacts have stopped, or that rests on them.
pub(crate) struct Landing {
    pub body: BodyId,
    /// Angular velocity before, world space, rad/s.
    pub spin: Vec3,
    /// By step: the forces on the body, as if all of a stop took place in the time of a collision, and its pose.
    pub contacts: Vec<(Pose, ContactForce)>,
}

/// How a large body has moved in a step, in which it may have landed; see
/// [`Simulation::add_landing_step`](crate::Simulation::add_landing_step). All in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LandingStep {
    /// The body.
    pub body: BodyId,
    /// Velocities of its centre of mass before and after the step, m/s.
    pub linear: [Vec3; 2],
    /// Angular velocity before, rad/s.
    pub spin: Vec3,
    /// Where it was after it.
    pub pose: Pose,
    /// kg
    pub mass: f32,
    /// Acceleration that it got besides by what touches it, m/s^2.
    pub gravity: Vec3,
    /// Length of the step, seconds.
    pub dt: f32,
}

/// A landing that may go on.
struct RunningLanding {
    landing: Landing,
    /// Since the end of its first step, seconds.
    time: f32,
}

/// A body that lies still.
#[derive(Clone, Copy, Default)]
struct Rest {
    /// Since the last look at the forces on it, seconds.
    time: f32,
    /// Sum of the forces that were told last, N, and that of their moments, N m, whatever their directions are.
    told: [f32; 2],
}

impl Rest {
    /// Notes forces on the body at a pose, and says whether they have changed.
    fn note(&mut self, pose: Pose, forces: &[(Pose, ContactForce)]) -> bool {
        let mut sums = [0.0; 2];
        for (_, contact) in forces {
            let force = contact.force.length();
            sums[0] += force;
            sums[1] += force * contact.point.distance(pose.translation);
        }
        let mut pairs = sums.iter().zip(&self.told);
        let has_changed = pairs.any(|(now, told)| (now - told).abs() > NOTABLE_CHANGE * now);
        if has_changed {
            self.told = sums;
        }
        has_changed
    }
}

/// A body that lands, or lies still.
enum Doing {
    Landing(RunningLanding),
    Resting(Rest),
}

/// The landings of some bodies.
#[derive(Default)]
pub(crate) struct Landings {
    /// As of the step before.
    before: BTreeMap<BodyId, Doing>,
    /// As of this step.
    now: BTreeMap<BodyId, Doing>,
    pub done: Vec<Landing>,
}

impl Landings {
    /// Takes a step of a body, and its contacts where they matter.
    pub fn add(&mut self, step: &LandingStep, contacts: impl FnOnce() -> LandingContacts) {
        let (gravity, dt) = (step.gravity, step.dt);
        let [before, after] = step.linear;
        let change = after - before - gravity * dt;
        let jolt = change.length() - gravity.length() * dt;
        let known = self.before.remove(&step.body);
        let (known, rest) = match known.or_else(|| self.now.remove(&step.body)) {
            Some(Doing::Landing(known)) => (Some(known), Rest::default()),
            Some(Doing::Resting(rest)) => (None, rest),
            None => (None, Rest::default()),
        };
        let least = known.as_ref().map_or(LANDING_SPEED, |_| REST_SPEED);
        if jolt <= least {
            self.done.extend(known.map(|known| known.landing));
            self.rest(step, rest, contacts);
            return;
        }
        // The weight on the ground is no part of the blow; that of its first step is the last of the fall.
        let share = known.as_ref().map_or(1.0, |_| jolt / change.length());
        let mut known = known.unwrap_or_else(|| RunningLanding {
            landing: Landing {
                body: step.body,
                spin: step.spin,
                contacts: Vec::new(),
            },
            time: -dt,
        });
        known.time += dt;
        let momentum = change * share * step.mass;
        let forces = contacts().forces(step, momentum, COLLISION_TIME);
        known.landing.contacts.extend(forces);
        if known.time < MAX_DURATION {
            self.now.insert(step.body, Doing::Landing(known));
        } else {
            self.done.push(known.landing);
        }
    }

    /// Takes a step of a body that does not land; `rest` is what is known of it.
    fn rest(
        &mut self,
        step: &LandingStep,
        mut rest: Rest,
        contacts: impl FnOnce() -> LandingContacts,
    ) {
        let speed = step.linear[1].length().max(step.spin.length());
        if speed > STILL || step.dt <= 0.0 {
            return;
        }
        rest.time += step.dt;
        if rest.time >= REST_INTERVAL {
            rest.time = 0.0;
            let momentum = -step.gravity * (step.dt * step.mass);
            let forces = contacts().forces(step, momentum, step.dt);
            if rest.note(step.pose, &forces) {
                self.done.push(Landing {
                    body: step.body,
                    spin: Vec3::ZERO,
                    contacts: forces,
                });
            }
        }
        self.now.insert(step.body, Doing::Resting(rest));
    }

    /// Ends a step of all bodies: those of which nothing was told have fallen asleep, or are gone.
    pub fn end_step(&mut self) {
        let ended = std::mem::replace(&mut self.before, std::mem::take(&mut self.now));
        self.done
            .extend(ended.into_values().filter_map(|doing| match doing {
                Doing::Landing(known) => Some(known.landing),
                Doing::Resting(_) => None,
            }));
    }
}

/// A place where a large body touches another, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LandingContact {
    /// Number of the pair of faces that it belongs to; contacts of one pair follow each other.
    pub face: usize,
    /// Metres.
    pub place: DVec3,
    /// Unit normal towards the large body.
    pub normal: DVec3,
    /// As rapier reports it, N s.
    pub impulse: f64,
}

/// The contacts of a large body in a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LandingContacts {
    /// By other body.
    pub contacts: Vec<(BodyRef, Vec<LandingContact>)>,
    /// Iterations of the solver in a step.
    pub iterations: usize,
}

impl LandingStep {
    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let [before, after] = self.linear;
        let vectors = [
            before,
            after,
            self.spin,
            self.pose.translation,
            self.gravity,
        ];
        let is_finite = vectors.into_iter().all(is_in_range)
            && self.pose.rotation.is_finite()
            && [self.mass, self.dt].into_iter().all(f32::is_finite);
        if is_finite {
            Ok(())
        } else {
            Err(BodyError::NotFinite { what: "landing" })
        }
    }
}

impl LandingContacts {
    /// Without those that are no contacts.
    pub(crate) fn checked(mut self) -> Self {
        let is_contact = |own: &LandingContact| {
            own.place.is_finite() && own.normal.is_finite() && own.impulse.is_finite()
        };
        for (_, contacts) in &mut self.contacts {
            contacts.retain(is_contact);
        }
        self
    }

    /// The contacts, which have given the body a momentum (N s), as forces for a time (seconds).
    fn forces(
        mut self,
        step: &LandingStep,
        momentum: Vec3,
        time: f32,
    ) -> Vec<(Pose, ContactForce)> {
        for (_, contacts) in &mut self.contacts {
            make_linear(contacts);
        }
        let share = self.true_share(momentum);
        let on = BodyRef::Breakable(step.body);
        let contacts = self.contacts.into_iter();
        let per_impulse = share / time;
        let forces =
            contacts.flat_map(|(by, contacts)| forces_of([on, by], &contacts, per_impulse));
        forces.map(|force| (step.pose, force)).collect()
    }

    /// The impulse of all contacts in parts of what rapier reports, by the momentum that they have given (N s). Where they
    /// press against each other it says nothing.
    fn true_share(&self, momentum: Vec3) -> f32 {
        let contacts = || self.contacts.iter().flat_map(|(_, contacts)| contacts);
        let sum: DVec3 = contacts().map(|own| own.normal * own.impulse).sum();
        let size: f64 = contacts().map(|own| own.impulse).sum();
        let length = sum.length();
        if length < 0.5 * size || length <= 0.0 {
            return ContactForce::share_of_reported(self.iterations);
        }
        let share = momentum.as_dvec3().dot(sum) / (length * length);
        (share as f32).clamp(SHARES[0], SHARES[1])
    }
}

/// Makes the impulses of contacts linear over their places, with the same sum and the same first moments.
fn make_linear(contacts: &mut [LandingContact]) {
    let impulses: Vec<(DVec3, f64)> = contacts
        .iter()
        .map(|own| (own.place, own.impulse))
        .collect();
    let linear = LinearImpulses::new(&impulses);
    for contact in contacts {
        contact.impulse = linear.at(contact.place);
    }
}

/// Impulses that are linear over the places of contacts.
pub(super) struct LinearImpulses {
    middle: DVec3,
    mean: f64,
    slope: DVec3,
}

impl LinearImpulses {
    /// Those of the same sum and the same first moments as these, N s at places in metres.
    pub fn new(impulses: &[(DVec3, f64)]) -> Self {
        let count = impulses.len().max(1) as f64;
        let mean = impulses.iter().map(|(_, impulse)| impulse).sum::<f64>() / count;
        let middle = impulses.iter().map(|(place, _)| place).sum::<DVec3>() / count;
        let (mut squares, mut moments) = (DMat3::ZERO, DVec3::ZERO);
        for (place, impulse) in impulses {
            let arm = *place - middle;
            squares += square(arm);
            moments += arm * *impulse;
        }
        let trace = squares.x_axis.x + squares.y_axis.y + squares.z_axis.z;
        // The places may lie in a plane, in a line or in a point.
        let least = (1e-6 * trace).max(1e-12);
        let slope = (squares + DMat3::from_diagonal(DVec3::splat(least))).inverse() * moments;
        Self {
            middle,
            mean,
            slope,
        }
    }

    /// The impulse of a contact at a place, which does not pull, N s.
    pub fn at(&self, place: DVec3) -> f64 {
        (self.mean + self.slope.dot(place - self.middle)).max(0.0)
    }
}

/// The forces of the contacts of a body with another one, one for each face, of so many newtons for a newton second.
fn forces_of(
    [on, by]: [BodyRef; 2],
    contacts: &[LandingContact],
    per_impulse: f32,
) -> Vec<ContactForce> {
    let of_face = contacts.chunk_by(|a, b| a.face == b.face);
    let force = |contacts: &[LandingContact]| {
        let impulse: f64 = contacts.iter().map(|own| own.impulse).sum();
        let normal = contacts.first()?.normal.as_vec3();
        let places = contacts.iter().map(|own| own.place.as_vec3());
        let sum: DVec3 = contacts.iter().map(|own| own.place * own.impulse).sum();
        (impulse > 0.0).then_some(ContactForce {
            on,
            by,
            places: [
                places.clone().fold(Vec3::INFINITY, Vec3::min),
                places.fold(Vec3::NEG_INFINITY, Vec3::max),
            ],
            point: (sum / impulse).as_vec3(),
            force: normal * (per_impulse * impulse as f32),
        })
    };
    of_face.filter_map(force).collect()
}
