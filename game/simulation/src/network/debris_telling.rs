//! Poses of debris that an authority tells, where the game asks for it: of pieces that matter, as many as a budget allows.
//! Those that have most priority go first.

use std::collections::BTreeMap;

use hecs::Entity;

use super::debris_pose::DebrisPose;
use super::debris_priority::{TellablePiece, FRAME};
use super::message::{Content, Poses, MAX_POSES};
use super::shared::Role;
use crate::history::PieceOrigin;
use crate::pieces::components::Debris;
use crate::simulation::Simulation;
use crate::types::{BodyId, Motion};

/// Longest side of the smallest pieces that are told, metres.
const MIN_SIZE: f32 = 0.1;

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
        // What cannot be told has no part of the budget.
        if pose.write(&mut Vec::new()).is_none() {
            continue;
        }
        let frame = FRAME * usize::from(chosen.len() % MAX_POSES == 0);
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
        let piece = TellablePiece {
            pose,
            size: own.size,
            middle: own.bounds.center(),
        };
        poses.insert(body, piece);
    }
    poses
}
