//! Collisions of debris: hard contacts between bodies that came together fast.
//!
//! The force alone does not tell a collision: a body under a heavy load feels more than one that a light
//! body strikes. A collision therefore needs speed, and its impulse is bounded by what the two masses can
//! exchange. Rapier brakes bodies before they touch, which spreads a collision over two steps or more: it is told in the
//! first of them, with all that it will take.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use glam::Vec3;
use rapier3d::data::Coarena;
use rapier3d::dynamics::{RigidBody, RigidBodyHandle, RigidBodySet};
use rapier3d::geometry::{Collider, ColliderHandle, ColliderSet, CollisionEvent, ContactPair};
use rapier3d::pipeline::EventHandler;
use rayon::iter::{IntoParallelRefIterator, ParallelExtend, ParallelIterator};

use super::contact_reports::ContactReports;
use super::external::BodyRef;
use super::physics::Physics;
use super::physics_queries::{contact_places, inverse_mass_at, solved_contacts};
use super::user_data::is_piece;

/// Closing speed below which two bodies lean on each other and do not collide, m/s.
const MIN_COLLISION_SPEED: f32 = 0.5;

/// Change of velocity in a step above which a body was struck, m/s; falling changes it by half as much.
const STRUCK_SPEED: f32 = 0.3;

/// Greatest impulse of a collision, in parts of the one that stops it: it may bounce, and others press on.
const MAX_BOUNCE: f32 = 1.5;

/// The least part of a collision's energy that was not told with an earlier step, for it to count as another one.
const MIN_NEW: f32 = 0.25;

/// A collision of debris with debris or with another body: sound and dust can be driven by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DebrisCollision {
    /// The two bodies; the ground is one as well.
    pub bodies: [BodyRef; 2],
    /// World space, metres.
    pub point: Vec3,
    /// The place on each body, in its space, metres: after the step the two are somewhere else, each by its own way.
    pub places: [Vec3; 2],
    /// Unit normal out of the first body.
    pub normal: Vec3,
    /// Impulse that the two exchanged, N s.
    pub impulse: f32,
    /// Closing speed along the normal, m/s.
    pub speed: f32,
    /// Kinetic energy that a collision without a bounce takes, J: less where the bodies turn in place of being stopped.
    pub energy: f32,
}

/// Detection of collisions in the steps of a frame.
#[derive(Default)]
pub(super) struct CollisionDetector {
    velocities: VelocitySnapshot,
    reported: ReportedContacts,
    /// The parts of told collisions that the last step has left for the next ones.
    unfinished: BTreeMap<PairKey, ToCome>,
    /// Collisions of the frame, ordered by the bodies' colliders in each step.
    pub collisions: Vec<DebrisCollision>,
}

impl CollisionDetector {
    /// The receiver of rapier's contact events.
    pub fn event_handler(&self) -> &dyn EventHandler {
        &self.reported
    }

    /// Records how all bodies move before a step. Rapier does not count those yet that have come or been pushed since the
    /// last one: pieces, and the `shadows` of the engine's bodies.
    pub fn record_velocities(
        &mut self,
        physics: &Physics,
        shadows: impl Iterator<Item = RigidBodyHandle>,
    ) {
        let awake = physics.islands.active_bodies();
        let new = physics.new_pieces.iter().map(|piece| piece.handle);
        for handle in awake.chain(new).chain(shadows) {
            if let Some(body) = physics.bodies.get(handle) {
                self.velocities.record(handle, body);
            }
        }
    }

    /// Bodies whose velocity the last step changed as only a collision does.
    pub fn struck<'a>(
        &'a self,
        physics: &'a Physics,
    ) -> impl Iterator<Item = RigidBodyHandle> + 'a {
        let is_struck = |handle: &RigidBodyHandle| {
            let body = physics.bodies.get(*handle);
            body.is_some_and(|body| self.velocities.change(*handle, body) > STRUCK_SPEED)
        };
        physics.islands.active_bodies().filter(is_struck)
    }

    /// The linear and the angular velocity of a body before the last step.
    pub fn velocities_before(&self, handle: RigidBodyHandle) -> (Vec3, Vec3) {
        self.velocities.get(handle)
    }

    /// Adds the collisions among the contacts that rapier reported in the last step.
    pub fn collect(&mut self, physics: &Physics) {
        let pairs = self.reported.sorted();
        let collision = |pair: &ColliderPair| {
            let (collision, to_come) = self.velocities.collision(physics, *pair)?;
            Some((key(*pair), collision, to_come))
        };
        let mut found = Vec::new();
        found.par_extend(pairs.par_iter().filter_map(collision)); // in the order of the pairs
        pairs.clear();
        let told = std::mem::take(&mut self.unfinished);
        for (pair, collision, to_come) in found {
            self.collisions.extend(match told.get(&pair) {
                Some(told) => told.untold_of(collision),
                None => Some(collision),
            });
            if to_come.energy > 0.0 {
                self.unfinished.insert(pair, to_come);
            }
        }
    }
}

/// Has rapier report contacts of a body from an impulse on, N s; infinite for none.
pub(super) fn set_contact_event_threshold(
    physics: &mut Physics,
    body: RigidBodyHandle,
    impulse: f32,
) {
    let reports = ContactReports::new(&physics.parameters, impulse);
    physics.for_each_collider(body, |collider| {
        collider.set_contact_force_event_threshold(reports.force);
        collider.set_active_events(reports.events);
    });
}

/// Linear and angular velocities before a step.
#[derive(Default)]
struct VelocitySnapshot(Coarena<(Vec3, Vec3)>);

impl VelocitySnapshot {
    fn record(&mut self, handle: RigidBodyHandle, body: &RigidBody) {
        self.0.insert(handle.0, (body.linvel(), body.angvel()));
    }

    fn get(&self, handle: RigidBodyHandle) -> (Vec3, Vec3) {
        self.0.get(handle.0).copied().unwrap_or_default()
    }

    /// Change of a body's velocity in the step, m/s.
    fn change(&self, handle: RigidBodyHandle, body: &RigidBody) -> f32 {
        body.linvel().distance(self.get(handle).0)
    }

    /// Velocity of a body's material at a point before the step.
    fn at_point(&self, handle: RigidBodyHandle, body: &RigidBody, point: Vec3) -> Vec3 {
        if body.is_fixed() {
            return Vec3::ZERO;
        }
        if body.is_kinematic() {
            return body.velocity_at_point(point);
        }
        let (linear, angular) = self.get(handle);
        linear + angular.cross(point - body.center_of_mass())
    }

    /// The collision at the contact of two colliders, with all that this step and the next ones take, and the part of it
    /// that is left for these. `None` if they came together too slowly, or if neither belongs to a piece: the engine knows
    /// best about its own bodies.
    fn collision(
        &self,
        physics: &Physics,
        pair: ColliderPair,
    ) -> Option<(DebrisCollision, ToCome)> {
        let (a, b) = pair;
        let pair = physics.narrow_phase.contact_pair(a, b)?;
        let colliders = [physics.colliders.get(a)?, physics.colliders.get(b)?];
        let contact = MeanContact::new(pair, colliders)?;
        let [first, second] = [colliders[0].parent()?, colliders[1].parent()?];
        let bodies = [physics.bodies.get(first)?, physics.bodies.get(second)?];
        if !bodies.iter().any(|body| is_piece(body)) {
            return None;
        }
        let (point, normal) = (contact.point, contact.normal);
        let [p, q] = [(first, bodies[0]), (second, bodies[1])]
            .map(|(handle, body)| self.at_point(handle, body, point));
        let speed = (p - q).dot(normal);
        let [p, q] = bodies.map(|body| inverse_mass_at(body, point, normal));
        let mass = inverse(p + q);
        let is_collision = speed >= MIN_COLLISION_SPEED && mass > 0.0;
        if !is_collision {
            return None;
        }
        let [p, q] = bodies.map(|body| body.velocity_at_point(point));
        let to_come = ToCome::new(mass, (p - q).dot(normal).max(0.0));
        let impulse = contact.impulse + to_come.impulse;
        let collision = DebrisCollision {
            bodies: [
                BodyRef::from_user_data(bodies[0])?,
                BodyRef::from_user_data(bodies[1])?,
            ],
            point,
            places: contact.places,
            normal,
            impulse: impulse.min(MAX_BOUNCE * mass * speed),
            speed,
            energy: 0.5 * mass * speed * speed,
        };
        Some((collision, to_come))
    }
}

/// The part of a told collision that is still to come.
struct ToCome {
    /// J
    energy: f32,
    /// N s
    impulse: f32,
}

impl ToCome {
    /// Of bodies that resist as a mass (kg), and still come together at a speed (m/s).
    fn new(mass: f32, speed: f32) -> Self {
        Self {
            energy: 0.5 * mass * speed * speed,
            impulse: mass * speed,
        }
    }

    /// The part of a collision in the next step that was not told. `None` if it is small; where one corner touches first,
    /// and then a whole side, it is not.
    fn untold_of(&self, collision: DebrisCollision) -> Option<DebrisCollision> {
        let energy = collision.energy - self.energy;
        let impulse = collision.impulse - self.impulse;
        let is_new = energy > MIN_NEW * collision.energy && impulse > 0.0;
        is_new.then_some(DebrisCollision {
            impulse,
            energy,
            ..collision
        })
    }
}

fn inverse(mass: f32) -> f32 {
    if mass > 0.0 {
        1.0 / mass
    } else {
        0.0
    }
}

/// All contacts of two colliders in one, weighted by their impulses.
struct MeanContact {
    /// World space, metres.
    point: Vec3,
    /// On each body, in its space, metres.
    places: [Vec3; 2],
    /// Unit normal out of the first collider.
    normal: Vec3,
    /// Sum of the impulses, N s.
    impulse: f32,
}

impl MeanContact {
    fn new(pair: &ContactPair, colliders: [&Collider; 2]) -> Option<Self> {
        let (mut places, mut normal, mut impulse) = ([Vec3::ZERO; 2], Vec3::ZERO, 0.0);
        for manifold in &pair.manifolds {
            for (contact, contact_impulse) in solved_contacts(manifold) {
                for (sum, place) in places.iter_mut().zip(contact_places(manifold, contact)) {
                    *sum += contact_impulse * place;
                }
                normal += contact_impulse * manifold.data.normal;
                impulse += contact_impulse;
            }
        }
        let normal = normal.try_normalize().filter(|_| impulse > 0.0)?;
        Some(Self {
            point: colliders[0].position().transform_point(places[0] / impulse),
            places: [0, 1].map(|side| {
                let in_body = colliders[side].position_wrt_parent();
                let in_body = in_body.copied().unwrap_or_default();
                in_body.transform_point(places[side] / impulse)
            }),
            normal,
            impulse,
        })
    }
}

type ColliderPair = (ColliderHandle, ColliderHandle);

/// A pair of colliders in an order.
type PairKey = [(u32, u32); 2];

fn key((a, b): ColliderPair) -> PairKey {
    [a, b].map(ColliderHandle::into_raw_parts)
}

/// Pairs of colliders whose contact force was above a threshold.
#[derive(Default)]
struct ReportedContacts(Mutex<Vec<ColliderPair>>);

impl ReportedContacts {
    /// The pairs, in an order that does not depend on threads.
    fn sorted(&mut self) -> &mut Vec<ColliderPair> {
        let pairs = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        pairs.sort_unstable_by_key(|pair| key(*pair));
        pairs
    }
}

impl EventHandler for ReportedContacts {
    fn handle_collision_event(
        &self,
        _bodies: &RigidBodySet,
        _colliders: &ColliderSet,
        _event: CollisionEvent,
        _pair: Option<&ContactPair>,
    ) {
    }

    fn handle_contact_force_event(
        &self,
        _dt: f32,
        _bodies: &RigidBodySet,
        _colliders: &ColliderSet,
        pair: &ContactPair,
        _force: f32,
    ) {
        let mut pairs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pairs.push((pair.collider1, pair.collider2));
    }
}
