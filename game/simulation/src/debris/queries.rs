//! Looking into the debris world.

use glam::Vec3;
use rapier3d::dynamics::RigidBodyHandle;
use rapier3d::geometry::{ColliderHandle, Ray};
use rapier3d::pipeline::{QueryFilter, QueryPipeline};

use super::surrounding::{Owner, RayHit};
use super::world::DebrisWorld;

impl DebrisWorld {
    /// Distance from a point to a body's surface, 0 inside a convex one.
    pub fn distance(&self, handle: RigidBodyHandle, point: Vec3) -> Option<f32> {
        let body = self.bodies.get(handle)?;
        let collider = self.colliders.get(*body.colliders().first()?)?;
        Some(
            collider
                .shape()
                .distance_to_point(body.position(), point, true),
        )
    }

    /// What a ray of unit direction meets first.
    pub fn cast_ray(&self, origin: Vec3, direction: Vec3, longest: f32) -> Option<RayHit> {
        let query = self.query(QueryFilter::default());
        let ray = Ray::new(origin, direction);
        let (handle, hit) = query.cast_ray_and_get_normal(&ray, longest, true)?;
        let owner = self.owner(handle);
        Some(RayHit {
            body: owner.and_then(|owner| match owner {
                Owner::Body(id) => Some(id),
                Owner::Surrounding(_) => None,
            }),
            surrounding: owner.and_then(|owner| match owner {
                Owner::Body(_) => None,
                Owner::Surrounding(key) => Some(key),
            }),
            point: origin + hit.time_of_impact * direction,
            normal: hit.normal,
            distance: hit.time_of_impact,
        })
    }

    pub(super) fn query<'a>(&'a self, filter: QueryFilter<'a>) -> QueryPipeline<'a> {
        let dispatcher = self.narrow_phase.query_dispatcher();
        let (bodies, colliders) = (&self.bodies, &self.colliders);
        self.broad_phase
            .as_query_pipeline(dispatcher, bodies, colliders, filter)
    }

    fn owner(&self, handle: ColliderHandle) -> Option<Owner> {
        Owner::of(self.bodies.get(self.colliders.get(handle)?.parent()?)?)
    }
}
