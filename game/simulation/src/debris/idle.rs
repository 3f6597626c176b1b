//! A world in which nothing moves and nothing has changed need not be stepped.
//!
//! The physics engine looks at every collider and every pair in each step, asleep or not: 2 ms for 10,000
//! pieces that lie. So a step is left out when it would do nothing but look: no body is awake, nothing
//! that it is made of has been in anyone's hands, and no piece is about to be fixed. What wakes a world is
//! therefore not listed anywhere: whatever changes one has to touch what is [`Tracked`](super::tracked).

use super::freeze::FREEING;
use super::shadow::ShadowBody;
use super::step::parts;
use super::world::DebrisWorld;

/// Steps in which nothing happened, after which the next ones would be the same: what was changed before
/// the first of them the physics engine still works off, such as pairs that have come apart.
const SURE: u32 = 2;

impl DebrisWorld {
    /// Whether a step of `dt` seconds would change nothing.
    pub fn is_still(&self, dt: f32) -> bool {
        #[cfg(test)]
        if self.restless {
            return false;
        }
        self.still_steps >= SURE
            && self.is_at_rest()
            && !self.settled.is_due(parts(dt))
            && self.coupled.values().all(|body| self.is_left(body, dt))
    }

    /// Whether nothing moves, and nothing has changed since the last step.
    pub(super) fn is_at_rest(&self) -> bool {
        !self.is_touched()
            && self.targets.is_empty()
            && self.islands.active_bodies().next().is_none()
    }

    /// Counts a step that began at rest or not.
    pub(super) fn count_still(&mut self, began_at_rest: bool) {
        self.still_steps = match began_at_rest && !self.is_touched() {
            true => self.still_steps.saturating_add(1),
            false => 0,
        };
    }

    /// Lets time pass in place of a step.
    pub(super) fn pass(&mut self, parts: usize) {
        for _ in 0..parts {
            self.settled.clock += f64::from(self.parameters.dt);
        }
    }

    /// Whether anything has been in someone's hands since the physics engine has stepped.
    pub(super) fn is_touched(&self) -> bool {
        self.bodies.is_touched()
            || self.colliders.is_touched()
            || self.impulse_joints.is_touched()
            || self.joints.is_touched()
    }

    /// The physics engine knows everything as it is now.
    pub(super) fn take_note(&mut self) {
        self.bodies.take_note();
        self.colliders.take_note();
        self.impulse_joints.take_note();
        self.joints.take_note();
    }

    /// Whether nothing is to be done to a stand-in, and it to nobody.
    fn is_left(&self, coupled: &ShadowBody, dt: f32) -> bool {
        let pushes = coupled.engaged && coupled.speed() > FREEING;
        !pushes && !self.is_disturbed(coupled, dt)
    }
}

#[cfg(test)]
mod tests;
