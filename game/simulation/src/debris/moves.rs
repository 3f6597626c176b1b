//! Record of the pieces that moved in a step.

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyHandle};
use rapier3d::math::Pose;

use super::physics::Physics;
use super::user_data::{motion, piece_id};
use crate::types::{BodyId, Motion};

/// A free piece that moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovedPiece {
    pub body: BodyId,
    /// Its centre of mass in body space, metres.
    pub center: Vec3,
    /// Its pose before the step.
    pub from: Pose,
    /// Its pose and velocity after the step.
    pub to: Motion,
    /// Whether it has come to rest.
    pub asleep: bool,
}

/// All free pieces that moved in a step of any number of substeps, in the order of the solver.
#[derive(Default)]
pub(super) struct MoveRecord {
    pub pieces: Vec<MovedPiece>,
    handles: Vec<RigidBodyHandle>,
    /// By index in rapier's arena of bodies: the step in which a body was recorded last, and its
    /// generation.
    recorded: Vec<(u64, u32)>,
    step: u64,
}

impl MoveRecord {
    /// Begins a step: forgets the last one.
    pub fn begin(&mut self) {
        self.pieces.clear();
        self.handles.clear();
        self.step += 1;
    }

    /// Records pieces among the active bodies and the new pieces, before a substep.
    pub fn record(&mut self, physics: &Physics) {
        let new_pieces = physics.new_pieces.iter().map(|piece| piece.handle);
        for handle in physics.islands.active_bodies().chain(new_pieces) {
            self.record_one(physics, handle);
        }
    }

    /// Records a piece where it is, unless it has been recorded in this step.
    fn record_one(&mut self, physics: &Physics, handle: RigidBodyHandle) {
        let Some(body) = physics.bodies.get(handle) else {
            return;
        };
        let (index, generation) = handle.into_raw_parts();
        let index = index as usize;
        if self.recorded.len() <= index {
            self.recorded.resize(index + 1, (0, 0));
        }
        let entry = (self.step, generation);
        let recorded = self.recorded.get_mut(index).filter(|last| **last != entry);
        let Some((id, recorded)) = piece_id(body).zip(recorded) else {
            return;
        };
        *recorded = entry;
        self.handles.push(handle);
        self.pieces.push(MovedPiece {
            body: id,
            center: body.local_center_of_mass(),
            from: *body.position(),
            to: motion(body),
            asleep: false,
        });
    }

    /// Records where the pieces are after a substep. Frozen pieces have another rigid body by then: they lie where they
    /// were.
    pub fn update(&mut self, physics: &Physics) {
        for (moved, handle) in self.pieces.iter_mut().zip(&self.handles) {
            let body = physics.bodies.get(*handle);
            moved.asleep = body.is_none_or(RigidBody::is_sleeping);
            moved.to = body.map_or(Motion::at(moved.to.pose), motion);
        }
    }
}
