//! A stand-in for a body that the embedding layer's physics moves freely.

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyBuilder, RigidBodyHandle};
use rapier3d::prelude::MassProperties;

use crate::debris::external::MassDesc;
use crate::types::Motion;

/// A change of velocity by more than this many times gravity's in a step was a blow, and is there at
/// the start of the step; a smaller one was a force, as of a support, and acts all along.
const BLOW: f32 = 2.0;

/// What a support does in a step, as a share of what gravity does, and of that what its friction does: more
/// is something else.
const SUPPORT: (f32, f32) = (1.5, 1.0);

/// What a sleeping stand-in may be off, m/s: less than two steps of falling in its place.
const STILL: f32 = 0.05;

/// A body that is farther from where its velocity takes it than this, metres, and this many times
/// its way, was put there by hand.
const TELEPORT: (f32, f32) = (0.1, 1.5);

/// A stand-in for a body that the embedding layer moves freely.
pub(in crate::debris) struct ShadowBody {
    pub handle: RigidBodyHandle,
    /// Whether it takes part in the debris' physics, and whether it is to.
    pub engaged: bool,
    pub wanted: bool,
    gravity_scale: f32,
    /// Whether it cannot turn: a character, whose velocity a script sets.
    upright: bool,
    /// What the embedding layer's last step began with.
    pub before: Motion,
    /// What it came to.
    pub now: Motion,
    /// Whether debris took part in the last step.
    pub touching: bool,
}

impl MassDesc {
    /// A rigid body of this kind; its parts come with the colliders.
    pub(in crate::debris) fn builder(&self, motion: &Motion) -> RigidBodyBuilder {
        let [x, y, z] = self.locked_rotations.map(|locked| !locked);
        let body = RigidBodyBuilder::dynamic()
            .pose(motion.pose)
            .linvel(motion.linear)
            .angvel(motion.angular)
            .gravity_scale(self.gravity_scale)
            .enabled_rotations(x, y, z)
            .dominance_group(self.dominance)
            .ccd_enabled(self.ccd_enabled);
        let body = match self.locked_translations {
            true => body.lock_translations(),
            false => body,
        };
        match self.additional_inertia {
            None => body.additional_mass(self.additional_mass),
            Some((center, inertia)) => {
                let mass = MassProperties::new(center, self.additional_mass, inertia);
                body.additional_mass_properties(mass)
            }
        }
    }
}

impl ShadowBody {
    pub fn new(handle: RigidBodyHandle, dynamics: &MassDesc, motion: Motion) -> Self {
        Self {
            handle,
            engaged: true,
            wanted: true,
            gravity_scale: dynamics.gravity_scale,
            upright: dynamics.locked_rotations == [true; 3],
            before: motion,
            now: motion,
            touching: false,
        }
    }

    /// The faster of its speeds before and after the embedding layer's step, m/s.
    pub fn speed(&self) -> f32 {
        let [now, before] = [self.now, self.before].map(|motion| motion.linear.length());
        now.max(before)
    }

    /// What the embedding layer's step changed besides gravity, m/s.
    fn change(&self, gravity: Vec3, dt: f32) -> [Vec3; 2] {
        let fall = gravity * self.gravity_scale * dt;
        [
            self.now.linear - self.before.linear - fall,
            self.now.angular - self.before.angular,
        ]
    }

    fn was_teleported(&self, dt: f32) -> bool {
        let way = self.now.pose.translation - self.before.pose.translation;
        // A body whose origin is not its centre moves by turning, too.
        let turning = self.now.angular.length().max(self.before.angular.length());
        let expected = TELEPORT.1 * (self.speed() + turning) * dt;
        way.length() > TELEPORT.0 + expected
    }

    /// Whether the embedding layer lets it lie: what holds it there is no reason to stay awake here.
    fn rests(&self) -> bool {
        let still = self.now.linear == Vec3::ZERO && self.now.angular == Vec3::ZERO;
        still && self.now == self.before
    }

    /// Whether it sleeps and nothing has happened to it.
    pub fn is_left_alone(&self, body: &RigidBody, gravity: Vec3, dt: f32) -> bool {
        let [linear, angular] = self.change(gravity, dt);
        // What fell asleep over there as well does not even fall.
        let asleep = self.now.linear == Vec3::ZERO && self.before.linear.length() < STILL;
        let undisturbed = linear.length() < STILL || asleep;
        body.is_sleeping()
            && undisturbed
            && angular.length() < STILL
            && *body.position() == self.before.pose
            && !self.was_teleported(dt)
    }

    /// Whether a change of velocity is what the ground does to what stands on it, and rubs on it.
    fn is_support(&self, linear: Vec3, gravity: Vec3, dt: f32) -> bool {
        let fall = gravity * self.gravity_scale * dt;
        let up = -fall.normalize_or_zero();
        let lift = linear.dot(up);
        let aside = (linear - lift * up).length();
        !self.upright && lift > 0.0 && lift < SUPPORT.0 * fall.length() && aside < SUPPORT.1 * lift
    }

    /// Starts the step that the embedding layer has done already. What lies on the ground here as well
    /// is supported by that: to be supported twice, by contacts that give way differently, makes what
    /// lies half on the ground and half on debris tremble.
    pub fn begin(&self, body: &mut RigidBody, grounded: bool, gravity: Vec3, dt: f32) {
        body.reset_forces(false);
        let mut start = self.before;
        let [mut linear, mut angular] = self.change(gravity, dt);
        if grounded && self.is_support(linear, gravity, dt) {
            [linear, angular] = [Vec3::ZERO; 2];
        }
        start.angular += angular;
        if self.was_teleported(dt) {
            start = self.now;
        } else if linear.length() > BLOW * gravity.length() * dt {
            start.linear += linear;
        } else {
            body.add_force(linear * (body.mass() / dt), false);
        }
        if *body.position() != start.pose {
            body.set_position(start.pose, false);
        }
        if body.linvel() != start.linear || body.angvel() != start.angular {
            body.set_linvel(start.linear, false);
            body.set_angvel(start.angular, false);
        }
        let moved = linear.length() > STILL || angular.length() > STILL;
        if moved && !self.rests() {
            body.wake_up(true);
        }
    }
}
