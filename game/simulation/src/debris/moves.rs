//! What moved in a step, noted on the thread that takes it.

use glam::Vec3;
use rapier3d::dynamics::{RigidBodyHandle, RigidBodySet};
use rapier3d::math::Pose;

use super::extent::motion;
use super::tag::piece;
use crate::types::{BodyId, Motion};

/// A free piece that moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovedPiece {
    pub body: BodyId,
    /// Its centre of mass in body space, metres.
    pub center: Vec3,
    /// Where it was before the step.
    pub from: Pose,
    /// What has become of it.
    pub to: Motion,
    /// Whether it has come to rest by now.
    pub asleep: bool,
}

/// All free pieces that moved in a step, in the order of the solver.
#[derive(Default)]
pub(super) struct PieceMoves {
    pub all: Vec<MovedPiece>,
    handles: Vec<RigidBodyHandle>,
    /// By place in the arena: who was noted there last, and in which step.
    noted: Vec<(u64, u32)>,
    step: u64,
}

impl PieceMoves {
    /// Forgets the last step.
    pub fn begin(&mut self) {
        self.all.clear();
        self.handles.clear();
        self.step += 1;
    }

    /// Notes where pieces are, of whom nothing is known in this step.
    pub fn note(&mut self, bodies: &RigidBodySet, active: impl Iterator<Item = RigidBodyHandle>) {
        for handle in active {
            let Some(body) = bodies.get(handle) else {
                continue;
            };
            let (place, generation) = handle.into_raw_parts();
            let place = place as usize;
            if self.noted.len() <= place {
                self.noted.resize(place + 1, (0, 0));
            }
            let own = (self.step, generation);
            let noted = self.noted.get_mut(place).filter(|noted| **noted != own);
            let Some((id, noted)) = piece(body).zip(noted) else {
                continue;
            };
            *noted = own;
            self.handles.push(handle);
            self.all.push(MovedPiece {
                body: id,
                center: body.local_center_of_mass(),
                from: *body.position(),
                to: motion(body),
                asleep: false,
            });
        }
    }

    /// Takes note of where they have come.
    pub fn end(&mut self, bodies: &RigidBodySet) {
        for (moved, handle) in self.all.iter_mut().zip(&self.handles) {
            // What was fixed in its place has another body, and is where it was.
            moved.asleep = true;
            if let Some(body) = bodies.get(*handle) {
                moved.to = motion(body);
                moved.asleep = body.is_sleeping();
            }
        }
    }
}
