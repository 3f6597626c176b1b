//! Bodies that the embedding layer's physics and the debris both move.
//!
//! The embedding layer steps first and knows nothing of debris. Then the debris world does the same
//! step over for a stand-in of the same mass and shape, with everything that the embedding layer did
//! to it and with the debris in its way; where it touches debris, its pose and velocity are handed
//! back. So both worlds see one motion in one frame, and a ball on a pile rests as still as in a
//! single world. Handing back velocities alone leaves it trembling at 0.3 m/s, and a frame of delay
//! throws it about at 10 m/s.

use rapier3d::dynamics::{RigidBody, RigidBodyHandle};
use rapier3d::pipeline::ActiveHooks;

use super::body::ShadowBody;
use crate::debris::extent::motion;
use crate::debris::external::{BodyRef, MassDesc};
use crate::debris::tag::is_piece;
use crate::debris::world::DebrisWorld;
use crate::types::{BodyId, Motion};

impl DebrisWorld {
    /// Couples a stand-in to its body from now on.
    pub(in crate::debris) fn couple(
        &mut self,
        owner: BodyRef,
        handle: RigidBodyHandle,
        dynamics: &MassDesc,
        motion: &Motion,
    ) {
        if let Some(body) = self.bodies.get_mut(handle) {
            body.recompute_mass_properties_from_colliders(&self.colliders);
            for collider in body.colliders() {
                if let Some(collider) = self.colliders.get_mut(*collider) {
                    collider.set_active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS);
                }
            }
        }
        let coupled = ShadowBody::new(handle, dynamics, *motion);
        self.coupled.insert(owner, coupled);
    }

    /// Tells what the embedding layer's step has made of a body; `false` when it is not coupled.
    pub(in crate::debris) fn report(&mut self, owner: BodyRef, motion: Motion) -> bool {
        let coupled = self.coupled.get_mut(&owner);
        coupled.map(|coupled| coupled.now = motion).is_some()
    }

    /// Whether a body's motion is shared with the embedding layer's physics.
    pub fn is_coupled(&self, owner: BodyRef) -> bool {
        self.coupled.contains_key(&owner)
    }

    /// Lets a body go through pieces for some steps.
    pub fn ignore_pairs_for(&mut self, body: BodyRef, pieces: &[BodyId], steps: u32) {
        for piece in pieces {
            self.hooks
                .passages
                .open(body, BodyRef::Breakable(*piece), steps);
        }
    }

    /// Bodies that have touched debris in the last step, or what lies on debris, and their motion
    /// after it.
    pub fn corrected_motions(&self) -> impl Iterator<Item = (BodyRef, Motion)> + '_ {
        let touching = self.coupled.iter().filter(|(_, coupled)| coupled.touching);
        touching.map(|(owner, coupled)| (*owner, coupled.before))
    }

    /// Gives the stand-ins what the embedding layer did to their bodies in `dt` seconds.
    pub(in crate::debris) fn exchange_in(&mut self, dt: f32) {
        for coupled in self.coupled.values() {
            if !self.is_disturbed(coupled, dt) {
                continue;
            }
            let is_ground = |body: &RigidBody| !body.is_dynamic() && !is_piece(body);
            let grounded = coupled.touching && self.touches(coupled.handle, is_ground);
            let Some(body) = self.bodies.get_mut(coupled.handle) else {
                continue;
            };
            match coupled.engaged {
                true => coupled.begin(body, grounded, self.gravity, dt),
                false => body.set_position(coupled.now.pose, false),
            }
        }
    }

    /// Whether the embedding layer did anything to a body that its stand-in does not know of.
    pub(in crate::debris) fn is_disturbed(&self, coupled: &ShadowBody, dt: f32) -> bool {
        let left_alone = |body: &RigidBody| match coupled.engaged {
            true => coupled.is_left_alone(body, self.gravity, dt),
            false => *body.position() == coupled.now.pose,
        };
        let body = self.bodies.get(coupled.handle);
        body.is_some_and(|body| !left_alone(body))
    }

    /// Sees which stand-ins touched debris, and what became of them.
    pub(in crate::debris) fn exchange_out(&mut self) {
        let mut coupled = std::mem::take(&mut self.coupled);
        for body in coupled.values_mut() {
            if !body.engaged {
                body.touching = false;
            } else if self.is_awake(body.handle) {
                body.touching = self.touches(body.handle, is_piece);
            }
        }
        // What rests on a body that rests on debris is moved by debris as well.
        let mut spreads = coupled.values().any(|body| body.touching);
        while spreads {
            let touched = |body: &RigidBody| {
                let owner = BodyRef::of(body).filter(|_| body.is_dynamic());
                owner.is_some_and(|owner| coupled.get(&owner).is_some_and(|c| c.touching))
            };
            let awake = |c: &&ShadowBody| !c.touching && self.is_awake(c.handle);
            let next = coupled
                .iter()
                .find(|(_, c)| awake(c) && self.touches(c.handle, touched))
                .map(|(owner, _)| *owner);
            spreads = next.is_some();
            if let Some(body) = next.and_then(|owner| coupled.get_mut(&owner)) {
                body.touching = true;
            }
        }
        for body in coupled.values_mut() {
            let moved = self.bodies.get(body.handle).filter(|_| body.touching);
            body.before = moved.map_or(body.now, motion);
            body.now = body.before;
        }
        self.coupled = coupled;
    }

    fn is_awake(&self, handle: RigidBodyHandle) -> bool {
        let body = self.bodies.get(handle);
        body.is_some_and(|body| !body.is_sleeping())
    }

    /// Whether a body is in contact with one of some kind.
    fn touches(&self, handle: RigidBodyHandle, kind: impl Fn(&RigidBody) -> bool) -> bool {
        let colliders = self.bodies.get(handle).map_or(&[][..], |b| b.colliders());
        colliders.iter().any(|&collider| {
            let pairs = self.narrow_phase.contact_pairs_with(collider);
            pairs
                .filter(|pair| pair.has_any_active_contact())
                .any(|pair| {
                    let other = match pair.collider1 == collider {
                        true => pair.collider2,
                        false => pair.collider1,
                    };
                    let parent = self.colliders.get(other).and_then(|other| other.parent());
                    let other = parent.and_then(|parent| self.bodies.get(parent));
                    other.is_some_and(&kind)
                })
        })
    }
}
