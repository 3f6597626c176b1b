//! Debris of a client that follows what the authority tells of it: each piece is led there by small steps.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};

use super::client::piece_of;
use super::debris_pose::{pose_with, DebrisPose};
use super::message::{MessageError, Poses};
use crate::pieces::components::Debris;
use crate::simulation::Simulation;
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
/// Most poses that are taken in a step.
const MAX_TAKEN: usize = 2048;

/// Pieces that are being led, by body.
#[derive(Default)]
pub(crate) struct DebrisFollowing {
    leads: BTreeMap<BodyId, Lead>,
    /// Poses that were taken since the last step.
    taken: usize,
}

/// Where a piece is led.
struct Lead {
    target: Motion,
    at_rest: bool,
    /// The lower 24 bits of the authority's frame.
    frame: u32,
    /// Seconds since it was told.
    age: f32,
    is_done: bool,
}

/// Takes poses that the authority has told. Those of pieces that are not here are passed over, and so is what is older
/// than what is known.
pub(super) fn take_poses(simulation: &mut Simulation, told: &Poses) -> Result<(), MessageError> {
    for pose in &told.poses {
        let object = simulation.network.objects.get(&pose.object);
        let object = object.ok_or(MessageError::UnknownObject {
            object: pose.object,
        })?;
        let following = &mut simulation.network.following;
        following.taken += 1;
        if following.taken > MAX_TAKEN {
            return Err(MessageError::TooMany);
        }
        let source = object.source;
        let Some(body) = piece_of(simulation, source, pose.piece) else {
            continue;
        };
        if simulation.world.satisfies::<&Debris>(body.0) {
            simulation.network.following.lead(body, told.frame, pose);
        }
    }
    Ok(())
}

impl DebrisFollowing {
    fn lead(&mut self, body: BodyId, frame: u32, pose: &DebrisPose) {
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

/// Leads pieces to where the authority has them.
pub(crate) fn follow_debris(simulation: &mut Simulation, dt: f32) {
    simulation.network.following.taken = 0;
    if simulation.network.following.leads.is_empty() || dt <= 0.0 {
        return;
    }
    let mut leads = std::mem::take(&mut simulation.network.following.leads);
    let gravity = simulation.settings.gravity;
    leads.retain(|body, _| simulation.world.satisfies::<&Debris>(body.0));
    for (body, lead) in leads.iter_mut().filter(|(_, lead)| !lead.is_done) {
        let debris = simulation.world.get::<&Debris>(body.0);
        let Ok(middle) = debris.map(|debris| debris.bounds.center()) else {
            continue;
        };
        lead.pass(middle, dt, gravity);
        let Some(motion) = simulation.motion(*body).filter(|_| !lead.is_done) else {
            continue;
        };
        match lead.step(middle, &motion) {
            Some(motion) => {
                let world = simulation.debris.wait_mut();
                world.set_piece_motion(*body, &motion, false);
            }
            None => lead.is_done = lead.at_rest,
        }
    }
    simulation.network.following.leads = leads;
}

impl Lead {
    /// Lets time pass: what was on its way flies on for a little, about the middle of its box in body space.
    fn pass(&mut self, middle: Vec3, dt: f32, gravity: Vec3) {
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
    fn step(&self, middle: Vec3, own: &Motion) -> Option<Motion> {
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
