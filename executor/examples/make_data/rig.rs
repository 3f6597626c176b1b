//! Parts of a scene without a mesh of their own: characters and joints.

use crate::set::Set;
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::ColliderShape,
        joint::{BallJoint, JointBuilder, JointParams},
        node::Node,
        rigidbody::{RigidBody, RigidBodyBuilder},
        transform::{Transform, TransformBuilder},
    },
};

impl Set<'_> {
    /// Changes a rigid body, by name.
    pub fn change(&mut self, name: &str, change: impl FnOnce(&mut RigidBody)) {
        let graph = &mut self.scene.graph;
        let found = graph.find_by_name_from_root(name);
        let body = found.map(|(handle, _)| handle);
        if let Some(body) = body.and_then(|body| graph.try_get_mut_of_type(body).ok()) {
            change(body);
        }
    }

    /// Hangs a body, by name, on another at a place.
    pub fn hang(&mut self, name: &str, hook: Handle<Node>, at: [f32; 3]) {
        let graph = &mut self.scene.graph;
        let Some((body, _)) = graph.find_by_name_from_root(name) else {
            return;
        };
        let place = TransformBuilder::new().with_local_position(at.into());
        let base = BaseBuilder::new().with_local_transform(place.build());
        JointBuilder::new(base.with_name("Joint"))
            .with_params(JointParams::BallJoint(BallJoint::default()))
            .with_body1(hook.transmute())
            .with_body2(body.transmute())
            .build(graph);
    }

    /// Adds an upright capsule, 1.8 m high, that cannot turn: what a character is to physics.
    pub fn walker(&mut self, name: &str, at: [f32; 3], mass: f32) {
        let shape = ColliderShape::capsule(Vector3::y() * 0.4, Vector3::y() * 1.4, 0.4);
        let density = mass / (0.16 * std::f32::consts::PI * (1.0 + 4.0 / 3.0 * 0.4));
        let collider = self.collider(Transform::identity(), shape, density);
        let place = TransformBuilder::new().with_local_position(at.into());
        let base = BaseBuilder::new()
            .with_name(name)
            .with_local_transform(place.build())
            .with_child(collider);
        RigidBodyBuilder::new(base)
            .with_locked_rotations(true)
            .with_can_sleep(false)
            .build(&mut self.scene.graph);
    }
}
