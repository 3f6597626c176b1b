//! Freezing: pieces that have slept for a while become fixed bodies.
//!
//! Rapier lets a heap sleep and wake only as a whole, so that a pebble that lands on a field of 20,000
//! pieces would wake them all. A frozen piece costs nothing, carries what falls on it, and breaks as
//! before. A hard push, or the loss of its support, thaws it, and with it the pieces that lie on it.

use std::collections::VecDeque;

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyHandle, RigidBodyType};
use rapier3d::geometry::{Aabb, Collider, ColliderHandle};
use rapier3d::pipeline::QueryFilter;
use rapier3d::prelude::BoundingVolume;

use super::external::BodyRef;
use super::physics::Physics;
use super::shadow::{ShadowBodies, ShadowBody};
use super::sleep::SleepTuning;
use super::user_data::{center_of_mass, is_piece, piece_id};
use crate::types::BodyId;

/// Pieces of awake heaps that are frozen in one step at most: all at once would be felt by their
/// neighbours.
const MAX_FROZEN_AWAKE: usize = 64;

/// Distance within which pieces lie on each other, metres.
const TOUCH_DISTANCE: f32 = 0.02;

/// Distance to an active shadow body that has not stayed where it is for long, within which pieces of awake heaps are not
/// frozen, metres.
const SHADOW_DISTANCE: f32 = 3.0;

/// Speed that a push would have to give a piece to thaw it, m/s.
const THAW_SPEED: f32 = 0.3;

/// Whether a body is fast enough to thaw what is ahead of it in a step of `dt` seconds.
pub(super) fn may_thaw(shadow: &ShadowBody, gravity: Vec3, dt: f32) -> bool {
    shadow.speed_without_fall(gravity, dt) > THAW_SPEED
}

/// Frozen pieces, and sleeping ones that will be.
#[derive(Default)]
pub(super) struct Frozen {
    /// Sleeping pieces with the time at which they are frozen, earliest first.
    sleeping: VecDeque<(RigidBodyHandle, f64)>,
    /// Time since the start, seconds.
    clock: f64,
    /// Time that a piece sleeps before it is frozen, seconds; infinite freezes none.
    pub freeze_after: f32,
    /// Number of frozen pieces.
    pub count: usize,
    /// Pieces that have been frozen (true) or thawed since the last look, in order.
    pub changes: Vec<(BodyId, bool)>,
    /// Bodies that were reinserted since the last step: their contacts have lost their offsets.
    pub reinserted: Vec<RigidBodyHandle>,
}

/// Whether a body is a frozen piece.
pub(super) fn is_frozen(body: &RigidBody) -> bool {
    body.is_fixed() && is_piece(body)
}

impl Frozen {
    pub fn new(freeze_after: f32) -> Self {
        Self {
            freeze_after,
            ..Self::default()
        }
    }

    /// Moves the clock on, seconds.
    pub fn advance_clock(&mut self, dt: f32) {
        self.clock += f64::from(dt);
    }

    /// Whether any piece is due to be frozen in so many steps of `dt` seconds.
    pub fn is_any_due(&self, steps: usize, dt: f32) -> bool {
        let clock = (0..steps).fold(self.clock, |clock, _| clock + f64::from(dt));
        let earliest = self.sleeping.front();
        self.freeze_after.is_finite() && earliest.is_some_and(|(_, due)| *due <= clock)
    }

    /// Queues pieces that have fallen asleep in a step, and freezes those that have slept long enough,
    /// together with those that have been stuck for long. `moved` were awake before the step.
    pub fn update(
        &mut self,
        physics: &mut Physics,
        shadows: &ShadowBodies,
        moved: impl Iterator<Item = RigidBodyHandle>,
        sleep: &SleepTuning,
    ) {
        self.advance_clock(physics.parameters.dt);
        if !self.freeze_after.is_finite() {
            return;
        }
        let due = self.clock + f64::from(self.freeze_after);
        let asleep = moved.filter(|handle| is_asleep(physics, *handle));
        self.sleeping.extend(asleep.map(|handle| (handle, due)));
        let shadow_boxes = shadows.active_bounds(physics, TOUCH_DISTANCE);
        // A heap that fell asleep as a whole is frozen as a whole: the pieces that are left out are woken.
        while let Some(handle) = self.next_due() {
            if is_asleep(physics, handle) {
                self.freeze(physics, handle, &shadow_boxes);
            }
        }
        // Bodies that come to rest on an awake heap, or go about on it, must not feel some of it stiffen.
        let active = shadows.active().map(|shadow| shadow.handle);
        let restless = active.filter(|body| physics.is_awake(*body) && !sleep.has_stayed(*body));
        let boxes = restless.filter_map(|body| physics.bounds(body));
        let boxes: Vec<Aabb> = boxes.map(|own| own.loosened(SHADOW_DISTANCE)).collect();
        let most = self.count + MAX_FROZEN_AWAKE;
        for &handle in &sleep.freezable {
            if self.count == most {
                break;
            }
            self.freeze(physics, handle, &boxes);
        }
    }

    fn next_due(&mut self) -> Option<RigidBodyHandle> {
        let due = |(_, due): &(RigidBodyHandle, f64)| *due <= self.clock;
        self.sleeping.front().filter(|sleeping| due(sleeping))?;
        self.sleeping.pop_front().map(|(handle, _)| handle)
    }

    fn freeze(&mut self, physics: &mut Physics, handle: RigidBodyHandle, shadow_boxes: &[Aabb]) {
        let body = physics.bodies.get(handle);
        let Some(id) = body.filter(|body| body.is_dynamic()).and_then(piece_id) else {
            return;
        };
        let bounds = physics.bounds(handle);
        let is_near = |bounds: Aabb| shadow_boxes.iter().any(|other| other.intersects(&bounds));
        if !bounds.is_some_and(is_near) {
            self.count += 1;
            self.changes.push((id, true));
            self.reinsert(physics, handle, RigidBodyType::Fixed);
        }
    }

    fn reinsert(
        &mut self,
        physics: &mut Physics,
        handle: RigidBodyHandle,
        body_type: RigidBodyType,
    ) {
        self.reinserted.extend(physics.reinsert(handle, body_type));
    }

    /// Counts a body that is removed.
    pub fn note_removed(&mut self, body: &RigidBody) {
        if is_frozen(body) {
            self.count = self.count.saturating_sub(1);
        }
    }

    /// Thaws a piece, and those that lie on it, if it is frozen.
    pub fn thaw(&mut self, physics: &mut Physics, handle: RigidBodyHandle) {
        if physics.bodies.get(handle).is_some_and(is_frozen) {
            let thawed = self.thaw_joined(physics, handle);
            self.thaw_above(physics, thawed);
        }
    }

    /// Thaws a piece and all that it is joined to. Returns their boxes.
    fn thaw_joined(&mut self, physics: &mut Physics, handle: RigidBodyHandle) -> Vec<Aabb> {
        let piece = physics.bodies.get(handle).and_then(piece_id);
        let joined = piece.map(|piece| physics.welds.joined(piece));
        let mut thawed = Vec::new();
        for piece in joined.unwrap_or_default() {
            let handle = physics.handle(BodyRef::Breakable(piece));
            let is_frozen =
                |handle: &RigidBodyHandle| physics.bodies.get(*handle).is_some_and(is_frozen);
            if let Some(handle) = handle.filter(is_frozen) {
                thawed.extend(physics.bounds(handle));
                self.thaw_one(physics, handle);
            }
        }
        thawed
    }

    fn thaw_one(&mut self, physics: &mut Physics, handle: RigidBodyHandle) {
        let body = physics.bodies.get(handle).filter(|body| is_frozen(body));
        if let Some(body) = body {
            self.count = self.count.saturating_sub(1);
            self.changes.extend(piece_id(body).map(|id| (id, false)));
            self.reinsert(physics, handle, RigidBodyType::Dynamic);
        }
    }

    /// Thaws the frozen pieces that lie on boxes, and those that lie on them.
    fn thaw_above(&mut self, physics: &mut Physics, mut open: Vec<Aabb>) {
        let up = -physics.gravity.normalize_or_zero();
        while let Some(below) = open.pop() {
            let height = below.center().dot(up);
            for handle in frozen_in(physics, below) {
                let body = physics.bodies.get(handle);
                if body.is_some_and(|body| center_of_mass(body).dot(up) > height) {
                    open.extend(self.thaw_joined(physics, handle));
                }
            }
        }
    }

    /// Thaws pieces that touch a box in which a body has moved, and those that lie on them.
    pub fn thaw_around(&mut self, physics: &mut Physics, bounds: Option<Aabb>) {
        let Some(bounds) = bounds.filter(|_| self.count > 0) else {
            return; // the common case
        };
        for handle in frozen_in(physics, bounds) {
            self.thaw(physics, handle);
        }
    }

    /// Thaws all pieces.
    pub fn thaw_all(&mut self, physics: &mut Physics) {
        let frozen = physics.bodies.iter().filter(|(_, body)| is_frozen(body));
        let frozen: Vec<RigidBodyHandle> = frozen.map(|(handle, _)| handle).collect();
        for handle in frozen {
            self.thaw_one(physics, handle);
        }
    }

    /// Thaws the pieces that active shadow bodies are about to push in a step of `dt` seconds: against
    /// fixed bodies they would lose their speed.
    pub fn thaw_ahead(&mut self, physics: &mut Physics, shadows: &ShadowBodies, dt: f32) {
        if self.count == 0 {
            return;
        }
        let mut pushes = Vec::new();
        let gravity = physics.gravity;
        for shadow in shadows.active().filter(|own| may_thaw(own, gravity, dt)) {
            let (speed, body) = (shadow.speed(), physics.bodies.get(shadow.handle));
            if let Some((body, bounds)) = body.zip(physics.bounds(shadow.handle)) {
                let ahead = frozen_in(physics, bounds.loosened(speed * dt));
                pushes.push((ahead, body.mass() * speed));
            }
        }
        for (pieces, momentum) in pushes {
            self.thaw_pushed(physics, pieces, momentum);
        }
    }

    /// Thaws the pieces that bodies in a collision have pushed hard; `struck` is sorted.
    pub fn thaw_struck<'a>(
        &mut self,
        physics: &mut Physics,
        struck: impl Iterator<Item = &'a RigidBodyHandle>,
    ) {
        if self.count == 0 {
            return;
        }
        let mut pushes = Vec::new();
        for &handle in struck {
            let contacts = physics.contacts(handle);
            let frozen = contacts
                .filter(|(other, _)| physics.bodies.get(*other).is_some_and(is_frozen))
                .map(|(other, pair)| (other, pair.total_impulse_magnitude()));
            pushes.extend(frozen);
        }
        pushes.sort_unstable_by_key(|(handle, _)| handle.into_raw_parts());
        for (handle, impulse) in pushes {
            self.thaw_pushed(physics, vec![handle], impulse);
        }
    }

    /// Thaws as many pieces as a momentum, kg m/s, can push: the given ones, those that touch them, and
    /// so on.
    fn thaw_pushed(&mut self, physics: &mut Physics, pieces: Vec<RigidBodyHandle>, momentum: f32) {
        let mut mass_left = momentum / THAW_SPEED;
        let mut open = VecDeque::from(pieces);
        let mut thawed = Vec::new();
        while let Some(handle) = open.pop_front() {
            let body = physics.bodies.get(handle).filter(|body| is_frozen(body));
            let Some((body, bounds)) = body.zip(physics.bounds(handle)) else {
                continue;
            };
            let mass = body.mass();
            if mass <= mass_left {
                mass_left -= mass;
                thawed.extend(self.thaw_joined(physics, handle));
                open.extend(frozen_in(physics, bounds));
            }
        }
        self.thaw_above(physics, thawed);
    }
}

fn is_asleep(physics: &Physics, handle: RigidBodyHandle) -> bool {
    let body = physics.bodies.get(handle);
    body.is_some_and(RigidBody::is_sleeping)
}

/// The frozen pieces in or at a box, sorted.
fn frozen_in(physics: &Physics, bounds: Aabb) -> Vec<RigidBodyHandle> {
    let query = physics.query(QueryFilter::only_fixed());
    let near = query.intersect_aabb_conservative(bounds.loosened(TOUCH_DISTANCE));
    let frozen = |(_, collider): (ColliderHandle, &Collider)| {
        let parent = collider.parent()?;
        physics.bodies.get(parent).filter(|body| is_frozen(body))?;
        Some(parent)
    };
    let mut pieces: Vec<RigidBodyHandle> = near.filter_map(frozen).collect();
    pieces.sort_unstable_by_key(|handle| handle.into_raw_parts());
    pieces.dedup();
    pieces
}
