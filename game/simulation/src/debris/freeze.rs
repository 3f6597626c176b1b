//! Rubble that has come to rest for good is part of the ground.
//!
//! The physics engine lets a heap sleep and wake only as a whole, so that a pebble that lands on a field
//! of 20,000 pieces would wake them all. A piece that has slept for a while is therefore fixed in its
//! place: it costs nothing, carries what falls on it, and breaks as before. What pushes it hard, or
//! takes its support away, frees it again, and with it what lies on it.

use std::collections::VecDeque;

use rapier3d::dynamics::{RigidBody, RigidBodyHandle, RigidBodyType};
use rapier3d::geometry::{Aabb, Collider, ColliderHandle, ContactPair};
use rapier3d::pipeline::QueryFilter;
use rapier3d::prelude::BoundingVolume;

use super::extent::center;
use super::frozen::is_settled;
use super::tag::is_piece;
use super::world::DebrisWorld;

/// Pieces that are fixed in one step at most while others near them are awake.
const MOST: usize = 64;

/// Pieces that are nearer than this lie on each other, metres.
const TOUCH: f32 = 0.02;

/// Pieces of an awake heap that are nearer than this to a body of the embedding layer stay free, metres.
const AWAY: f32 = 3.0;

/// A push that would give a piece this speed, m/s, frees it.
pub(super) const FREEING: f32 = 0.3;

impl DebrisWorld {
    /// Takes note of pieces that have fallen asleep in a step of `dt` seconds, and fixes those that
    /// have slept long enough. `moved` were awake before the step.
    pub(super) fn settle(&mut self, moved: impl Iterator<Item = RigidBodyHandle>) {
        self.settled.clock += f64::from(self.parameters.dt);
        if !self.settled.after.is_finite() {
            return;
        }
        let due = self.settled.clock + f64::from(self.settled.after);
        let bodies = &self.bodies;
        let sleeps =
            |handle: &RigidBodyHandle| bodies.get(*handle).is_some_and(RigidBody::is_sleeping);
        let asleep = moved.filter(sleeps).map(|handle| (handle, due));
        self.settled.asleep.extend(asleep);
        let guests = self.guests();
        // A heap that fell asleep as a whole is fixed as a whole: who is left out is woken.
        while let Some(handle) = self.settled.next_due() {
            let body = self.bodies.get(handle);
            if body.is_some_and(RigidBody::is_sleeping) {
                self.fix(handle, &guests);
            }
        }
        // What an awake heap bears must not feel some of it stiffen.
        let guests: Vec<Aabb> = guests.iter().map(|guest| guest.loosened(AWAY)).collect();
        let still = std::mem::take(&mut self.rest.still);
        for &handle in still.iter().take(MOST) {
            self.fix(handle, &guests);
        }
        self.rest.still = still;
    }

    fn fix(&mut self, handle: RigidBodyHandle, guests: &[Aabb]) {
        let body = self.bodies.get(handle);
        let moves = body.is_some_and(|body| body.is_dynamic() && is_piece(body));
        let near = |bounds: Aabb| guests.iter().any(|guest| guest.intersects(&bounds));
        if moves && !self.bounds(handle).is_some_and(near) {
            self.settled.note(body, true);
            self.make_anew(handle, RigidBodyType::Fixed);
        }
    }

    /// Where bodies of the embedding layer lie among debris: they would feel it being made anew.
    fn guests(&self) -> Vec<Aabb> {
        let engaged = self.coupled.values().filter(|body| body.engaged);
        let bounds = engaged.filter_map(|body| self.bounds(body.handle));
        bounds.map(|bounds| bounds.loosened(TOUCH)).collect()
    }

    /// Gives a piece another kind of body. The physics engine's own way to do it leaves islands behind
    /// that its solver stumbles over.
    fn make_anew(&mut self, handle: RigidBodyHandle, kind: RigidBodyType) {
        let body = self.bodies.get(handle);
        let colliders = body.map_or(&[][..], |body| body.colliders()).iter();
        let colliders: Vec<Collider> = colliders
            .filter_map(|collider| self.colliders.get(*collider).cloned())
            .collect();
        let Some(mut body) = self.remove_body(handle) else {
            return;
        };
        self.rest.forget(handle);
        body.set_body_type(kind, false);
        if kind == RigidBodyType::Dynamic {
            body.wake_up(true);
        }
        let new = self.bodies.insert(body);
        for collider in colliders {
            let (bodies, colliders) = (&mut self.bodies, &mut self.colliders);
            let new = colliders.insert_with_parent(collider, new, bodies);
            self.hollows.note(new, self.colliders.get(new));
        }
        if let Some(body) = self.bodies.get_mut(new) {
            body.recompute_mass_properties_from_colliders(&self.colliders);
        }
        self.settled.replace(handle, new);
    }

    /// Frees a piece, and what lies on it, when it is fixed.
    pub(super) fn free(&mut self, handle: RigidBodyHandle) {
        if self.bodies.get(handle).is_some_and(is_settled) {
            let bounds = self.bounds(handle);
            self.free_one(handle);
            self.free_above(bounds);
        }
    }

    /// Frees pieces that touch a box, and what lies on them: something in it has moved.
    pub(super) fn free_around(&mut self, bounds: Option<Aabb>) {
        if self.settled.count == 0 {
            return; // the common case
        }
        let Some(bounds) = bounds else {
            return;
        };
        for handle in self.settled_in(bounds) {
            self.free(handle);
        }
    }

    /// Frees all pieces.
    pub(super) fn free_all(&mut self) {
        let settled = self.bodies.iter().filter(|(_, body)| is_settled(body));
        let settled: Vec<RigidBodyHandle> = settled.map(|(handle, _)| handle).collect();
        for handle in settled {
            self.free_one(handle);
        }
    }

    /// Frees what bodies of the embedding layer are about to push in a step of `dt` seconds: against
    /// what is fixed they would lose their speed.
    pub(super) fn make_way(&mut self, dt: f32) {
        if self.settled.count == 0 {
            return;
        }
        let mut pushes = Vec::new();
        for coupled in self.coupled.values().filter(|body| body.engaged) {
            let speed = coupled.speed();
            let moving = self.bodies.get(coupled.handle).filter(|_| speed > FREEING);
            if let Some((body, bounds)) = moving.zip(self.bounds(coupled.handle)) {
                let near = self.settled_in(bounds.loosened(speed * dt));
                pushes.push((near, body.mass() * speed));
            }
        }
        for (near, momentum) in pushes {
            self.push_free(near, momentum);
        }
    }

    /// Frees as much as a momentum, kg m/s, can push: these pieces, what touches them, and so on.
    fn push_free(&mut self, pieces: Vec<RigidBodyHandle>, momentum: f32) {
        let mut mass = momentum / FREEING;
        let mut open = VecDeque::from(pieces);
        let mut freed = Vec::new();
        while let Some(handle) = open.pop_front() {
            let body = self.bodies.get(handle).filter(|body| is_settled(body));
            let Some(bounds) = body.and_then(|_| self.bounds(handle)) else {
                continue;
            };
            let own = body.map_or(0.0, |body| body.mass());
            if own <= mass {
                mass -= own;
                self.free_one(handle);
                open.extend(self.settled_in(bounds));
                freed.push(bounds);
            }
        }
        freed
            .into_iter()
            .for_each(|bounds| self.free_above(Some(bounds)));
    }

    /// Frees what a body that was struck has pushed hard; `struck` is sorted.
    pub(super) fn free_pushed(&mut self) {
        if self.settled.count == 0 {
            return;
        }
        let mut pushed = Vec::new();
        for &handle in self.hooks.struck.iter() {
            let colliders = self.bodies.get(handle).map_or(&[][..], |b| b.colliders());
            for &collider in colliders {
                let pairs = self.narrow_phase.contact_pairs_with(collider);
                pushed.extend(pairs.filter_map(|pair| self.pushed(pair, collider)));
            }
        }
        pushed.sort_unstable_by_key(|(handle, _)| handle.into_raw_parts());
        for (handle, impulse) in pushed {
            self.push_free(vec![handle], impulse);
        }
    }

    fn pushed(
        &self,
        pair: &ContactPair,
        collider: ColliderHandle,
    ) -> Option<(RigidBodyHandle, f32)> {
        let other = match pair.collider1 == collider {
            true => pair.collider2,
            false => pair.collider1,
        };
        let parent = self.colliders.get(other)?.parent()?;
        self.bodies.get(parent).filter(|body| is_settled(body))?;
        Some((parent, pair.total_impulse_magnitude()))
    }

    fn free_above(&mut self, bounds: Option<Aabb>) {
        let up = -self.gravity.normalize_or_zero();
        let mut open: Vec<Aabb> = bounds.into_iter().collect();
        while let Some(below) = open.pop() {
            let height = below.center().dot(up);
            for handle in self.settled_in(below) {
                let body = self.bodies.get(handle);
                if body.is_some_and(|body| center(body).dot(up) > height) {
                    open.extend(self.bounds(handle));
                    self.free_one(handle);
                }
            }
        }
    }

    fn free_one(&mut self, handle: RigidBodyHandle) {
        let body = self.bodies.get(handle);
        if body.is_some_and(is_settled) {
            self.settled.note(body, false);
            self.make_anew(handle, RigidBodyType::Dynamic);
        }
    }

    /// The fixed pieces in or at a box, sorted.
    fn settled_in(&self, bounds: Aabb) -> Vec<RigidBodyHandle> {
        let query = self.query(QueryFilter::only_fixed());
        let near = query.intersect_aabb_conservative(bounds.loosened(TOUCH));
        let settled = |(_, collider): (ColliderHandle, &Collider)| {
            let parent = collider.parent()?;
            self.bodies.get(parent).filter(|body| is_settled(body))?;
            Some(parent)
        };
        let mut found: Vec<RigidBodyHandle> = near.filter_map(settled).collect();
        found.sort_unstable_by_key(|handle| handle.into_raw_parts());
        found.dedup();
        found
    }
}
