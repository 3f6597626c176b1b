//! The places at which bodies meet on their ways through a step.

use crate::{
    impacts::{
        contact::{collider_pose, Contact},
        touch::{Touch, MAX_FLAT_SLOPE},
    },
    mirror::{
        engine_bodies::{collider_from_world, local_pose, solid_collider},
        shapes::{shape_box, shape_of_mass},
        transforms::{engine_vector, position_and_rotation, vec3, BodyFrame},
    },
};
use fracture_simulation::{geometry::glam::Vec3, Motion, Pose};
use fyrox::{
    core::{
        algebra::{Isometry3, Translation3, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        collider::Collider,
        graph::{physics::QueryFilter, Graph},
        node::Node,
    },
};
use rapier3d::parry::{
    bounding_volume::{Aabb, BoundingVolume},
    query::{cast_shapes, ShapeCastOptions},
    shape::{Shape, SharedShape},
};

/// A body, and the motion with which it went into a step.
#[derive(Clone, Copy)]
pub(super) struct Traveller {
    pub body: Handle<Node>,
    pub before: Motion,
}

impl Traveller {
    /// Whether the ways of two bodies in a step of `dt` seconds may cross.
    pub fn comes_near(&self, graph: &Graph, other: &Self, dt: f32) -> bool {
        let boxes = |body: &Self| {
            let boxes = colliders(graph, body.body);
            let boxes = boxes.filter_map(|(collider, _)| body.way_box(graph, collider, dt));
            boxes.reduce(|all, own| all.merged(&own))
        };
        let other = boxes(other);
        other.is_some_and(|other| boxes(self).is_some_and(|own| own.intersects(&other)))
    }

    /// A box around the way of a collider of the body in a step of `dt` seconds, world space.
    fn way_box(&self, graph: &Graph, collider: Handle<Node>, dt: f32) -> Option<Aabb> {
        let (_, shape) = solid_collider(graph, collider)?;
        let from_world = collider_from_world(graph, self.body, collider);
        let local = shape_box(shape, &from_world, graph)?;
        let start = local.transform_by(&(self.before.pose * local_pose(graph, collider)));
        let end = start.translated(self.before.linear * dt);
        Some(start.merged(&end))
    }
}

/// Where two bodies met in a step of `dt` seconds, if both went on as before it: their contact seen from the struck
/// one, without an impulse.
pub(super) fn meeting(
    graph: &Graph,
    struck: &Traveller,
    striker: &Traveller,
    dt: f32,
) -> Option<Contact> {
    let pairs = colliders(graph, struck.body).flat_map(|own| {
        let others = colliders(graph, striker.body);
        others.map(move |other| (own, other))
    });
    let met = pairs.filter(|((_, own), (_, other))| may_collide(own, other));
    let met = met.filter_map(|((own, _), (other, _))| {
        let own = MovingCollider::new(graph, struck, own, dt)?;
        own.meeting(graph, &MovingCollider::new(graph, striker, other, dt)?)
    });
    first(met)
}

/// The first collider that a body met in a step of `dt` seconds, if it went on as before it: their contact seen from
/// that collider, without an impulse.
pub(super) fn first_met(graph: &Graph, striker: &Traveller, dt: f32) -> Option<Contact> {
    let way = engine_vector(striker.before.linear * dt);
    let met = colliders(graph, striker.body).filter_map(|(other, collider)| {
        let (local, shape) = local_shape(graph, striker.body, other)?;
        let is_met =
            |_: Handle<Node>, met: &Collider| met.parent() != striker.body && !met.is_sensor();
        let filter = QueryFilter {
            groups: Some(collider.collision_groups()),
            predicate: Some(&is_met),
            ..QueryFilter::default()
        };
        let start = isometry(&(striker.before.pose * local), Vector3::zeros());
        let physics = &graph.physics;
        let (own, hit) = physics.cast_shape(graph, &*shape, &start, &way, 1.0, false, filter)?;
        // The engine tells the place on what was met in world space.
        let normal = hit.normal1.try_normalize(f32::MIN_POSITIVE)?;
        let point = vec3(hit.witness1.coords);
        let mut then = striker.before.pose * local;
        then.translation += hit.toi * vec3(way);
        let met = graph.try_get_node(own).ok()?.parent();
        let point = placed_shape(graph, met, own).map_or(point, |(pose, met)| {
            middle([(pose, &*met), (then, &*shape)], point, vec3(normal))
        });
        let touch = Touch {
            point: engine_vector(point),
            normal,
            distance: 0.0,
            count: 1.0,
        };
        let other_touch = Touch {
            normal: -normal,
            ..touch
        };
        let contact = Contact::without_impulse([own, other], [touch, other_touch], normal);
        Some((hit.toi, contact))
    });
    first(met)
}

/// The earliest of some contacts, each with its time.
fn first(contacts: impl Iterator<Item = (f32, Contact)>) -> Option<Contact> {
    let first = contacts.min_by(|a, b| a.0.total_cmp(&b.0));
    first.map(|(_, contact)| contact)
}

/// A collider of a body on its way through a step.
struct MovingCollider {
    collider: Handle<Node>,
    shape: SharedShape,
    /// Where it was before the step.
    pose: Pose,
    /// Metres.
    way: Vec3,
}

impl MovingCollider {
    fn new(graph: &Graph, traveller: &Traveller, collider: Handle<Node>, dt: f32) -> Option<Self> {
        let (local, shape) = local_shape(graph, traveller.body, collider)?;
        Some(Self {
            collider,
            shape,
            pose: traveller.before.pose * local,
            way: traveller.before.linear * dt,
        })
    }

    /// The share of the way after which it met another, and their contact.
    fn meeting(&self, graph: &Graph, other: &Self) -> Option<(f32, Contact)> {
        let [(pose, way, shape), (other_pose, other_way, other_shape)] =
            [self, other].map(|own| (&own.pose, own.way, &*own.shape));
        let options = along_the_way();
        let hit = cast_shapes(
            pose,
            way,
            shape,
            other_pose,
            other_way,
            other_shape,
            options,
        );
        let hit = hit.ok()??;
        let time = hit.time_of_impact;
        let [then, other_then] = [self, other].map(|own| own.at(time));
        let [normal, other_normal] =
            [(then, hit.normal1), (other_then, hit.normal2)].map(|(pose, n)| pose.rotation * n);
        let point = then.transform_point(hit.witness1);
        let point = middle([(then, shape), (other_then, other_shape)], point, normal);
        // A break starts from where the body is now.
        let touch = |own: &Self, pose: Pose, normal| {
            let moved = collider_pose(graph, own.collider)? * pose.inverse();
            Some(Touch {
                point: engine_vector(moved.transform_point(point)),
                normal: engine_vector(moved.rotation * normal),
                distance: 0.0,
                count: 1.0,
            })
        };
        let touches = [
            touch(self, then, normal)?,
            touch(other, other_then, other_normal)?,
        ];
        let normal = engine_vector(normal).try_normalize(f32::MIN_POSITIVE)?;
        let colliders = [self.collider, other.collider];
        let contact = Contact::without_impulse(colliders, touches, normal);
        Some((time, contact))
    }

    /// Where it was after a share of its way.
    fn at(&self, share: f32) -> Pose {
        let mut pose = self.pose;
        pose.translation += share * self.way;
        pose
    }
}

/// The middle of the faces that touch flat in a point with a normal, as seen from one of two shapes; else that point.
fn middle(shapes: [(Pose, &dyn Shape); 2], point: Vec3, normal: Vec3) -> Vec3 {
    let middles = shapes.map(|(pose, shape)| {
        let center = shape.compute_aabb(&pose).center();
        center - normal * normal.dot(center - point)
    });
    let is_on_both = |middle: &&Vec3| {
        let reach = MAX_FLAT_SLOPE * middle.distance(point);
        let distance =
            |(pose, shape): &(Pose, &dyn Shape)| shape.distance_to_point(pose, **middle, true);
        shapes.iter().all(|shape| distance(shape) <= reach)
    };
    let [own, other] = &middles;
    let middle = [other, own].into_iter().find(is_on_both);
    middle.copied().unwrap_or(point)
}

/// The colliders of a body.
pub(super) fn colliders(
    graph: &Graph,
    body: Handle<Node>,
) -> impl Iterator<Item = (Handle<Node>, &Collider)> + Clone {
    let children = graph
        .try_get_node(body)
        .map_or(&[][..], |node| node.children());
    children.iter().filter_map(|child| {
        let collider = graph.try_get_of_type::<Collider>(*child).ok()?;
        Some((*child, collider))
    })
}

/// Where a collider is now, and its shape; a convex hull for one of meshes.
pub(super) fn placed_shape(
    graph: &Graph,
    body: Handle<Node>,
    collider: Handle<Node>,
) -> Option<(Pose, SharedShape)> {
    let (local, shape) = local_shape(graph, body, collider)?;
    Some((BodyFrame::new(graph, body).pose * local, shape))
}

/// Where a collider is in its body, and its shape.
fn local_shape(
    graph: &Graph,
    body: Handle<Node>,
    collider: Handle<Node>,
) -> Option<(Pose, SharedShape)> {
    let (_, shape) = solid_collider(graph, collider)?;
    let from_world = collider_from_world(graph, body, collider);
    let shape = shape_of_mass(shape, &from_world, graph)?;
    Some((local_pose(graph, collider), shape))
}

/// Whether the collision groups of two colliders let them collide.
pub(super) fn may_collide(one: &Collider, other: &Collider) -> bool {
    let (one, other) = (one.collision_groups(), other.collision_groups());
    one.memberships.0 & other.filter.0 != 0 && other.memberships.0 & one.filter.0 != 0
}

/// A cast along the whole of a way, that leaves out what overlaps and moves apart.
pub(super) fn along_the_way() -> ShapeCastOptions {
    ShapeCastOptions {
        max_time_of_impact: 1.0,
        stop_at_penetration: false,
        ..ShapeCastOptions::default()
    }
}

/// A pose, moved by some metres.
pub(super) fn isometry(pose: &Pose, by: Vector3<f32>) -> Isometry3<f32> {
    let (position, rotation) = position_and_rotation(pose);
    Isometry3::from_parts(Translation3::from(position + by), rotation)
}
