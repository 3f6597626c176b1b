//! Activation of shadow bodies near debris; the others only follow the engine's bodies, which costs next
//! to nothing.

use rapier3d::dynamics::RigidBodyType;
use rapier3d::geometry::Aabb;
use rapier3d::prelude::BoundingVolume;

use super::{ActivationMemory, Candidate, ShadowBodies};
use crate::debris::physics::Physics;

/// Distance to debris within which a body is active, metres: no piece comes farther in a step.
const ACTIVATION_DISTANCE: f32 = 1.0;

/// Distance to an active body within which a body is active as well, metres: crates in a stack.
const NEIGHBOR_DISTANCE: f32 = 0.1;

impl ShadowBodies {
    /// Activates the bodies near debris for the next step of `dt` seconds, and deactivates the others.
    /// Returns whether any is active.
    pub fn activate_near_pieces(&mut self, physics: &mut Physics, dt: f32) -> bool {
        let ActivationMemory { candidates, open } = &mut self.activation;
        candidates.clear();
        for shadow in self.by_owner.values() {
            let reach = ACTIVATION_DISTANCE + 2.0 * (dt * shadow.speed());
            let bounds = physics.bounds(shadow.handle);
            let is_near = |bounds: Aabb| physics.has_pieces_in(bounds.loosened(reach));
            candidates.push(Candidate {
                bounds,
                is_active: bounds.is_some_and(is_near),
            });
        }
        activate_neighbors(candidates, open);
        let is_any_active = candidates.iter().any(|candidate| candidate.is_active);
        for (shadow, candidate) in self.by_owner.values_mut().zip(candidates) {
            if shadow.active == candidate.is_active {
                continue;
            }
            shadow.active = candidate.is_active;
            let body_type = if shadow.active {
                RigidBodyType::Dynamic
            } else {
                RigidBodyType::KinematicPositionBased
            };
            if let Some(body) = physics.bodies.get_mut(shadow.handle) {
                body.reset_forces(false);
                body.set_body_type(body_type, true);
            }
        }
        is_any_active
    }
}

/// Activates the neighbours of active bodies, and theirs.
fn activate_neighbors(candidates: &mut [Candidate], open: &mut Vec<Aabb>) {
    let active = candidates.iter().filter(|candidate| candidate.is_active);
    open.clear();
    open.extend(active.filter_map(|candidate| candidate.bounds));
    while let Some(bounds) = open.pop() {
        for other in candidates.iter_mut().filter(|other| !other.is_active) {
            let is_near = |own: Aabb| bounds.intersects(&own.loosened(NEIGHBOR_DISTANCE));
            if other.bounds.is_some_and(is_near) {
                other.is_active = true;
                open.extend(other.bounds);
            }
        }
    }
}
