//! The blows of a step: contacts that were hard, between bodies that came together fast.
//!
//! The force alone does not tell: what rests under a heavy thing feels more than what is struck by a
//! light one. So a blow needs speed, and what it exchanges is bounded by what the two masses could.

use glam::Vec3;
use rapier3d::dynamics::RigidBodyHandle;
use rapier3d::geometry::{Collider, ColliderHandle, ContactPair};
use rapier3d::pipeline::ActiveEvents;

use super::contact_events::DebrisCollision;
use super::external::BodyRef;
use super::tag::is_piece;
use super::world::DebrisWorld;

/// Bodies that come together slower than this, m/s, lean on each other.
const SLOWEST: f32 = 0.5;

/// A body whose velocity changes by more than this in a step, m/s, was struck; falling changes it by
/// half as much.
const STRUCK: f32 = 0.3;

/// A blow exchanges at most so many times what stops it: it may bounce, and others press on.
const BOUNCE: f32 = 1.5;

/// Part of the noteworthy impulse at which the physics engine reports a contact: it shares a blow out
/// over the steps in which it lasts.
const EARLY: f32 = 0.5;

impl DebrisWorld {
    /// Blows on a body are told of from this impulse on, N s.
    pub fn listen(&mut self, handle: RigidBodyHandle, impulse: f32) {
        let handle = self.settled.current(handle);
        let colliders = self.bodies.get(handle).map_or(&[][..], |b| b.colliders());
        for collider in colliders {
            if let Some(collider) = self.colliders.get_mut(*collider) {
                let force = EARLY * impulse / self.parameters.dt.max(1e-3);
                collider.set_contact_force_event_threshold(force);
                let events = match force.is_finite() {
                    true => ActiveEvents::CONTACT_FORCE_EVENTS,
                    false => ActiveEvents::empty(),
                };
                collider.set_active_events(events);
            }
        }
    }

    /// The blows of the last step, ordered by what collided.
    pub fn blows(&self) -> &[DebrisCollision] {
        &self.blows
    }

    /// Takes note of how everything moves before a step.
    pub(super) fn note_velocities(&mut self) {
        let awake = self.islands.active_bodies();
        for handle in awake.chain(self.fresh.iter().map(|(handle, _)| *handle)) {
            if let Some(body) = self.bodies.get(handle) {
                self.velocities.note(handle, body);
            }
        }
    }

    /// Takes note of what a blow has stopped or sent off in a step.
    pub(super) fn note_struck(&mut self) {
        let Self {
            islands,
            bodies,
            velocities,
            hooks,
            ..
        } = self;
        let is_struck = |handle: &RigidBodyHandle| {
            let body = bodies.get(*handle);
            body.is_some_and(|body| velocities.change(*handle, body) > STRUCK)
        };
        hooks.struck.set(islands.active_bodies().filter(is_struck));
    }

    /// Makes blows of the contacts that the step has reported.
    pub(super) fn gather_blows(&mut self) {
        let mut pairs = std::mem::take(&mut self.reported);
        self.collector.drain(&mut pairs);
        for (a, b) in pairs.drain(..) {
            self.blows.extend(self.blow(a, b));
        }
        self.reported = pairs;
    }

    fn blow(&self, a: ColliderHandle, b: ColliderHandle) -> Option<DebrisCollision> {
        let pair = self.narrow_phase.contact_pair(a, b)?;
        let (first, second) = (self.colliders.get(a)?, self.colliders.get(b)?);
        let (point, normal, impulse) = middle(pair, first)?;
        let bodies = [first.parent()?, second.parent()?];
        let [one, other] = [self.bodies.get(bodies[0])?, self.bodies.get(bodies[1])?];
        if !(is_piece(one) || is_piece(other)) {
            return None; // what the embedding layer's bodies do among themselves it knows best
        }
        let velocity = |handle, body| self.velocities.at(handle, body, point);
        let speed = (velocity(bodies[0], one) - velocity(bodies[1], other)).dot(normal);
        let inverse = |mass: f32| if mass > 0.0 { 1.0 / mass } else { 0.0 };
        let [p, q] = [one, other].map(|body| match body.is_dynamic() {
            true => inverse(body.mass()),
            false => 0.0,
        });
        let mass = inverse(p + q);
        (speed >= SLOWEST && mass > 0.0).then_some(())?;
        Some(DebrisCollision {
            bodies: [BodyRef::of(one)?, BodyRef::of(other)?],
            point,
            normal,
            impulse: impulse.min(BOUNCE * mass * speed),
            speed,
            energy: 0.5 * mass * speed * speed,
        })
    }
}

/// The middle of a contact, its normal out of the first collider, and the impulse, N s.
fn middle(pair: &ContactPair, first: &Collider) -> Option<(Vec3, Vec3, f32)> {
    let (mut place, mut normal, mut sum) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for manifold in &pair.manifolds {
        for contact in &manifold.points {
            let local = match manifold.subshape_pos1 {
                Some(part) => part.transform_point(contact.local_p1),
                None => contact.local_p1,
            };
            place += contact.data.impulse * local;
            normal += contact.data.impulse * manifold.data.normal;
            sum += contact.data.impulse;
        }
    }
    let normal = normal.try_normalize().filter(|_| sum > 0.0)?;
    Some((first.position().transform_point(place / sum), normal, sum))
}
