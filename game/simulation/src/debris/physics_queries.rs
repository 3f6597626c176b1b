//! Looking into the debris world.

use std::collections::BTreeSet;

use glam::Vec3;
use rapier3d::dynamics::RigidBodyHandle;
use rapier3d::geometry::{ColliderHandle, Ray, SharedShape};
use rapier3d::math::Pose;
use rapier3d::parry::query::{PointProjection, ShapeCastOptions};
use rapier3d::pipeline::{QueryFilter, QueryPipeline};

use super::external::{BodyRef, RayHit};
use super::world::DebrisWorld;

impl DebrisWorld {
    /// Distance from a point to a body's surface, 0 inside a convex one.
    pub fn distance(&self, handle: RigidBodyHandle, point: Vec3) -> Option<f32> {
        let body = self.bodies.get(self.settled.current(handle))?;
        let colliders = body.colliders().iter();
        let distance = |collider: &ColliderHandle| {
            let collider = self.colliders.get(*collider)?;
            let shape = collider.shape();
            Some(shape.distance_to_point(collider.position(), point, true))
        };
        colliders.filter_map(distance).min_by(f32::total_cmp)
    }

    /// What a piece weighs, kg.
    pub fn mass(&self, handle: RigidBodyHandle) -> Option<f32> {
        let body = self.bodies.get(self.settled.current(handle))?;
        let own = body.mass();
        if own > 0.0 {
            return Some(own);
        }
        // What is fixed has no mass, but its colliders have.
        let colliders = body.colliders().iter();
        Some(
            colliders
                .filter_map(|c| Some(self.colliders.get(*c)?.mass()))
                .sum(),
        )
    }

    /// The point of a body's surface nearest to a point, and the unit vector from there to it.
    pub fn nearest_surface(&self, handle: RigidBodyHandle, point: Vec3) -> Option<[Vec3; 2]> {
        let body = self.bodies.get(self.settled.current(handle))?;
        let colliders = body.colliders().iter();
        let projected = colliders.filter_map(|handle| {
            let collider = self.colliders.get(*handle)?;
            let place = collider.position();
            Some(collider.shape().project_point(place, point, false))
        });
        let far = |p: &PointProjection| (p.point - point).length_squared();
        let nearest = projected.min_by(|a, b| far(a).total_cmp(&far(b)))?;
        let way = (point - nearest.point).try_normalize()?;
        let outward = if nearest.is_inside { -way } else { way };
        Some([nearest.point, outward])
    }

    /// What a ray of unit direction meets first.
    pub fn cast_ray(&self, origin: Vec3, direction: Vec3, longest: f32) -> Option<RayHit> {
        let query = self.query(QueryFilter::default());
        let ray = Ray::new(origin, direction);
        let (handle, hit) = query.cast_ray_and_get_normal(&ray, longest, true)?;
        let distance = hit.time_of_impact;
        let point = origin + distance * direction;
        Some(RayHit::of(self.owner(handle), point, hit.normal, distance))
    }

    /// What a shape that moves in a unit direction meets first.
    pub fn cast_shape(
        &self,
        shape: &SharedShape,
        pose: &Pose,
        direction: Vec3,
        options: ShapeCastOptions,
    ) -> Option<RayHit> {
        let query = self.query(QueryFilter::default());
        let (handle, hit) = query.cast_shape(pose, direction, &**shape, options)?;
        let (point, distance) = (hit.witness1, hit.time_of_impact);
        Some(RayHit::of(self.owner(handle), point, hit.normal1, distance))
    }

    /// Everything that a shape touches, in order.
    pub fn overlaps(&self, shape: &SharedShape, pose: Pose) -> BTreeSet<BodyRef> {
        let query = self.query(QueryFilter::default());
        let touched = query.intersect_shape(pose, &**shape);
        touched
            .filter_map(|(handle, _)| self.owner(handle))
            .collect()
    }

    pub(super) fn query<'a>(&'a self, filter: QueryFilter<'a>) -> QueryPipeline<'a> {
        let dispatcher = self.narrow_phase.query_dispatcher();
        let (bodies, colliders) = (&self.bodies, &self.colliders);
        self.broad_phase
            .as_query_pipeline(dispatcher, bodies, colliders, filter)
    }

    fn owner(&self, handle: ColliderHandle) -> Option<BodyRef> {
        BodyRef::of(self.bodies.get(self.colliders.get(handle)?.parent()?)?)
    }
}
