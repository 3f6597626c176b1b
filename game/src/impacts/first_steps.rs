//! The first physics step of new bodies, which the engine takes without their colliders.
//!
//! The engine hands nodes to its physics in the order of the node pool, and a collider only when its body is
//! there. So a collider that was made before its body, as by the engine's builders, comes a step after it: in
//! its first step the body passes through everything, and it may be behind an object, or deep inside, before
//! there is a contact. Such a body is put back to where it would have touched the object, with the velocity that
//! it has, and strikes it in the next step. An object that is made in the same frame has no collider in that step
//! either: it is looked for by the nodes of its colliders.

use crate::{
    impacts::meeting::{along_the_way, isometry, may_collide, placed_shape},
    mirror::{
        engine_bodies::{body_motion, body_type, solid_collider},
        transforms::{engine_vector, vec3},
    },
    object::Objects,
    swap,
};
use fracture_simulation::{geometry::glam::Vec3, Motion, Pose};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        collider::Collider,
        graph::{physics::QueryFilter, Graph},
        node::Node,
        rigidbody::RigidBodyType,
    },
};
use rapier3d::parry::{query::cast_shapes, shape::SharedShape};

/// Updates in which the first step of a body is looked for. A body of the game's own plugin is found before its
/// first step, one of a script after it.
const TRIES: u8 = 2;
/// Way in a step below which a body meets nothing that its contacts do not show, metres.
const MIN_WAY: f32 = 0.01;
/// Difference between the way of a body in a step and that at its velocity, relative to the latter, below which
/// nothing stopped it. Damping and forces take less.
const MAX_DIFFERENCE: f32 = 0.1;

/// New bodies whose first step has not been seen yet, and new colliders that come a step after their bodies.
#[derive(Default)]
pub(crate) struct FirstSteps {
    bodies: Vec<NewNode>,
    late_colliders: Vec<NewNode>,
}

struct NewNode {
    node: Handle<Node>,
    /// Updates left in which its first step may be found.
    tries: u8,
}

impl FirstSteps {
    /// Adds a node that is new in the scene, if it is a dynamic body or a late collider.
    pub fn add(&mut self, graph: &Graph, node: Handle<Node>) {
        let new = NewNode { node, tries: TRIES };
        if body_type(graph, node) == Some(RigidBodyType::Dynamic) {
            self.bodies.push(new);
        } else if solid_collider(graph, node).is_some_and(|(body, _)| is_late(node, body)) {
            self.late_colliders.push(new);
        }
    }

    /// The dynamic bodies that came into the scene since the last update.
    pub fn new_bodies(&self) -> impl Iterator<Item = Handle<Node>> + '_ {
        let new = self.bodies.iter().filter(|new| new.tries == TRIES);
        new.map(|new| new.node)
    }

    /// Puts bodies back to where they would have touched an object in their first step, which took `dt` seconds.
    pub fn put_back(&mut self, graph: &mut Graph, objects: &Objects, dt: f32) {
        if dt <= 0.0 {
            return; // no step was taken
        }
        let Self {
            bodies,
            late_colliders,
        } = self;
        let mut moves = Vec::new();
        bodies.retain_mut(|new| {
            new.tries -= 1;
            let Some((way, motion)) = free_way(graph, new.node, dt) else {
                return new.tries > 0;
            };
            let met = way_to_object(graph, objects, new.node, &motion, way, late_colliders);
            moves.extend(met.map(|motion| (new.node, motion)));
            false
        });
        late_colliders.retain_mut(|new| {
            new.tries -= 1;
            new.tries > 0
        });
        for (body, motion) in moves {
            swap::set_motion(graph, body, &motion);
        }
    }
}

/// Whether a collider of a body comes to the engine's physics a step after it.
fn is_late(collider: Handle<Node>, body: Handle<Node>) -> bool {
    collider.index() < body.index()
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
    late_colliders: &[NewNode],
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
    let shares = children.flat_map(|child| {
        let part = MovingPart::new(graph, body, *child, way);
        // What came in time has met what else came in time.
        let late_part = part.as_ref().filter(|_| is_late(*child, body));
        let of_known = late_part.and_then(|part| part.share(graph, &is_met));
        let late = late_colliders.iter().map(|new| new.node);
        let of_late = late.filter_map(|late| part.as_ref()?.share_to_late(graph, late, &is_met));
        of_known.into_iter().chain(of_late).reduce(f32::min)
    });
    let share = shares.reduce(f32::min)?;
    let mut met = *motion;
    met.pose.translation -= vec3(way * (1.0 - share));
    Some(met)
}

/// A collider of a body that has gone a way.
struct MovingPart<'a> {
    collider: &'a Collider,
    shape: SharedShape,
    /// Where it is now.
    pose: Pose,
    /// Metres.
    way: Vector3<f32>,
}

impl<'a> MovingPart<'a> {
    fn new(
        graph: &'a Graph,
        body: Handle<Node>,
        collider: Handle<Node>,
        way: Vector3<f32>,
    ) -> Option<Self> {
        let (pose, shape) = placed_shape(graph, body, collider)?;
        let collider = graph.try_get_of_type(collider).ok()?;
        Some(Self {
            collider,
            shape,
            pose,
            way,
        })
    }

    /// The share of the way after which it touches something that the engine's physics has.
    fn share(
        &self,
        graph: &Graph,
        is_met: &dyn Fn(Handle<Node>, &Collider) -> bool,
    ) -> Option<f32> {
        let filter = QueryFilter {
            groups: Some(self.collider.collision_groups()),
            predicate: Some(is_met),
            ..QueryFilter::default()
        };
        let (start, way) = (isometry(&self.pose, -self.way), &self.way);
        let (physics, shape) = (&graph.physics, &*self.shape);
        let (_, hit) = physics.cast_shape(graph, shape, &start, way, 1.0, false, filter)?;
        Some(hit.toi)
    }

    /// The share of the way after which it touches a collider that the engine's physics does not have yet.
    fn share_to_late(
        &self,
        graph: &Graph,
        late: Handle<Node>,
        is_met: &dyn Fn(Handle<Node>, &Collider) -> bool,
    ) -> Option<f32> {
        let other = graph.try_get_of_type::<Collider>(late).ok()?;
        if !is_met(late, other) || !may_collide(self.collider, other) {
            return None;
        }
        let (pose, shape) = placed_shape(graph, other.parent(), late)?;
        let mut start = self.pose;
        start.translation -= vec3(self.way);
        let (way, none) = (vec3(self.way), Vec3::ZERO);
        let options = along_the_way();
        let hit = cast_shapes(&start, way, &*self.shape, &pose, none, &*shape, options);
        Some(hit.ok()??.time_of_impact)
    }
}
