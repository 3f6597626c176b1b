//! Priorities of debris whose poses an authority tells: each piece gathers it by what a client would get wrong about it.

use std::collections::{BTreeMap, VecDeque};

use glam::Vec3;

use super::debris_pose::{DebrisPose, MAX_POSE};
use crate::types::{BodyId, Motion};

/// An error that counts as much as one second without news, metres.
const ERROR: f32 = 0.05;
/// An error for which a piece that has never been told counts, metres.
const NEVER_TOLD: f32 = 1.0;
/// Priority that a piece gains in a second by age alone: news may have been lost.
const AGE: [f32; 2] = [1.0, 0.1];
/// Distance at which a piece counts half as much, metres.
const NEAR: f32 = 20.0;
/// Parts of a second over which the budget is spread.
const PARTS: usize = 20;
/// Bytes of a message besides its poses.
pub(super) const FRAME: usize = 6;

/// An account of what has been told of debris.
#[derive(Default)]
pub(crate) struct DebrisTelling {
    /// Most bytes in any second; 0 for none.
    pub budget: usize,
    /// Places of the players, metres.
    pub players: Vec<Vec3>,
    pub(super) pieces: BTreeMap<BodyId, ToldPiece>,
    /// Times and sizes of the messages of the last second.
    pub(super) spent: VecDeque<(f64, usize)>,
    /// Seconds.
    pub(super) time: f64,
}

/// A piece as others were told.
#[derive(Default)]
pub(crate) struct ToldPiece {
    pub(super) priority: f32,
    pub(super) last: Option<(f64, DebrisPose)>,
}

impl DebrisTelling {
    /// Bytes that may be told now.
    pub(super) fn room(&mut self, dt: f32) -> usize {
        self.time += f64::from(dt);
        while self
            .spent
            .front()
            .is_some_and(|(time, _)| time + 1.0 < self.time)
        {
            self.spent.pop_front();
        }
        let spent: usize = self.spent.iter().map(|(_, size)| size).sum();
        let part = (self.budget / PARTS).max(MAX_POSE + FRAME);
        self.budget.saturating_sub(spent).min(part)
    }

    /// How much a place matters, from 0 to 1.
    fn nearness(&self, place: Vec3) -> f32 {
        let distances = self.players.iter().map(|own| own.distance(place));
        let nearest = distances.min_by(f32::total_cmp).unwrap_or(0.0);
        1.0 / (1.0 + (nearest / NEAR) * (nearest / NEAR))
    }

    /// Lets a piece gain priority.
    pub(super) fn gain(&mut self, body: BodyId, piece: &TellablePiece, dt: f32, gravity: Vec3) {
        let TellablePiece { pose, size, middle } = piece;
        let place = pose.motion.pose.transform_point(*middle);
        let weight = size.min(2.0) * self.nearness(place);
        let now = self.time;
        let own = self.pieces.entry(body).or_default();
        let error = own.last.as_ref().map_or(NEVER_TOLD, |(time, told)| {
            let expected = expected(told, *middle, (now - time) as f32, gravity);
            let turn = told
                .motion
                .pose
                .rotation
                .angle_between(pose.motion.pose.rotation);
            expected.distance(place) + 0.5 * size * turn
        });
        let [moving, resting] = AGE;
        let age = if pose.at_rest { resting } else { moving };
        own.priority += dt * weight * (error / ERROR + age);
    }
}

/// Where a client has the middle of a piece some seconds after it was told of it, if nothing was in its way.
fn expected(told: &DebrisPose, middle: Vec3, seconds: f32, gravity: Vec3) -> Vec3 {
    let fall = if told.at_rest { Vec3::ZERO } else { gravity };
    let Motion { pose, linear, .. } = told.motion;
    pose.transform_point(middle) + linear * seconds + 0.5 * fall * seconds * seconds
}

/// A free piece that may be told.
pub(super) struct TellablePiece {
    pub pose: DebrisPose,
    /// Longest side, metres.
    pub size: f32,
    /// Of its box, body space, metres.
    pub middle: Vec3,
}
