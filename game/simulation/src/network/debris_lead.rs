//! Pieces of debris on their way to where an authority has them: each is led there by small steps.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};

use super::debris_pose::{pose_with, DebrisPose};
use crate::types::{BodyId, Motion};

/// Part of the way that a piece is led in a frame.
const SHARE: f32 = 0.15;
/// Most metres that the middle of a piece is led in a frame, so that nothing is seen to jump.
pub const MAX_LEAD: f32 = 0.06;
/// Most radians that a piece is turned in a frame.
const MAX_TURN: f32 = 0.1;
/// Errors with which a piece is left alone: metres and radians.
const CLOSE: [f32; 2] = [0.004, 0.01];
/// Seconds for which a piece is led to where it rests.
const PATIENCE: f32 = 3.0;
/// Seconds for which one on its way is taken to fly on.
const FLIGHT: f32 = 0.15;

/// Pieces that are being led, by body.
#[derive(Default)]
pub(crate) struct DebrisFollowing {
    pub(super) leads: BTreeMap<BodyId, Lead>,
    /// Poses that were taken since the last step.
    pub(super) taken: usize,
}

/// Where a piece is led.
pub(crate) struct Lead {
    target: Motion,
    pub(super) at_rest: bool,
    /// The lower 24 bits of the authority's frame.
    frame: u32,
    /// Seconds since it was told.
    age: f32,
    pub(super) is_done: bool,
}

impl DebrisFollowing {
    pub(super) fn lead(&mut self, body: BodyId, frame: u32, pose: &DebrisPose) {
        // By 24 bits that go round.
        let is_newer = |own: &Lead| (frame.wrapping_sub(own.frame) & 0xff_ffff) < 1 << 23;
        if self
            .leads
            .get(&body)
            .is_some_and(|own| own.frame == frame || !is_newer(own))
        {
            return;
        }
        let lead = Lead {
            target: pose.motion,
            at_rest: pose.at_rest,
            frame,
            age: 0.0,
            is_done: false,
        };
        self.leads.insert(body, lead);
    }
}

impl Lead {
    /// Lets time pass: what was on its way flies on for a little, about the middle of its box in body space.
    pub(super) fn pass(&mut self, middle: Vec3, dt: f32, gravity: Vec3) {
        self.age += dt;
        if !self.at_rest && self.age < FLIGHT {
            let target = &mut self.target;
            let place = target.pose.transform_point(middle) + target.linear * dt;
            let [x, y, z] = (0.5 * dt * target.angular).to_array();
            let turn = Quat::from_xyzw(x, y, z, 1.0).normalize();
            let rotation = (turn * target.pose.rotation).normalize();
            target.pose = pose_with(middle, place, rotation);
            target.linear += gravity * dt;
        }
        let patience = if self.at_rest { PATIENCE } else { FLIGHT };
        self.is_done |= self.age >= patience;
    }

    /// The next motion of a piece on its way to the target; `None` where it is close.
    pub(super) fn step(&self, middle: Vec3, own: &Motion) -> Option<Motion> {
        let [place, to] = [&own.pose, &self.target.pose].map(|pose| pose.transform_point(middle));
        let way = to - place;
        let angle = own.pose.rotation.angle_between(self.target.pose.rotation);
        let [near, straight] = CLOSE;
        if way.length() < near && angle < straight {
            return None;
        }
        let lead = (way * SHARE).clamp_length_max(MAX_LEAD);
        let turn = SHARE.min(MAX_TURN / angle.max(MAX_TURN));
        let sign = own.pose.rotation.dot(self.target.pose.rotation).signum();
        let rotation = own.pose.rotation * (1.0 - turn) + self.target.pose.rotation * (sign * turn);
        Some(Motion {
            pose: pose_with(middle, place + lead, rotation.normalize()),
            linear: own.linear.lerp(self.target.linear, 2.0 * SHARE),
            angular: own.angular.lerp(self.target.angular, 2.0 * SHARE),
        })
    }
}

#[cfg(test)]
mod tests {
    use rapier3d::math::Pose;

    use super::*;

    #[test]
    fn a_piece_is_led_to_its_target_and_by_little_in_each_frame() {
        for index in 0..400 {
            let figure = |k: u32| ((index * 7919 + k * 104_729) % 2003) as f32 / 1001.5 - 1.0;
            let vector = |k| Vec3::new(figure(k), figure(k + 1), figure(k + 2));
            let pose = |k| {
                let rotation = Quat::from_array([k, k + 1, k + 2, k + 3].map(figure)).normalize();
                Pose::from_parts(3.0 * vector(k + 4), rotation)
            };
            let (middle, target) = (4.0 * vector(0), Motion::at(pose(3)));
            let lead = Lead {
                target,
                at_rest: true,
                frame: 0,
                age: 0.0,
                is_done: false,
            };
            let mut own = Motion::at(pose(13));
            for frame in 0.. {
                let Some(next) = lead.step(middle, &own) else {
                    break;
                };
                let places = [own, next].map(|motion| motion.pose.transform_point(middle));
                assert!(places[0].distance(places[1]) < MAX_LEAD + 1e-4);
                // A chord is crossed faster in its middle.
                let turn = own.pose.rotation.angle_between(next.pose.rotation);
                assert!(turn < 2.0 * MAX_TURN, "{turn}");
                own = next;
                assert!(frame < 400);
            }
        }
    }
}
