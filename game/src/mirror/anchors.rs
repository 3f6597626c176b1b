//! Anchor nodes: colliders with the script [`Anchor`], which hold what they meet and collide with nothing.

use crate::{
    fault::FaultLog,
    mirror::{
        engine_bodies::key_of,
        shapes::{is_built_from_meshes, is_valid},
        transforms::BodyFrame,
    },
    script::anchor::Anchor,
};
use fracture_simulation::Pose;
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        collider::{Collider, ColliderShape},
        graph::Graph,
        node::Node,
    },
};
use std::collections::BTreeSet;
use thiserror::Error;

/// Reason why an anchor node holds nothing. Each message names the remedy.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub(crate) enum AnchorError {
    /// The script is on a node that has no shape.
    #[error("its script Anchor holds nothing, because the node is no collider; put the script on a collider node")]
    NotACollider,
    /// The shape has no volume, or its size is not finite.
    #[error("its script Anchor holds nothing, because the shape of its collider has no volume or its size is not finite; give it a size")]
    Empty,
    /// The node is nowhere.
    #[error("its script Anchor holds nothing, because the position or rotation of the node is not finite; place it anew")]
    Misplaced,
}

/// The anchor nodes whose faults have been reported.
#[derive(Default)]
pub(crate) struct AnchorFaults(BTreeSet<u64>);

impl AnchorFaults {
    /// Reports the fault of a node if it is a faulty anchor, once.
    pub fn check(&mut self, graph: &Graph, node: Handle<Node>, faults: &mut FaultLog) {
        match anchor_error(graph, node) {
            Some(error) if self.0.insert(key_of(node)) => {
                let name = graph.try_get_node(node).map(|node| node.name_owned());
                faults.report(&name.unwrap_or_default(), error);
            }
            Some(_) => {}
            None => drop(self.0.remove(&key_of(node))),
        }
    }
}

/// Whether a node carries the script.
pub(crate) fn is_anchor(graph: &Graph, node: Handle<Node>) -> bool {
    graph.try_get_script_of::<Anchor>(node).is_ok()
}

/// The reason why a node with the script holds nothing; `None` of a sound one, and of other nodes.
pub(crate) fn anchor_error(graph: &Graph, node: Handle<Node>) -> Option<AnchorError> {
    if !is_anchor(graph, node) {
        return None;
    }
    let Ok(collider) = graph.try_get_of_type::<Collider>(node) else {
        return Some(AnchorError::NotACollider);
    };
    let shape = collider.shape();
    if !(is_valid(shape) && has_volume(shape)) {
        return Some(AnchorError::Empty);
    }
    (!is_finite(&BodyFrame::new(graph, node).pose)).then_some(AnchorError::Misplaced)
}

/// The shape and the pose of an anchor that is enabled and sound.
pub(crate) fn enabled_anchor(graph: &Graph, node: Handle<Node>) -> Option<(&ColliderShape, Pose)> {
    let collider = graph.try_get_of_type::<Collider>(node).ok()?;
    let holds = collider.is_globally_enabled() && anchor_error(graph, node).is_none();
    holds.then(|| (collider.shape(), BodyFrame::new(graph, node).pose))
}

fn is_finite(pose: &Pose) -> bool {
    pose.translation.is_finite() && pose.rotation.is_finite()
}

/// Whether a shape holds anything inside. Of those that are built from meshes the simulation finds out.
fn has_volume(shape: &ColliderShape) -> bool {
    let apart = |a: Vector3<f32>, b: Vector3<f32>| (a - b).norm() > 0.0;
    match shape {
        ColliderShape::Ball(ball) => ball.radius > 0.0,
        ColliderShape::Cylinder(c) => c.half_height > 0.0 && c.radius > 0.0,
        ColliderShape::Cone(c) => c.half_height > 0.0 && c.radius > 0.0,
        ColliderShape::Cuboid(cuboid) => cuboid.half_extents.iter().all(|half| *half > 0.0),
        ColliderShape::Capsule(c) => c.radius > 0.0 && apart(c.begin, c.end),
        ColliderShape::Segment(_) | ColliderShape::Triangle(_) => false,
        shape => is_built_from_meshes(shape),
    }
}
