//! What debris bumps into: the engine's colliders, mirrored into the debris world.
//!
//! Static ones as they are; moving ones as bodies that push debris and are not pushed back.
//! Colliders of destructibles are left out, they come with their bodies.

use crate::{
    bodies::{body_motion, body_type, collider_from_world, local_pose},
    shapes::shared_shape,
};
use fracture_simulation::{Motion, Simulation, Surrounding};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{
        collider::{Collider, ColliderShape},
        graph::Graph,
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};
use std::collections::{BTreeMap, BTreeSet};

/// Mirrored colliders that stand still and are looked at per frame, in turn.
const PATROL: usize = 128;

/// The mirrored colliders of a scene.
#[derive(Default)]
pub(crate) struct Surroundings {
    /// By key, so that the order does not depend on when a collider was seen.
    mirrored: BTreeMap<u64, Mirrored>,
    moving: BTreeSet<u64>,
    /// Colliders of destructibles.
    left_out: BTreeSet<u64>,
    /// Where the last patrol ended.
    patrol: u64,
}

struct Mirrored {
    collider: Handle<Node>,
    shape: ColliderShape,
    motion: Motion,
}

impl Surroundings {
    /// Mirrors a collider node, or mirrors it anew when it has changed. Other nodes are ignored.
    pub fn consider(&mut self, simulation: &mut Simulation, graph: &Graph, node: Handle<Node>) {
        let key = key_of(node);
        let Some((body, shape)) =
            solid_collider(graph, node).filter(|_| !self.left_out.contains(&key))
        else {
            return self.forget(simulation, node);
        };
        let motion = motion_of(graph, body, node);
        let moving = body_type(graph, body) != Some(RigidBodyType::Static);
        let known = self.mirrored.get(&key);
        if known.is_some_and(|m| m.shape == *shape && self.moving.contains(&key) == moving) {
            return self.follow(simulation, key, motion);
        }
        let from_world = collider_from_world(graph, body, node);
        let Some(shared) = shared_shape(shape, &from_world, graph, moving) else {
            return self.forget(simulation, node);
        };
        let surrounding = Surrounding {
            shape: shared,
            motion,
            moving,
            friction: friction(graph, node),
        };
        if simulation.set_surrounding(key, surrounding).is_err() {
            return; // not finite; looked at again on patrol
        }
        let shape = shape.clone();
        self.mirrored.insert(
            key,
            Mirrored {
                collider: node,
                shape,
                motion,
            },
        );
        if moving {
            self.moving.insert(key);
        } else {
            self.moving.remove(&key);
        }
    }

    /// Stops mirroring a node.
    pub fn forget(&mut self, simulation: &mut Simulation, node: Handle<Node>) {
        let key = key_of(node);
        if self.mirrored.remove(&key).is_some() {
            self.moving.remove(&key);
            simulation.remove_surrounding(key);
        }
    }

    /// Leaves a destructible's collider out from now on.
    pub fn leave_out(&mut self, simulation: &mut Simulation, node: Handle<Node>) {
        self.left_out.insert(key_of(node));
        self.forget(simulation, node);
    }

    /// Lets a collider in again that was left out; the next patrol of the scene mirrors it.
    pub fn let_in(&mut self, node: Handle<Node>) {
        self.left_out.remove(&key_of(node));
    }

    /// Follows what moves, and looks at some of the rest in turn.
    pub fn update(&mut self, simulation: &mut Simulation, graph: &Graph) {
        let moving: Vec<u64> = self.moving.iter().copied().collect();
        for key in moving {
            self.revisit(simulation, graph, key);
        }
        let next = self.mirrored.range(self.patrol..).map(|(key, _)| *key);
        let round: Vec<u64> = next.take(PATROL).collect();
        self.patrol = match round.last() {
            Some(last) if round.len() == PATROL => last + 1,
            _ => 0,
        };
        for key in round {
            self.revisit(simulation, graph, key);
        }
    }

    /// The bodies of the mirrored colliders that move, some more than once.
    pub fn moving_bodies<'a>(
        &'a self,
        graph: &'a Graph,
    ) -> impl Iterator<Item = Handle<Node>> + 'a {
        let moving = self.moving.iter().filter_map(|key| self.mirrored.get(key));
        moving.filter_map(|mirrored| Some(graph.try_get_node(mirrored.collider).ok()?.parent()))
    }

    fn revisit(&mut self, simulation: &mut Simulation, graph: &Graph, key: u64) {
        if let Some(collider) = self.mirrored.get(&key).map(|m| m.collider) {
            self.consider(simulation, graph, collider);
        }
    }

    fn follow(&mut self, simulation: &mut Simulation, key: u64, motion: Motion) {
        if let Some(mirrored) = self.mirrored.get_mut(&key) {
            if mirrored.motion != motion {
                mirrored.motion = motion;
                simulation.move_surrounding(key, motion);
            }
        }
    }
}

/// A node as a number that is not used twice.
pub(crate) fn key_of(node: Handle<Node>) -> u64 {
    u64::from(node.generation()) << 32 | u64::from(node.index())
}

/// The rigid body and the shape of a collider that takes part in the engine's physics.
fn solid_collider(graph: &Graph, node: Handle<Node>) -> Option<(Handle<Node>, &ColliderShape)> {
    let collider = graph.try_get_of_type::<Collider>(node).ok()?;
    let body = collider.parent();
    graph.try_get_of_type::<RigidBody>(body).ok()?;
    let solid = !collider.is_sensor() && collider.is_globally_enabled();
    solid.then(|| (body, collider.shape()))
}

fn friction(graph: &Graph, node: Handle<Node>) -> Option<f32> {
    let friction = graph.try_get_of_type::<Collider>(node).ok()?.friction();
    // The engine's default is no friction at all, on which debris would never come to rest.
    (friction.is_finite() && friction > 0.0).then_some(friction)
}

/// Where a collider is and how it moves. The engine's physics knows no scale.
fn motion_of(graph: &Graph, body: Handle<Node>, collider: Handle<Node>) -> Motion {
    let mut motion = body_motion(graph, body);
    motion.pose *= local_pose(graph, collider);
    motion
}
