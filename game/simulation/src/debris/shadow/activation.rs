//! Which of the embedding layer's bodies take part in the debris' physics: those near debris, and what
//! touches them. The others are only moved along, which costs next to nothing.

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyHandle, RigidBodyType};
use rapier3d::geometry::{Aabb, Collider, ColliderHandle};
use rapier3d::pipeline::QueryFilter;
use rapier3d::prelude::BoundingVolume;

use super::body::ShadowBody;
use crate::debris::tag::is_piece;
use crate::debris::world::DebrisWorld;

/// A body takes part from this distance to debris on, metres: no piece comes farther in a step.
const REACH: f32 = 1.0;

/// A body that is nearer than this to one that takes part, metres, takes part as well: crates in a
/// stack.
const CONTACT: f32 = 0.1;

impl DebrisWorld {
    /// Decides which bodies take part in the next step of `dt` seconds. Returns whether any does.
    pub fn engage(&mut self, dt: f32) -> bool {
        let mut coupled = std::mem::take(&mut self.coupled);
        let mut any = false;
        for body in coupled.values_mut() {
            let reach = REACH + 2.0 * dt * body.speed();
            body.wanted = self.is_near_pieces(body.handle, reach);
            any |= body.wanted;
        }
        let mut spreads = any;
        while spreads {
            let wanted = |c: &&ShadowBody| c.wanted;
            let boxes = || {
                coupled
                    .values()
                    .filter(wanted)
                    .filter_map(|c| self.bounds(c.handle))
            };
            let near = |own: Aabb| boxes().any(|other| other.intersects(&own.loosened(CONTACT)));
            let next = coupled
                .iter()
                .filter(|(_, c)| !c.wanted)
                .find(|(_, c)| self.bounds(c.handle).is_some_and(near))
                .map(|(owner, _)| *owner);
            spreads = next.is_some();
            if let Some(body) = next.and_then(|owner| coupled.get_mut(&owner)) {
                body.wanted = true;
            }
        }
        for body in coupled
            .values_mut()
            .filter(|body| body.wanted != body.engaged)
        {
            body.engaged = body.wanted;
            let kind = match body.engaged {
                true => RigidBodyType::Dynamic,
                false => RigidBodyType::KinematicPositionBased,
            };
            if let Some(body) = self.bodies.get_mut(body.handle) {
                body.reset_forces(false);
                body.set_body_type(kind, true);
            }
        }
        self.coupled = coupled;
        any
    }

    /// Whether any free piece is within a box.
    pub fn has_pieces_in(&self, bounds: Aabb) -> bool {
        let of_piece = |_: ColliderHandle, collider: &Collider| {
            let body = collider.parent().and_then(|parent| self.bodies.get(parent));
            body.is_some_and(is_piece)
        };
        let filter = QueryFilter::default().predicate(&of_piece);
        let known = self
            .query(filter)
            .intersect_aabb_conservative(bounds)
            .next()
            .is_some();
        // What came since the last step is in no tree yet.
        let is_near = |(handle, _): &(RigidBodyHandle, Vec3)| {
            let own = self.bounds(*handle);
            own.is_some_and(|own| own.intersects(&bounds))
        };
        known || self.fresh.iter().any(is_near)
    }

    fn is_near_pieces(&self, handle: RigidBodyHandle, reach: f32) -> bool {
        let bounds = self.bounds(handle);
        bounds.is_some_and(|bounds| self.has_pieces_in(bounds.loosened(reach)))
    }

    /// The box around a body.
    pub(in crate::debris) fn bounds(&self, handle: RigidBodyHandle) -> Option<Aabb> {
        let body: &RigidBody = self.bodies.get(handle)?;
        let colliders = body.colliders().iter();
        let colliders = colliders.filter_map(|collider| self.colliders.get(*collider));
        let place = |collider: &Collider| {
            let local = collider.position_wrt_parent().copied();
            let pose = *body.position() * local.unwrap_or_default();
            collider.shape().compute_aabb(&pose)
        };
        colliders.map(place).reduce(|a, b| a.merged(&b))
    }
}
