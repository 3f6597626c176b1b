//! Rigid bodies and their colliders as the engine's physics takes them: where, how fast, how heavy.

use crate::mirror::{
    shapes::shared_shape,
    transforms::{pose, position_and_rotation, vec3, BodyFrame},
};
use fracture_simulation::{CollisionGroups, Motion, Pose};
use fyrox::{
    core::{
        algebra::{Matrix4, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        collider::{Collider, ColliderShape},
        graph::Graph,
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};

/// Density of a collider that states none, kg/m^3: the physics engine's own default.
const DEFAULT_DENSITY: f32 = 1.0;

/// How the engine moves a rigid body node; `None` when it is none.
pub(crate) fn body_type(graph: &Graph, body: Handle<Node>) -> Option<RigidBodyType> {
    let body = graph.try_get_of_type::<RigidBody>(body).ok()?;
    Some(body.body_type())
}

/// The velocity of a rigid body's material at a point, m/s.
pub(crate) fn velocity_at(graph: &Graph, body: Handle<Node>, point: Vector3<f32>) -> Vector3<f32> {
    match graph.try_get_of_type::<RigidBody>(body) {
        Ok(node) if node.body_type() != RigidBodyType::Static => {
            node.lin_vel() + node.ang_vel().cross(&(point - node.global_position()))
        }
        _ => Vector3::zeros(),
    }
}

/// The mass of a rigid body with its colliders, kg; `None` for one that contacts do not move.
pub(crate) fn mass_of(graph: &Graph, body: Handle<Node>) -> Option<f32> {
    let node = graph.try_get_of_type::<RigidBody>(body).ok()?;
    if body_type(graph, body) != Some(RigidBodyType::Dynamic) {
        return None;
    }
    let colliders = node
        .children()
        .iter()
        .map(|child| collider_mass(graph, body, *child));
    Some(node.mass() + colliders.sum::<f32>())
}

fn collider_mass(graph: &Graph, body: Handle<Node>, child: Handle<Node>) -> f32 {
    let Ok(collider) = graph.try_get_of_type::<Collider>(child) else {
        return 0.0;
    };
    let density = collider.density().unwrap_or(DEFAULT_DENSITY);
    let from_world = collider_from_world(graph, body, child);
    shared_shape(collider.shape(), &from_world, graph, true)
        .map_or(0.0, |shape| shape.mass_properties(density).mass())
}

/// A collider's pose in its body, as the engine's physics takes it.
pub(crate) fn local_pose(graph: &Graph, collider: Handle<Node>) -> Pose {
    graph.try_get_node(collider).map_or(Pose::IDENTITY, |node| {
        let local = node.local_transform();
        pose(local.position(), local.rotation())
    })
}

/// Where a rigid body is and how it moves.
pub(crate) fn body_motion(graph: &Graph, body: Handle<Node>) -> Motion {
    let mut motion = Motion::at(BodyFrame::of(graph, body).pose);
    if let Ok(body) = graph.try_get_of_type::<RigidBody>(body) {
        if body.body_type() != RigidBodyType::Static {
            motion.linear = vec3(body.lin_vel());
            motion.angular = vec3(body.ang_vel());
        }
    }
    motion
}

/// World space to a collider's space, without scale.
pub(crate) fn collider_from_world(
    graph: &Graph,
    body: Handle<Node>,
    collider: Handle<Node>,
) -> Matrix4<f32> {
    let world = BodyFrame::of(graph, body).pose * local_pose(graph, collider);
    let (position, rotation) = position_and_rotation(&world.inverse());
    rotation.to_homogeneous().append_translation(&position)
}

/// A node as a number that is not used twice.
pub(crate) fn key_of(node: Handle<Node>) -> u64 {
    u64::from(node.generation()) << 32 | u64::from(node.index())
}

/// The node of a key; it may have gone.
pub(crate) fn node_of(key: u64) -> Handle<Node> {
    Handle::new(key as u32, (key >> 32) as u32)
}

/// The rigid body and the shape of a collider that takes part in the engine's physics.
pub(crate) fn solid_collider(
    graph: &Graph,
    node: Handle<Node>,
) -> Option<(Handle<Node>, &ColliderShape)> {
    let collider = graph.try_get_of_type::<Collider>(node).ok()?;
    let body = collider.parent();
    graph.try_get_of_type::<RigidBody>(body).ok()?;
    let solid = !collider.is_sensor() && collider.is_globally_enabled();
    solid.then(|| (body, collider.shape()))
}

/// A collider's friction; `None` for that of debris.
pub(crate) fn friction(graph: &Graph, node: Handle<Node>) -> Option<f32> {
    let friction = graph.try_get_of_type::<Collider>(node).ok()?.friction();
    // The engine's default is no friction at all, on which debris would never come to rest.
    (friction.is_finite() && friction > 0.0).then_some(friction)
}

/// Who a collider collides with; everything for what is no collider.
pub(crate) fn groups(graph: &Graph, node: Handle<Node>) -> CollisionGroups {
    let collider = graph.try_get_of_type::<Collider>(node);
    collider.map_or_else(
        |_| CollisionGroups::default(),
        |collider| {
            let (groups, solver) = (collider.collision_groups(), collider.solver_groups());
            CollisionGroups {
                memberships: groups.memberships.0,
                filter: groups.filter.0,
                solver: [solver.memberships.0, solver.filter.0],
            }
        },
    )
}

/// Where a collider is and how it moves. The engine's physics knows no scale.
pub(crate) fn collider_motion(graph: &Graph, body: Handle<Node>, collider: Handle<Node>) -> Motion {
    let mut motion = body_motion(graph, body);
    motion.pose *= local_pose(graph, collider);
    motion
}
