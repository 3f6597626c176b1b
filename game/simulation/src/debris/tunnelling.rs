//! Nothing passes through thin things: a triangle has no inside that would push a splinter back out.

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyHandle};
use rapier3d::geometry::{Collider, ColliderHandle, Ray};
use rapier3d::pipeline::QueryFilter;

use super::extent::{center, Extent};
use super::non_solid::is_hollow;
use super::tag::is_piece;
use super::world::DebrisWorld;

/// A piece is looked after when a step takes it farther than this, metres: slow ones as well,
/// because a block on top can press a splinter through a floor.
const STILL: f32 = 1e-5;

/// How far a body may have sunk into something when it broke, metres.
const SUNK: f32 = 0.1;

impl DebrisWorld {
    /// Puts fresh pieces back that lie behind a thin surface: their parent came down on it hard, and
    /// sank in a little when it broke.
    pub(super) fn lift_fresh(&mut self) {
        let fresh = std::mem::take(&mut self.fresh);
        if !fresh.is_empty() {
            self.hollows.look(&self.colliders);
        }
        for (handle, inside) in &fresh {
            let Some(body) = self.bodies.get(*handle) else {
                continue;
            };
            let center = center(body);
            let from = center + (*inside - center).clamp_length_max(SUNK);
            let met = self.crossing(*handle, from, true);
            if let (Some((middle, _)), Some(body)) = (met, self.bodies.get_mut(*handle)) {
                body.set_translation(body.translation() + middle - center, true);
            }
        }
        self.fresh = fresh;
    }

    /// Pieces that may cross something in the next step, with the centres they start from.
    pub(super) fn moving(&mut self) -> Vec<(RigidBodyHandle, Vec3)> {
        let fresh = std::mem::take(&mut self.fresh).into_iter();
        let fresh = fresh.map(|(handle, _)| handle);
        let candidates = self.islands.active_bodies().chain(fresh);
        let start = |handle| {
            let body = self.bodies.get(handle).filter(|body| is_piece(body))?;
            Some((handle, center(body)))
        };
        candidates.filter_map(start).collect()
    }

    /// Takes pieces whose centres have crossed a surface back to it. Stopping at the time of impact
    /// would freeze a fresh break, whose pieces touch each other, and looking ahead for contacts
    /// meets hundreds of triangles of a dense mesh; one ray does neither.
    pub(super) fn hold_back(&mut self, moving: &[(RigidBodyHandle, Vec3)]) {
        self.hollows.look(&self.colliders);
        for &(handle, from) in moving {
            let Some((middle, normal)) = self.crossing(handle, from, false) else {
                continue;
            };
            if let Some(body) = self.bodies.get_mut(handle) {
                let back = middle - center(body);
                let velocity = body.linvel();
                body.set_translation(body.translation() + back, true);
                let into = velocity.dot(normal).min(0.0);
                body.set_linvel(velocity - into * normal, true);
            }
        }
    }

    /// Where a piece that came from `from` should be, and the normal of what it crossed; what has an
    /// inside may count or not.
    fn crossing(
        &self,
        handle: RigidBodyHandle,
        from: Vec3,
        thin_only: bool,
    ) -> Option<(Vec3, Vec3)> {
        let body = self.bodies.get(handle)?;
        let (direction, way) = (center(body) - from).normalize_and_length();
        (way > STILL).then_some(())?;
        let thickness = self.thickness(body)?;
        // Contacts drive pieces out of what is solid, unless they went right through; and from
        // inside it the way out is free.
        let through = !thin_only && way > 0.5 * thickness;
        (through || self.hollows.may_cross(from, center(body))).then_some(())?;
        let own = self.colliders.get(*body.colliders().first()?)?;
        let forces = own.solver_groups();
        let stops = |_: ColliderHandle, other: &Collider| forces.test(other.solver_groups());
        let filter = QueryFilter::exclude_dynamic()
            .groups(own.collision_groups())
            .predicate(&stops);
        let query = self.query(filter);
        let ray = Ray::new(from, direction);
        let (collider, hit) = query.cast_ray_and_get_normal(&ray, way, true)?;
        let passes = through || self.colliders.get(collider).is_some_and(is_hollow);
        (passes && hit.time_of_impact > 0.0).then_some(())?;
        // What counts is the side that it came from, whichever way a triangle faces.
        let normal = hit.normal * -hit.normal.dot(direction).signum();
        let surface = from + hit.time_of_impact * direction;
        Some((surface + 0.5 * thickness * normal, normal))
    }

    fn thickness(&self, body: &RigidBody) -> Option<f32> {
        let collider = self.colliders.get(*body.colliders().first()?)?;
        Some(Extent::of(collider).thickness)
    }
}
