//! Queries about the debris world: boxes, contacts, rays, moving shapes.

use std::collections::BTreeSet;

use glam::{DVec3, Vec3};
use rapier3d::dynamics::{RigidBody, RigidBodyHandle};
use rapier3d::geometry::{
    Aabb, Collider, ColliderHandle, ContactData, ContactManifold, ContactPair, Ray, SharedShape,
    TrackedContact,
};
use rapier3d::math::Pose;
use rapier3d::parry::query::{PointProjection, ShapeCastOptions};
use rapier3d::pipeline::{QueryFilter, QueryPipeline};
use rapier3d::prelude::BoundingVolume;

use super::external::{BodyRef, RayHit};
use super::physics::Physics;
use super::user_data::is_piece;

impl Physics {
    /// The bounding box of a body at its current pose, world space.
    pub fn bounds(&self, handle: RigidBodyHandle) -> Option<Aabb> {
        let body = self.bodies.get(handle)?;
        let bounds = |collider: &Collider| {
            let local = collider.position_wrt_parent().copied();
            let pose = *body.position() * local.unwrap_or_default();
            collider.shape().compute_aabb(&pose)
        };
        let bounds = self.colliders_of(body).map(bounds);
        bounds.reduce(|a, b| a.merged(&b))
    }

    /// The colliders of a body.
    pub fn colliders_of<'a>(&'a self, body: &'a RigidBody) -> impl Iterator<Item = &'a Collider> {
        let handles = body.colliders().iter();
        handles.filter_map(|handle| self.colliders.get(*handle))
    }

    /// Whether any free piece is within a box.
    pub fn has_pieces_in(&self, bounds: Aabb) -> bool {
        let is_of_piece = |_: ColliderHandle, collider: &Collider| {
            let body = collider.parent().and_then(|parent| self.bodies.get(parent));
            body.is_some_and(is_piece)
        };
        let query = self.query(QueryFilter::default().predicate(&is_of_piece));
        if query.intersect_aabb_conservative(bounds).next().is_some() {
            return true;
        }
        self.new_pieces.iter().any(|piece| {
            let own = self.bounds(piece.handle);
            own.is_some_and(|own| own.intersects(&bounds))
        })
    }

    /// Whether a body is there and does not sleep.
    pub fn is_awake(&self, handle: RigidBodyHandle) -> bool {
        let body = self.bodies.get(handle);
        body.is_some_and(|body| !body.is_sleeping())
    }

    /// Whether a body is in contact with one of some kind.
    pub fn touches(&self, handle: RigidBodyHandle, kind: impl Fn(&RigidBody) -> bool) -> bool {
        let of_kind = |_: RigidBodyHandle, body: &RigidBody| kind(body);
        self.touched(handle, of_kind).next().is_some()
    }

    /// The bodies of some kind that a body touches or is joined to.
    pub fn neighbours<'a>(
        &'a self,
        handle: RigidBodyHandle,
        kind: impl Fn(RigidBodyHandle, &RigidBody) -> bool + Copy + 'a,
    ) -> impl Iterator<Item = RigidBodyHandle> + 'a {
        let joints = self.impulse_joints.attached_joints(handle);
        let joined = joints.map(move |(a, b, ..)| if a == handle { b } else { a });
        let joined = joined.filter(move |other| self.is_of(*other, kind));
        self.touched(handle, kind).chain(joined)
    }

    /// The bodies of some kind that a body touches. What kind they are of is asked before their contacts, of which there
    /// are many.
    pub fn touched<'a>(
        &'a self,
        handle: RigidBodyHandle,
        kind: impl Fn(RigidBodyHandle, &RigidBody) -> bool + 'a,
    ) -> impl Iterator<Item = RigidBodyHandle> + 'a {
        let contacts = self.contacts(handle);
        let of_kind = contacts.filter(move |(other, _)| self.is_of(*other, &kind));
        let touched = of_kind.filter(|(_, pair)| pair.has_any_active_contact());
        touched.map(|(other, _)| other)
    }

    fn is_of(
        &self,
        handle: RigidBodyHandle,
        kind: impl Fn(RigidBodyHandle, &RigidBody) -> bool,
    ) -> bool {
        let body = self.bodies.get(handle);
        body.is_some_and(|body| kind(handle, body))
    }

    /// The contact pairs of a body, each with the other body.
    pub fn contacts(
        &self,
        handle: RigidBodyHandle,
    ) -> impl Iterator<Item = (RigidBodyHandle, &ContactPair)> {
        let colliders = self.bodies.get(handle).map_or(&[][..], |b| b.colliders());
        colliders.iter().flat_map(move |&collider| {
            let pairs = self.narrow_phase.contact_pairs_with(collider);
            pairs.filter_map(move |pair| {
                let other = if pair.collider1 == collider {
                    pair.collider2
                } else {
                    pair.collider1
                };
                Some((self.colliders.get(other)?.parent()?, pair))
            })
        })
    }

    /// Distance from a point to a body's surface, 0 inside a convex one.
    pub fn distance(&self, body: BodyRef, point: Vec3) -> Option<f32> {
        let body = self.bodies.get(self.handle(body)?)?;
        let distance = |collider: &Collider| {
            let shape = collider.shape();
            shape.distance_to_point(collider.position(), point, true)
        };
        let distances = self.colliders_of(body).map(distance);
        distances.min_by(f32::total_cmp)
    }

    /// The body of a collider.
    pub fn body_of(&self, collider: &Collider) -> Option<&RigidBody> {
        self.bodies.get(collider.parent()?)
    }

    /// A body's mass, kg.
    pub fn mass(&self, body: BodyRef) -> Option<f32> {
        let body = self.bodies.get(self.handle(body)?)?;
        let mass = body.mass();
        if mass > 0.0 {
            return Some(mass);
        }
        // A frozen piece has no mass of its own, but its colliders have.
        Some(self.colliders_of(body).map(Collider::mass).sum())
    }

    /// The volume of the colliders of a body that others push, m^3.
    pub fn pushed_volume(&self, body: BodyRef) -> Option<f32> {
        let body = self.bodies.get(self.handle(body)?)?;
        let volume = || self.colliders_of(body).map(Collider::volume).sum();
        body.is_dynamic().then(volume)
    }

    /// The point of a body's surface nearest to a point, and the outward unit vector there.
    pub fn nearest_surface(&self, body: BodyRef, point: Vec3) -> Option<[Vec3; 2]> {
        let body = self.bodies.get(self.handle(body)?)?;
        let projections = self.colliders_of(body).map(|collider| {
            let shape = collider.shape();
            shape.project_point(collider.position(), point, false)
        });
        let distance = |p: &PointProjection| (p.point - point).length_squared();
        let nearest = projections.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        let away = (point - nearest.point).try_normalize()?;
        let outward = if nearest.is_inside { -away } else { away };
        Some([nearest.point, outward])
    }

    /// The first body on a ray of unit direction that is none of `except`.
    pub fn cast_ray(
        &self,
        origin: Vec3,
        direction: Vec3,
        max_distance: f32,
        except: &[BodyRef],
    ) -> Option<RayHit> {
        let is_met = |handle: ColliderHandle, _: &Collider| {
            let body = self.body_ref(handle);
            !body.is_some_and(|body| except.contains(&body))
        };
        let filter = if except.is_empty() {
            QueryFilter::default()
        } else {
            QueryFilter::default().predicate(&is_met)
        };
        let query = self.query(filter);
        let ray = Ray::new(origin, direction);
        let (collider, hit) = query.cast_ray_and_get_normal(&ray, max_distance, true)?;
        let (body, distance) = (self.body_ref(collider), hit.time_of_impact);
        let point = origin + distance * direction;
        Some(RayHit::new(body, point, hit.normal, distance))
    }

    /// The first body that a shape meets while it moves in a unit direction.
    pub fn cast_shape(
        &self,
        shape: &SharedShape,
        pose: &Pose,
        direction: Vec3,
        options: ShapeCastOptions,
    ) -> Option<RayHit> {
        let query = self.query(QueryFilter::default());
        let (collider, hit) = query.cast_shape(pose, direction, &**shape, options)?;
        let (body, distance) = (self.body_ref(collider), hit.time_of_impact);
        Some(RayHit::new(body, hit.witness1, hit.normal1, distance))
    }

    /// All bodies that a shape overlaps, in order.
    pub fn overlap_shape(&self, shape: &SharedShape, pose: Pose) -> BTreeSet<BodyRef> {
        let query = self.query(QueryFilter::default());
        let overlapped = query.intersect_shape(pose, &**shape);
        let bodies = overlapped.filter_map(|(collider, _)| self.body_ref(collider));
        bodies.collect()
    }

    pub fn query<'a>(&'a self, filter: QueryFilter<'a>) -> QueryPipeline<'a> {
        let dispatcher = self.narrow_phase.query_dispatcher();
        let (bodies, colliders) = (&self.bodies, &self.colliders);
        self.broad_phase
            .as_query_pipeline(dispatcher, bodies, colliders, filter)
    }

    fn body_ref(&self, collider: ColliderHandle) -> Option<BodyRef> {
        let parent = self.colliders.get(collider)?.parent()?;
        BodyRef::from_user_data(self.bodies.get(parent)?)
    }
}

/// The place of a contact in the space of the first collider of its pair, metres.
pub(super) fn contact_place(
    manifold: &ContactManifold,
    contact: &TrackedContact<ContactData>,
) -> Vec3 {
    let [place, _] = contact_places(manifold, contact);
    place
}

/// The places of a contact on the two colliders of its pair, each in the collider's space, metres.
pub(super) fn contact_places(
    manifold: &ContactManifold,
    contact: &TrackedContact<ContactData>,
) -> [Vec3; 2] {
    let of_collider = |subshape: Option<Pose>, place| match subshape {
        Some(subshape) => subshape.transform_point(place),
        None => place,
    };
    [
        of_collider(manifold.subshape_pos1, contact.local_p1),
        of_collider(manifold.subshape_pos2, contact.local_p2),
    ]
}

/// The unit normal of a manifold that points to one of its bodies, out of the other.
pub(super) fn normal_towards(manifold: &ContactManifold, body: RigidBodyHandle) -> Vec3 {
    let is_first = manifold.data.rigid_body1 == Some(body);
    manifold.data.normal * if is_first { -1.0 } else { 1.0 }
}

/// The inverse of the mass that resists a push of a body at a point along a unit vector, 1/kg: more than that of the body
/// where the push turns it, and 0 for one that a push does not move.
pub(super) fn inverse_mass_at(body: &RigidBody, point: Vec3, along: Vec3) -> f32 {
    if !body.is_dynamic() {
        return 0.0;
    }
    let properties = body.mass_properties();
    let lever = (point - properties.world_com).cross(along);
    let turning = lever.dot(properties.effective_world_inv_inertia * lever);
    properties.local_mprops.inv_mass + turning
}

/// A contact that the last step has solved, world space.
pub(super) struct SolvedContact {
    /// Number of its manifold in the pair.
    pub manifold: usize,
    pub place: DVec3,
    /// Unit normal towards one of the bodies.
    pub normal: DVec3,
    /// N s
    pub impulse: f32,
}

/// The contacts of a pair that the last step has solved, whose first collider is `first`, seen from a body.
pub(super) fn contacts_of_pair<'a>(
    first: &'a Collider,
    pair: &'a ContactPair,
    body: RigidBodyHandle,
) -> impl Iterator<Item = SolvedContact> + 'a {
    let manifolds = pair.manifolds.iter().enumerate();
    manifolds.flat_map(move |(number, manifold)| {
        let normal = normal_towards(manifold, body).as_dvec3();
        solved_contacts(manifold).map(move |(contact, impulse)| {
            let place = *first.position() * contact_place(manifold, contact);
            SolvedContact {
                manifold: number,
                place: place.as_dvec3(),
                normal,
                impulse,
            }
        })
    })
}

/// The contacts of a manifold that the last step has solved, each with its impulse in N s. Others keep the
/// impulse of the last step in which they were.
pub(super) fn solved_contacts(
    manifold: &ContactManifold,
) -> impl Iterator<Item = (&TrackedContact<ContactData>, f32)> {
    let contacts = manifold.data.solver_contacts.iter();
    contacts.filter_map(|contact| {
        let point = manifold.points.get(contact.contact_id[0] as usize)?;
        Some((point, point.data.impulse))
    })
}
