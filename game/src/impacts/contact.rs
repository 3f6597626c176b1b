//! Contacts of the engine's physics between two colliders.

use crate::mirror::{
    engine_bodies::local_pose,
    transforms::{engine_vector, vec3, BodyFrame},
};
use fracture_simulation::Pose;
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        graph::{physics::ContactPair, Graph},
        node::Node,
    },
};

/// The contact between two colliders, seen from one of them.
pub(crate) struct Contact {
    /// The collider that the contact is seen from.
    pub own: Handle<Node>,
    /// The other collider.
    pub other: Handle<Node>,
    /// World space, metres.
    pub point: Vector3<f32>,
    /// Outward unit normal of the own collider.
    pub normal: Vector3<f32>,
    /// Impulse along the normal, N s.
    pub impulse: f32,
}

impl Contact {
    /// Joins the points of a contact pair; `None` when the colliders are close, but not in contact.
    pub fn new(graph: &Graph, pair: &ContactPair, own: Handle<Node>) -> Option<Self> {
        let first = pair.collider1.to_base::<Node>() == own;
        let points = || {
            pair.manifolds
                .iter()
                .flat_map(|m| m.points.iter().map(move |p| (m, p)))
        };
        let impulse: f32 = points().map(|(_, point)| point.impulse).sum();
        let count = points().count();
        if count == 0 || !impulse.is_finite() {
            return None;
        }
        let (mut local_point, mut normal) = (Vector3::zeros(), Vector3::zeros());
        for (manifold, point) in points() {
            // Points are weighted by their impulse, or equally when no point has one.
            let weight = if impulse > 0.0 {
                point.impulse / impulse
            } else {
                1.0 / count as f32
            };
            local_point += if first {
                point.local_p1
            } else {
                point.local_p2
            } * weight;
            normal += manifold.normal * weight;
        }
        // The engine's normals point from the first collider to the second.
        let outward = if first { normal } else { -normal };
        let point = collider_pose(graph, own)?.transform_point(vec3(local_point));
        Some(Self {
            own,
            other: pair.other(own.transmute()).to_base(),
            point: engine_vector(point),
            normal: outward.try_normalize(f32::MIN_POSITIVE)?,
            impulse,
        })
    }

    /// Merges the contact of another collider of the same object with the same other collider.
    pub fn merge(&mut self, contact: &Self) {
        let sum = self.impulse + contact.impulse;
        let share = if sum > 0.0 {
            contact.impulse / sum
        } else {
            0.5
        };
        self.point = self.point.lerp(&contact.point, share);
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

/// A collider's pose now, without scale: the body of a contact may have moved far in the step, and a break starts
/// from where it is.
fn collider_pose(graph: &Graph, collider: Handle<Node>) -> Option<Pose> {
    let body = graph.try_get_node(collider).ok()?.parent();
    Some(BodyFrame::new(graph, body).pose * local_pose(graph, collider))
}
