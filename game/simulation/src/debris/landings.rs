//! Landings of large pieces: the impulses of the contacts that stop one.
//!
//! The solver spreads a collision over several steps, and over as many contacts as it likes: how a rigid body shares an
//! impulse among more than three of them is not determined. So the impulses of the steps in which a piece is stopped
//! are added up, and those of one other body are taken as linear over their places, as stress is over a face. Together
//! they are as large as the change of momentum says, in any frame rate.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3, Vec3};
use rapier3d::dynamics::{RigidBody, RigidBodyHandle};
use rapier3d::geometry::ContactPair;
use rapier3d::math::Pose;

use super::contact_forces::ContactForce;
use super::external::BodyRef;
use super::physics::Physics;
use super::physics_queries::{contact_place, normal_towards, solved_contacts};
use super::user_data::{is_large_piece, piece_id};
use crate::types::{square, BodyId};

/// Time in which a collision takes place, seconds: some milliseconds between blocks of stone, shorter than a step.
pub(super) const COLLISION_TIME: f32 = 1.0 / 240.0;

/// Change of velocity by contacts in a step, beyond that which bears the weight, from which on a piece lands, m/s...
const LANDING_SPEED: f32 = 0.15;
/// ... and up to which the same landing goes on.
const REST_SPEED: f32 = 0.03;

/// Longest time for which the steps of a landing are added up, seconds.
const MAX_DURATION: f32 = 0.05;

/// Bounds of the true impulse of contacts, in parts of what rapier reports.
const SHARES: [f32; 2] = [0.25, 1.5];

/// A large piece that contacts have stopped.
pub(crate) struct Landing {
    pub body: BodyId,
    /// Angular velocity before, world space, rad/s.
    pub spin: Vec3,
    /// By step: the forces on the piece, as if all of it took place in the time of a collision, and its pose.
    pub contacts: Vec<(Pose, ContactForce)>,
}

/// A landing that may go on.
struct RunningLanding {
    landing: Landing,
    /// Since the end of its first step, seconds.
    time: f32,
}

/// The landings of the steps of a frame.
#[derive(Default)]
pub(super) struct Landings {
    running: BTreeMap<(u32, u32), RunningLanding>,
    pub done: Vec<Landing>,
}

impl Landings {
    /// Takes the contacts of the last step. `before` gives the linear and the angular velocity before it.
    pub fn update(&mut self, physics: &Physics, before: impl Fn(RigidBodyHandle) -> (Vec3, Vec3)) {
        let dt = physics.parameters.dt;
        let mut running = std::mem::take(&mut self.running);
        for handle in physics.islands.active_bodies() {
            let Some(body) = physics.bodies.get(handle).filter(|b| is_large_piece(b)) else {
                continue;
            };
            let (linear, spin) = before(handle);
            let change = body.linvel() - linear - physics.gravity * dt;
            let jolt = change.length() - physics.gravity.length() * dt;
            let known = running.remove(&handle.into_raw_parts());
            let least = known.as_ref().map_or(LANDING_SPEED, |_| REST_SPEED);
            if jolt <= least {
                self.done.extend(known.map(|known| known.landing));
                continue;
            }
            // The weight on the ground is no part of the blow; that of its first step is the last of the fall.
            let share = known.as_ref().map_or(1.0, |_| jolt / change.length());
            let contacts = step_contacts(physics, handle, body, change * share);
            let Some(body) = piece_id(body) else { continue };
            let mut known = known.unwrap_or_else(|| RunningLanding {
                landing: Landing {
                    body,
                    spin,
                    contacts: Vec::new(),
                },
                time: -dt,
            });
            known.time += dt;
            known.landing.contacts.extend(contacts);
            if known.time < MAX_DURATION {
                self.running.insert(handle.into_raw_parts(), known);
            } else {
                self.done.push(known.landing);
            }
        }
        // Those that have fallen asleep, or are gone.
        self.done
            .extend(running.into_values().map(|known| known.landing));
    }
}

/// A contact with another body, world space.
struct Touch {
    /// Of the manifold.
    number: usize,
    place: DVec3,
    /// Unit normal towards the piece.
    normal: DVec3,
    /// N s
    impulse: f64,
}

/// The contacts of a piece in the last step, which have changed its velocity, as forces.
fn step_contacts(
    physics: &Physics,
    handle: RigidBodyHandle,
    body: &RigidBody,
    change: Vec3,
) -> Vec<(Pose, ContactForce)> {
    if let Some(piece) = piece_id(body) {
        if physics.welds.pairs_of(piece).next().is_some() {
            return Vec::new(); // it is a part of what has been stopped, see `weld_strength`
        }
    }
    let mut by_other: BTreeMap<(u32, u32), (BodyRef, Vec<Touch>)> = BTreeMap::new();
    for (other, pair) in physics.contacts(handle) {
        let by = physics.bodies.get(other).and_then(BodyRef::from_user_data);
        if let Some(by) = by.filter(|_| pair.has_any_active_contact()) {
            let entry = by_other.entry(other.into_raw_parts());
            let (_, touches) = entry.or_insert_with(|| (by, Vec::new()));
            add_touches(physics, handle, pair, touches);
        }
    }
    for (_, touches) in by_other.values_mut() {
        make_linear(touches);
    }
    let share = true_share(physics, &by_other, change * body.mass());
    let on = BodyRef::from_user_data(body);
    let forces = by_other
        .into_values()
        .flat_map(|(by, touches)| forces_of(on, by, &touches, share));
    let pose = *body.position();
    forces.map(|force| (pose, force)).collect()
}

/// Adds the contacts of a pair of colliders.
fn add_touches(
    physics: &Physics,
    handle: RigidBodyHandle,
    pair: &ContactPair,
    touches: &mut Vec<Touch>,
) {
    let Some(first) = physics.colliders.get(pair.collider1) else {
        return;
    };
    for manifold in &pair.manifolds {
        let number = touches.last().map_or(0, |last| last.number + 1);
        let normal = normal_towards(manifold, handle).as_dvec3();
        touches.extend(solved_contacts(manifold).map(|(contact, impulse)| {
            let place = *first.position() * contact_place(manifold, contact);
            Touch {
                number,
                place: place.as_dvec3(),
                normal,
                impulse: f64::from(impulse),
            }
        }));
    }
}

/// Makes the impulses of contacts linear over their places, with the same sum and the same first moments.
fn make_linear(touches: &mut [Touch]) {
    let impulses: Vec<(DVec3, f64)> = touches.iter().map(|own| (own.place, own.impulse)).collect();
    let linear = LinearImpulses::new(&impulses);
    for touch in touches {
        touch.impulse = linear.at(touch.place);
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

/// The impulse of all contacts in parts of what rapier reports, by the momentum that they have given (N s). Where they
/// press against each other it says nothing.
fn true_share(
    physics: &Physics,
    contacts: &BTreeMap<(u32, u32), (BodyRef, Vec<Touch>)>,
    momentum: Vec3,
) -> f32 {
    let touches = || contacts.values().flat_map(|(_, touches)| touches);
    let sum: DVec3 = touches().map(|own| own.normal * own.impulse).sum();
    let size: f64 = touches().map(|own| own.impulse).sum();
    let length = sum.length();
    if length < 0.5 * size || length <= 0.0 {
        let iterations = physics.parameters.num_solver_iterations;
        return ContactForce::share_of_reported(iterations);
    }
    let share = momentum.as_dvec3().dot(sum) / (length * length);
    (share as f32).clamp(SHARES[0], SHARES[1])
}

/// The forces of the contacts with one other body, one for each manifold.
fn forces_of(on: Option<BodyRef>, by: BodyRef, touches: &[Touch], share: f32) -> Vec<ContactForce> {
    let of_manifold = touches.chunk_by(|a, b| a.number == b.number);
    let force = |touches: &[Touch]| {
        let impulse: f64 = touches.iter().map(|own| own.impulse).sum();
        let normal = touches.first()?.normal.as_vec3();
        let places = touches.iter().map(|own| own.place.as_vec3());
        let sum: DVec3 = touches.iter().map(|own| own.place * own.impulse).sum();
        (impulse > 0.0).then_some(ContactForce {
            on: on?,
            by,
            places: [
                places.clone().fold(Vec3::INFINITY, Vec3::min),
                places.fold(Vec3::NEG_INFINITY, Vec3::max),
            ],
            point: (sum / impulse).as_vec3(),
            force: normal * (share * impulse as f32 / COLLISION_TIME),
        })
    };
    of_manifold.filter_map(force).collect()
}
