//! Exchange of motions between the engine's bodies and their shadows, before and after a step.

use rapier3d::dynamics::RigidBody;

use super::shadow_body::ShadowBody;
use super::ShadowBodies;
use crate::debris::external::BodyRef;
use crate::debris::physics::Physics;
use crate::debris::user_data::{is_piece, motion};
use crate::types::Motion;

/// Part of the way in a step by which a body stays behind that was stopped on it.
const MIN_SHORT: f32 = 0.01;

impl ShadowBodies {
    /// Takes the motion of a body after the engine's step; `false` if it has no shadow.
    pub fn set_motion(&mut self, owner: BodyRef, motion: Motion) -> bool {
        let shadow = self.by_owner.get_mut(&owner);
        shadow.map(|shadow| shadow.now = motion).is_some()
    }

    /// Bodies that touched debris in the last step, or a body that lies on debris, with their motions
    /// after it.
    pub fn corrected_motions(&self) -> impl Iterator<Item = (BodyRef, Motion)> + '_ {
        let touching = self.by_owner.iter().filter(|(_, shadow)| shadow.touching);
        touching.map(|(owner, shadow)| (*owner, shadow.before))
    }

    /// Has the next step begin where the engine's last one ended.
    pub fn accept_engine_step(&mut self) {
        for shadow in self.by_owner.values_mut() {
            shadow.before = shadow.now;
        }
    }

    /// Does to the shadows what the engine did to their bodies in `dt` seconds.
    pub fn sync_in(&self, physics: &mut Physics, dt: f32) {
        for shadow in self.by_owner.values() {
            if !is_disturbed(shadow, physics, dt) {
                continue;
            }
            let is_ground = |body: &RigidBody| !body.is_dynamic() && !is_piece(body);
            let is_grounded = shadow.touching && physics.touches(shadow.handle, is_ground);
            let gravity = physics.gravity;
            let Some(body) = physics.bodies.get_mut(shadow.handle) else {
                continue;
            };
            if shadow.active {
                shadow.begin_step(body, is_grounded, gravity, dt);
            } else {
                body.set_position(shadow.now.pose, false);
            }
        }
    }

    /// Whether the engine did anything to a body in `dt` seconds that its shadow has not done.
    pub fn is_any_disturbed(&self, physics: &Physics, dt: f32) -> bool {
        let mut shadows = self.by_owner.values();
        shadows.any(|shadow| is_disturbed(shadow, physics, dt))
    }

    /// Determines which shadows touched debris, or are about to, and takes their motions after the step. Debris through
    /// which a body is let does not stop it, whatever continuous collision detection says.
    pub fn sync_out(&mut self, physics: &Physics, is_let_through: impl Fn(BodyRef) -> bool) {
        for (owner, shadow) in &mut self.by_owner {
            if !shadow.active {
                shadow.touching = false;
            } else if physics.is_awake(shadow.handle) {
                shadow.touching = physics.touches(shadow.handle, is_piece)
                    || (is_stopped_short(shadow, physics) && !is_let_through(*owner));
            }
        }
        self.spread_touching(physics);
        for shadow in self.by_owner.values_mut() {
            let moved = physics.bodies.get(shadow.handle).map(motion);
            // A body without size or mass may come out of a step without a place: it stays where the engine has it.
            let moved = moved.filter(|moved| shadow.touching && moved.check().is_ok());
            shadow.before = moved.unwrap_or(shadow.now);
            shadow.now = shadow.before;
        }
    }

    /// Marks bodies that touch a marked one: a body on one that lies on debris is moved by debris as well.
    fn spread_touching(&mut self, physics: &Physics) {
        let touching = self.by_owner.iter().filter(|(_, shadow)| shadow.touching);
        self.open.clear();
        self.open.extend(touching.map(|(owner, _)| *owner));
        while let Some(owner) = self.open.pop() {
            let Some(handle) = self.by_owner.get(&owner).map(|shadow| shadow.handle) else {
                continue;
            };
            let body = physics.bodies.get(handle);
            if !body.is_some_and(RigidBody::is_dynamic) {
                continue;
            }
            let contacts = physics.contacts(handle);
            for (other, _) in contacts.filter(|(_, pair)| pair.has_any_active_contact()) {
                let other = physics.bodies.get(other).and_then(BodyRef::from_user_data);
                let shadow = other.and_then(|other| self.by_owner.get_mut(&other));
                let Some(shadow) = shadow.filter(|shadow| !shadow.touching) else {
                    continue;
                };
                if physics.is_awake(shadow.handle) {
                    shadow.touching = true;
                    self.open.extend(other);
                }
            }
        }
    }
}

/// Whether continuous collision detection has stopped a body on its way, which the engine has not: in front of debris,
/// which it touches only in the next step.
fn is_stopped_short(shadow: &ShadowBody, physics: &Physics) -> bool {
    let way = shadow.now.pose.translation - shadow.before.pose.translation;
    let body = physics.bodies.get(shadow.handle);
    body.is_some_and(|body| {
        let short = shadow.now.pose.translation - body.translation();
        body.is_ccd_active() && short.dot(way) > MIN_SHORT * way.length_squared()
    })
}

/// Whether the engine did anything to a body that its shadow has not done.
fn is_disturbed(shadow: &ShadowBody, physics: &Physics, dt: f32) -> bool {
    let Some(body) = physics.bodies.get(shadow.handle) else {
        return false;
    };
    let is_undisturbed = if shadow.active {
        shadow.is_undisturbed(body, physics.gravity, dt)
    } else {
        *body.position() == shadow.now.pose
    };
    !is_undisturbed
}
