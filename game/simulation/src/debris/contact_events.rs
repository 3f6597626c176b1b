//! A collision in the debris world that was hard enough to be worth a word.

use std::sync::{Mutex, PoisonError};

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyHandle, RigidBodySet};
use rapier3d::geometry::{ColliderHandle, ColliderSet, CollisionEvent, ContactPair};
use rapier3d::pipeline::EventHandler;

use super::external::BodyRef;

/// A collision of debris with debris or with something else: what sound and dust can be driven from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DebrisCollision {
    /// What collided. A fixed surrounding is an owner as well.
    pub bodies: [BodyRef; 2],
    /// World space, metres.
    pub point: Vec3,
    /// Unit normal out of the first body.
    pub normal: Vec3,
    /// What the two exchanged, N s.
    pub impulse: f32,
    /// How fast they came together along the normal, m/s.
    pub speed: f32,
    /// The kinetic energy that a collision without a bounce takes, J.
    pub energy: f32,
}

/// Velocities before a step, by the place of a body in its arena.
#[derive(Default)]
pub(super) struct VelocitySnapshot(Vec<(Vec3, Vec3)>);

impl VelocitySnapshot {
    pub fn note(&mut self, handle: RigidBodyHandle, body: &RigidBody) {
        let place = handle.into_raw_parts().0 as usize;
        if self.0.len() <= place {
            self.0.resize(place + 1, Default::default());
        }
        if let Some(slot) = self.0.get_mut(place) {
            *slot = (body.linvel(), body.angvel());
        }
    }

    /// By how much a body's velocity has changed in the step, m/s.
    pub fn change(&self, handle: RigidBodyHandle, body: &RigidBody) -> f32 {
        let place = handle.into_raw_parts().0 as usize;
        let before = self.0.get(place).map_or(Vec3::ZERO, |(linear, _)| *linear);
        body.linvel().distance(before)
    }

    /// The velocity that a body's material had at a point.
    pub fn at(&self, handle: RigidBodyHandle, body: &RigidBody, point: Vec3) -> Vec3 {
        if body.is_fixed() {
            return Vec3::ZERO;
        }
        if body.is_kinematic() {
            return body.velocity_at_point(point);
        }
        let place = handle.into_raw_parts().0 as usize;
        let (linear, angular) = self.0.get(place).copied().unwrap_or_default();
        linear + angular.cross(point - body.center_of_mass())
    }
}

/// Collects the pairs whose contact force was above a threshold.
#[derive(Default)]
pub(super) struct ContactForceCollector(Mutex<Vec<(ColliderHandle, ColliderHandle)>>);

impl ContactForceCollector {
    /// Takes the pairs of the last step, in an order that does not depend on threads.
    pub fn drain(&mut self, into: &mut Vec<(ColliderHandle, ColliderHandle)>) {
        let pairs = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        into.append(pairs);
        let key = |handle: ColliderHandle| handle.into_raw_parts();
        into.sort_unstable_by_key(|(a, b)| (key(*a), key(*b)));
    }
}

impl EventHandler for ContactForceCollector {
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
