//! Poses of debris that an authority tells, where the game asks for it: of pieces that matter, as many as a budget allows.
//! Each piece gathers priority by what a client would get wrong about it; those that have most go first.

use std::collections::{BTreeMap, VecDeque};

use glam::Vec3;
use hecs::Entity;

use super::debris_pose::{DebrisPose, MAX_POSE};
use super::message::{Content, Poses, MAX_POSES};
use super::shared::Role;
use crate::history::PieceOrigin;
use crate::pieces::components::Debris;
use crate::simulation::Simulation;
use crate::types::{BodyId, Motion};

/// Longest side of the smallest pieces that are told, metres.
const MIN_SIZE: f32 = 0.1;
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
const FRAME: usize = 6;

/// An account of what has been told of debris.
#[derive(Default)]
pub(crate) struct DebrisTelling {
    /// Most bytes in any second; 0 for none.
    pub budget: usize,
    /// Places of the players, metres.
    pub players: Vec<Vec3>,
    pieces: BTreeMap<BodyId, ToldPiece>,
    /// Times and sizes of the messages of the last second.
    spent: VecDeque<(f64, usize)>,
    /// Seconds.
    time: f64,
}

/// A piece as others were told.
#[derive(Default)]
struct ToldPiece {
    priority: f32,
    last: Option<(f64, DebrisPose)>,
}

impl DebrisTelling {
    /// Bytes that may be told now.
    fn room(&mut self, dt: f32) -> usize {
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
    fn gain(&mut self, body: BodyId, piece: &TellablePiece, dt: f32, gravity: Vec3) {
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

/// Tells where debris is, as an authority with a budget for it.
pub(crate) fn tell_debris(simulation: &mut Simulation, dt: f32) {
    let telling = &simulation.network.telling;
    if simulation.network.role != Role::Authority || telling.budget == 0 || dt <= 0.0 {
        return;
    }
    let mut telling = std::mem::take(&mut simulation.network.telling);
    let poses = free_pieces(simulation);
    let gravity = simulation.settings.gravity;
    telling.pieces.retain(|body, _| poses.contains_key(body));
    for (body, piece) in &poses {
        telling.gain(*body, piece, dt, gravity);
    }
    let pieces = telling.pieces.iter();
    let mut order: Vec<_> = pieces.map(|(body, own)| (own.priority, *body)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut room = telling.room(dt);
    let mut chosen = Vec::new();
    for (_, body) in order {
        let Some(TellablePiece { pose, .. }) = poses.get(&body) else {
            continue;
        };
        let frame = if chosen.len() % MAX_POSES == 0 {
            FRAME
        } else {
            0
        };
        let Some(left) = room.checked_sub(pose.size() + frame) else {
            break;
        };
        room = left;
        chosen.push(*pose);
        if let Some(own) = telling.pieces.get_mut(&body) {
            own.priority = 0.0;
            own.last = Some((telling.time, *pose));
        }
    }
    for poses in chosen.chunks(MAX_POSES) {
        let poses = Poses {
            frame: simulation.statistics.frame as u32 & 0xff_ffff,
            poses: poses.to_vec(),
        };
        if let Some(message) = Content::Poses(poses).to_message() {
            telling.spent.push_back((telling.time, message.0.len()));
            simulation.network.send(message);
        }
    }
    simulation.network.telling = telling;
}

/// A free piece that may be told.
struct TellablePiece {
    pose: DebrisPose,
    /// Longest side, metres.
    size: f32,
    /// Of its box, body space, metres.
    middle: Vec3,
}

/// The free pieces of shared objects that are large enough.
fn free_pieces(simulation: &Simulation) -> BTreeMap<BodyId, TellablePiece> {
    let mut poses = BTreeMap::new();
    let debris = simulation.debris.wait();
    let mut query = simulation
        .world
        .query::<(Entity, &Debris, &Motion, &PieceOrigin)>();
    for (entity, own, motion, origin) in query.iter() {
        let body = BodyId(entity);
        let object = simulation.network.object_of(&simulation.world, body);
        let Some(object) = object.filter(|_| own.size >= MIN_SIZE) else {
            continue;
        };
        let pose = DebrisPose {
            object,
            piece: origin.piece,
            motion: *motion,
            at_rest: debris.is_asleep(body),
        };
        // What cannot be told has no part of the budget.
        if pose.write(&mut Vec::new()).is_some() {
            let piece = TellablePiece {
                pose,
                size: own.size,
                middle: own.bounds.center(),
            };
            poses.insert(body, piece);
        }
    }
    poses
}
