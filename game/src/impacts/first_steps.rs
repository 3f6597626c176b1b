//! The first physics step of new bodies, which the engine takes without their colliders.
//!
//! The engine hands nodes to its physics in the order of the node pool, and a collider only when its body is
//! there. So a collider that was made before its body, as by the engine's builders, comes a step after it: in
//! its first step the body passes through everything, and it may be behind an object, or deep inside, before
//! there is a contact. Such a body is put back to where it would have touched the object, with the velocity that
//! it has, and strikes it in the next step.

use crate::{
    mirror::{
        engine_bodies::{body_motion, body_type, collider_from_world, local_pose, solid_collider},
        shapes::shape_of_mass,
        transforms::{engine_vector, position_and_rotation, vec3, BodyFrame},
    },
    object::Objects,
    swap,
};
use fracture_simulation::{Motion, Pose};
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
        rigidbody::RigidBodyType,
    },
};

/// Updates in which the first step of a body is looked for. A body of the game's own plugin is found before its
/// first step, one of a script after it.
const TRIES: u8 = 2;
/// Way in a step below which a body meets nothing that its contacts do not show, metres.
const MIN_WAY: f32 = 0.01;
/// Difference between the way of a body in a step and that at its velocity, relative to the latter, below which
/// nothing stopped it. Damping and forces take less.
const MAX_DIFFERENCE: f32 = 0.1;

/// New bodies whose first step has not been seen yet.
#[derive(Default)]
pub(crate) struct FirstSteps(Vec<NewBody>);

struct NewBody {
    body: Handle<Node>,
    /// Updates left in which its first step may be found.
    tries: u8,
}

impl FirstSteps {
    /// Adds a node that is new in the scene, if it is a dynamic body.
    pub fn add(&mut self, graph: &Graph, node: Handle<Node>) {
        if body_type(graph, node) == Some(RigidBodyType::Dynamic) {
            let new = NewBody {
                body: node,
                tries: TRIES,
            };
            self.0.push(new);
        }
    }

    /// Puts bodies back to where they would have touched an object in their first step, which took `dt` seconds.
    pub fn put_back(&mut self, graph: &mut Graph, objects: &Objects, dt: f32) {
        if self.0.is_empty() || dt <= 0.0 {
            return; // the common case
        }
        let mut moves = Vec::new();
        self.0.retain_mut(|new| {
            new.tries -= 1;
            let Some((way, motion)) = free_way(graph, new.body, dt) else {
                return new.tries > 0;
            };
            let met = way_to_object(graph, objects, new.body, &motion, way);
            moves.extend(met.map(|motion| (new.body, motion)));
            false
        });
        for (body, motion) in moves {
            swap::set_motion(graph, body, &motion);
        }
    }
}

/// The way that a body has gone in the last step if nothing stopped it, metres, and its motion.
fn free_way(graph: &Graph, body: Handle<Node>, dt: f32) -> Option<(Vector3<f32>, Motion)> {
    let motion = body_motion(graph, body);
    // The engine computes global positions before a step of its physics, and not yet for a node without one.
    let before = graph.try_get_node(body).ok()?.global_position();
    let way = engine_vector(motion.pose.translation) - before;
    let expected = engine_vector(motion.linear) * dt;
    let is_free = (way - expected).norm() <= MAX_DIFFERENCE * expected.norm() + MIN_WAY;
    is_free.then_some((way, motion))
}

/// The motion of a body that has gone a way through an object, at the place where it would have touched it.
fn way_to_object(
    graph: &Graph,
    objects: &Objects,
    body: Handle<Node>,
    motion: &Motion,
    way: Vector3<f32>,
) -> Option<Motion> {
    if way.norm() <= MIN_WAY {
        return None; // the common case
    }
    let is_object = objects.of_engine_body(body).is_some();
    let is_met = |_, other: &Collider| {
        let struck = other.parent();
        let is_struck = is_object || objects.of_engine_body(struck).is_some();
        is_struck && struck != body && !other.is_sensor()
    };
    let children = graph.try_get_node(body).ok()?.children().iter();
    let late = children.filter(|child| child.index() < body.index());
    let shares = late.filter_map(|child| share_of_way(graph, body, *child, way, &is_met));
    let share = shares.reduce(f32::min)?;
    let mut met = *motion;
    met.pose.translation -= vec3(way * (1.0 - share));
    Some(met)
}

/// The share of a way, metres, that a body has gone when one of its colliders touches something.
fn share_of_way(
    graph: &Graph,
    body: Handle<Node>,
    collider: Handle<Node>,
    way: Vector3<f32>,
    is_met: &dyn Fn(Handle<Node>, &Collider) -> bool,
) -> Option<f32> {
    let (_, shape) = solid_collider(graph, collider)?;
    let from_world = collider_from_world(graph, body, collider);
    let shape = shape_of_mass(shape, &from_world, graph)?;
    let node = graph.try_get_of_type::<Collider>(collider).ok()?;
    let filter = QueryFilter {
        groups: Some(node.collision_groups()),
        predicate: Some(is_met),
        ..QueryFilter::default()
    };
    let pose = BodyFrame::new(graph, body).pose * local_pose(graph, collider);
    let start = isometry(&pose, -way);
    let physics = &graph.physics;
    let (_, hit) = physics.cast_shape(graph, &*shape, &start, &way, 1.0, false, filter)?;
    Some(hit.toi)
}

/// A pose, moved by some metres.
fn isometry(pose: &Pose, by: Vector3<f32>) -> Isometry3<f32> {
    let (position, rotation) = position_and_rotation(pose);
    Isometry3::from_parts(Translation3::from(position + by), rotation)
}
