//! Contacts of the engine's physics between two colliders.

use crate::{
    impacts::touch::Touch,
    mirror::{
        engine_bodies::local_pose,
        transforms::{engine_vector, vec3, BodyFrame},
    },
};
use fracture_simulation::Pose;
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        graph::{
            physics::{ContactManifold, ContactPair},
            Graph,
        },
        node::Node,
    },
};

/// The contact between two colliders, seen from one of them.
pub(crate) struct Contact {
    /// The collider that the contact is seen from.
    pub own: Handle<Node>,
    /// The other collider.
    pub other: Handle<Node>,
    /// Mean place of the impulse, world space, metres.
    pub point: Vector3<f32>,
    /// The place on the own body that touched first, world space, now: the body may have moved and turned far in the
    /// step, and a break starts from where it is.
    pub touch: Touch,
    /// The same place on the other body.
    pub other_touch: Touch,
    /// Corners of a box around its points, world space, metres.
    pub places: [Vector3<f32>; 2],
    /// Outward unit normal of the own collider, along which the impulse acts.
    pub normal: Vector3<f32>,
    /// Impulse along the normal, N s.
    pub impulse: f32,
}

impl Contact {
    /// Joins the points of a contact pair; `None` when the colliders are close, but not in contact.
    pub fn new(graph: &Graph, pair: &ContactPair, own: Handle<Node>) -> Option<Self> {
        Self::of_faces(graph, pair, &pair.manifolds, own)
    }

    /// Joins the points of some pairs of faces of a contact pair.
    pub fn of_faces(
        graph: &Graph,
        pair: &ContactPair,
        faces: &[ContactManifold],
        own: Handle<Node>,
    ) -> Option<Self> {
        let first = pair.collider1.to_base::<Node>() == own;
        let impulse: f32 = faces.iter().map(impulse_of).sum();
        if !impulse.is_finite() {
            return None;
        }
        // All count alike when none has an impulse.
        let bears = |manifold: &&ContactManifold| impulse <= 0.0 || impulse_of(manifold) > 0.0;
        let manifolds = faces.iter().filter(bears);
        let other: Handle<Node> = pair.other(own.transmute()).to_base();
        let touch_on = |collider, first| {
            let points = manifolds.clone().flat_map(move |m| touches(m, first));
            Some(Touch::first_of(points)?.in_world(&collider_pose(graph, collider)?))
        };
        let (touch, other_touch) = (touch_on(own, first)?, touch_on(other, !first)?);
        let pose = collider_pose(graph, own)?;
        let mut mean = Mean::default();
        let mut places: Option<[Vector3<f32>; 2]> = None;
        for manifold in manifolds {
            for point in &manifold.points {
                let local = if first {
                    point.local_p1
                } else {
                    point.local_p2
                };
                let weight = if impulse > 0.0 { point.impulse } else { 1.0 };
                mean.add(local, manifold.normal, weight);
                let place = engine_vector(pose.transform_point(vec3(local)));
                places = Some(around(places.unwrap_or([place; 2]), [place; 2]));
            }
        }
        let point = vec3(mean.point / mean.weight);
        let normal = mean.normal.try_normalize(f32::MIN_POSITIVE)?;
        Some(Self {
            own,
            other,
            point: engine_vector(pose.transform_point(point)),
            touch,
            other_touch,
            places: places?,
            // The engine's normals point from the first collider to the second.
            normal: if first { normal } else { -normal },
            impulse,
        })
    }

    /// The contact of two colliders that touch at a place of each, in world space, without an impulse.
    pub fn without_impulse(
        [own, other]: [Handle<Node>; 2],
        [touch, other_touch]: [Touch; 2],
        normal: Vector3<f32>,
    ) -> Self {
        Self {
            own,
            other,
            point: touch.point,
            touch,
            other_touch,
            places: [touch.point; 2],
            normal,
            impulse: 0.0,
        }
    }

    /// The contact seen from the other collider. The mean place of its impulse stays where the own body has it.
    pub fn reversed(self) -> Self {
        Self {
            own: self.other,
            other: self.own,
            touch: self.other_touch,
            other_touch: self.touch,
            normal: -self.normal,
            ..self
        }
    }

    /// Merges the contact of another collider of the same object with the same other collider.
    pub fn merge(&mut self, contact: &Self) {
        let sum = self.impulse + contact.impulse;
        let share = if sum > 0.0 {
            contact.impulse / sum
        } else {
            0.5
        };
        self.touch = self.touch.merged(contact.touch);
        self.other_touch = self.other_touch.merged(contact.other_touch);
        self.point = self.point.lerp(&contact.point, share);
        self.places = around(self.places, contact.places);
        let normal = self.normal.lerp(&contact.normal, share);
        self.normal = normal
            .try_normalize(f32::MIN_POSITIVE)
            .unwrap_or(self.normal);
        if contact.impulse > self.impulse {
            self.own = contact.own;
        }
        self.impulse = sum;
    }
}

/// The box around two boxes, each by two corners.
fn around(one: [Vector3<f32>; 2], other: [Vector3<f32>; 2]) -> [Vector3<f32>; 2] {
    [one[0].inf(&other[0]), one[1].sup(&other[1])]
}

/// A weighted mean of points and normals.
#[derive(Default)]
struct Mean {
    point: Vector3<f32>,
    normal: Vector3<f32>,
    weight: f32,
}

impl Mean {
    fn add(&mut self, point: Vector3<f32>, normal: Vector3<f32>, weight: f32) {
        self.point += point * weight;
        self.normal += normal * weight;
        self.weight += weight;
    }
}

/// Impulse of a manifold, N s.
fn impulse_of(manifold: &ContactManifold) -> f32 {
    manifold.points.iter().map(|point| point.impulse).sum()
}

/// The points of a manifold, in the space of its first collider or of its second.
fn touches(manifold: &ContactManifold, first: bool) -> impl Iterator<Item = Touch> + Clone + '_ {
    let normal = if first {
        manifold.local_n1
    } else {
        manifold.local_n2
    };
    manifold.points.iter().map(move |point| Touch {
        point: if first {
            point.local_p1
        } else {
            point.local_p2
        },
        normal,
        distance: point.dist,
        count: 1.0,
    })
}

/// A collider's pose now, without scale.
pub(super) fn collider_pose(graph: &Graph, collider: Handle<Node>) -> Option<Pose> {
    let body = graph.try_get_node(collider).ok()?.parent();
    Some(BodyFrame::new(graph, body).pose * local_pose(graph, collider))
}
