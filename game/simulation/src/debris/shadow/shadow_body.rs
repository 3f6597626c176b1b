//! One shadow body, and what the engine's step did to the body that it shadows.

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyHandle};

use crate::debris::external::MassDesc;
use crate::types::Motion;

/// Change of velocity in a step, in multiples of gravity's, above which it was a collision and is applied
/// at the start of the step; a smaller one was a force, such as that of a support, and is applied
/// throughout.
const COLLISION_FACTOR: f32 = 2.0;

/// Upward change of velocity that a support may cause in a step, in multiples of gravity's; more has
/// another cause.
const MAX_SUPPORT: f32 = 1.5;

/// Sideways change of velocity that a support's friction may cause, in multiples of the upward one.
const MAX_SUPPORT_FRICTION: f32 = 1.0;

/// Speed by which a sleeping shadow body may differ from the engine's body, m/s: less than two steps of
/// falling.
const STILL_SPEED: f32 = 0.05;

/// Distance from where its velocity takes it at which a body has been teleported: metres, and multiples
/// of its way.
const TELEPORT_DISTANCE: f32 = 0.1;
const TELEPORT_FACTOR: f32 = 1.5;

/// The shadow of a body that the engine's physics moves.
pub(in crate::debris) struct ShadowBody {
    pub handle: RigidBodyHandle,
    /// Whether it takes part in the debris' physics; otherwise it only follows the engine's body.
    pub active: bool,
    pub(super) gravity_scale: f32,
    /// Whether it cannot turn: a character, whose velocity a script sets.
    is_upright: bool,
    /// Motion at the start of the engine's last step.
    pub before: Motion,
    /// Motion after that step.
    pub now: Motion,
    /// Whether it touched debris in the last step.
    pub touching: bool,
}

/// Change of velocities in a step.
#[derive(Clone, Copy)]
struct VelocityChange {
    /// m/s.
    linear: Vec3,
    /// rad/s.
    angular: Vec3,
}

impl ShadowBody {
    pub(super) fn new(handle: RigidBodyHandle, mass: &MassDesc, motion: Motion) -> Self {
        Self {
            handle,
            active: true,
            gravity_scale: mass.gravity_scale,
            is_upright: mass.locked_rotations == [true; 3],
            before: motion,
            now: motion,
            touching: false,
        }
    }

    /// The greater of its speeds before and after the engine's step, m/s.
    pub fn speed(&self) -> f32 {
        let [now, before] = [self.now, self.before].map(|motion| motion.linear.length());
        now.max(before)
    }

    /// The greater of its speeds before and after the engine's step, m/s, less what it fell in this step: the engine has
    /// what rests on debris fall anew in each.
    pub fn speed_without_fall(&self, gravity: Vec3, dt: f32) -> f32 {
        let after = self.now.linear - self.fall(gravity, dt);
        after.length().max(self.before.linear.length())
    }

    /// The change of velocity by which it falls in a step, m/s.
    fn fall(&self, gravity: Vec3, dt: f32) -> Vec3 {
        gravity * self.gravity_scale * dt
    }

    /// The change of velocities in the engine's step that gravity does not explain.
    fn change(&self, gravity: Vec3, dt: f32) -> VelocityChange {
        VelocityChange {
            linear: self.now.linear - self.before.linear - self.fall(gravity, dt),
            angular: self.now.angular - self.before.angular,
        }
    }

    fn was_teleported(&self, dt: f32) -> bool {
        let way = self.now.pose.translation - self.before.pose.translation;
        // A body whose origin is not its centre moves by turning, too.
        let turning = self.now.angular.length().max(self.before.angular.length());
        let expected = TELEPORT_FACTOR * (self.speed() + turning) * dt;
        way.length() > TELEPORT_DISTANCE + expected
    }

    /// Whether it lies still in the engine: what holds it there is no reason to stay awake here.
    fn is_still(&self) -> bool {
        let has_no_velocity = self.now.linear == Vec3::ZERO && self.now.angular == Vec3::ZERO;
        has_no_velocity && self.now == self.before
    }

    /// Whether the shadow body sleeps and nothing has happened to the engine's body.
    pub(super) fn is_undisturbed(&self, body: &RigidBody, gravity: Vec3, dt: f32) -> bool {
        let change = self.change(gravity, dt);
        // A body that sleeps in the engine as well does not even fall.
        let is_asleep = self.now.linear == Vec3::ZERO && self.before.linear.length() < STILL_SPEED;
        body.is_sleeping()
            && (change.linear.length() < STILL_SPEED || is_asleep)
            && change.angular.length() < STILL_SPEED
            && *body.position() == self.before.pose
            && !self.was_teleported(dt)
    }

    /// Whether a change of velocity is that by the ground on which the body stands, with its friction.
    fn is_support(&self, linear: Vec3, gravity: Vec3, dt: f32) -> bool {
        let fall = self.fall(gravity, dt);
        let up = -fall.normalize_or_zero();
        let lift = linear.dot(up);
        let sideways = (linear - lift * up).length();
        !self.is_upright
            && lift > 0.0
            && lift < MAX_SUPPORT * fall.length()
            && sideways < MAX_SUPPORT_FRICTION * lift
    }

    /// Starts the step that the engine has done already. A support by the ground is left out if the
    /// ground supports the body here as well (`is_grounded`): two supports, by contacts of different
    /// stiffness, would make a body tremble that lies half on the ground and half on debris.
    pub(super) fn begin_step(
        &self,
        body: &mut RigidBody,
        is_grounded: bool,
        gravity: Vec3,
        dt: f32,
    ) {
        body.reset_forces(false);
        let mut start = self.before;
        let mut change = self.change(gravity, dt);
        if is_grounded && self.is_support(change.linear, gravity, dt) {
            change = VelocityChange {
                linear: Vec3::ZERO,
                angular: Vec3::ZERO,
            };
        }
        start.angular += change.angular;
        if self.was_teleported(dt) {
            start = self.now;
        } else if change.linear.length() > COLLISION_FACTOR * gravity.length() * dt {
            start.linear += change.linear;
        } else {
            body.add_force(change.linear * (body.mass() / dt), false);
        }
        if *body.position() != start.pose {
            body.set_position(start.pose, false);
        }
        if body.linvel() != start.linear || body.angvel() != start.angular {
            body.set_linvel(start.linear, false);
            body.set_angvel(start.angular, false);
        }
        let was_moved =
            change.linear.length() > STILL_SPEED || change.angular.length() > STILL_SPEED;
        if was_moved && !self.is_still() {
            body.wake_up(true);
        }
    }
}
