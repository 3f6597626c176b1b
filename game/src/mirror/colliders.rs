//! What debris bumps into: the engine's colliders, mirrored into the debris world.
//!
//! Static ones as they are, those that are driven as bodies that push debris and are not pushed back;
//! those that physics moves are [`MirroredBodies`]. Colliders of destructibles are left out, they come
//! with their bodies.

use crate::mirror::{
    bodies::{MirroredBodies, RoundRobin},
    engine_bodies::{
        body_type, collider_from_world, collider_motion, friction, groups, key_of, solid_collider,
    },
    shapes::{is_loading, shape_source, ShapeSource},
};
use fracture_simulation::{
    BodyDesc, BodyError, BodyType, ColliderDesc, CollisionGroups, ExternalBody, Motion,
    SharedShape, Simulation,
};
use fyrox::{
    core::pool::Handle,
    scene::{collider::ColliderShape, graph::Graph, node::Node, rigidbody::RigidBodyType},
};
use std::collections::{BTreeMap, BTreeSet};

/// Mirrored colliders near debris that are looked at per frame, in turn, and others.
const PATROL: [usize; 2] = [128, 64];

/// Driven colliders far from debris that are followed per frame, in turn.
const FAR_MOVERS: usize = 256;

/// The mirrored colliders of a scene.
#[derive(Default)]
pub(crate) struct MirroredColliders {
    /// What physics moves, by body.
    pub free: MirroredBodies,
    /// The rest, by key, so that the order does not depend on when a collider was seen.
    mirrored: BTreeMap<u64, MirroredCollider>,
    /// Those of them that are driven.
    moving: BTreeSet<u64>,
    /// Colliders of destructibles.
    left_out: BTreeSet<u64>,
    /// Where the last patrols have ended: of what is near, of everything, of what moves.
    turns: [RoundRobin; 3],
    /// Memory for those that are looked at in a frame.
    round: Vec<u64>,
}

struct MirroredCollider {
    collider: Handle<Node>,
    shape: ColliderShape,
    motion: Motion,
    groups: CollisionGroups,
}

impl MirroredColliders {
    /// Mirrors a collider node, or mirrors it anew when it has changed. Other nodes are ignored.
    pub fn consider(&mut self, simulation: &mut Simulation, graph: &Graph, node: Handle<Node>) {
        let key = key_of(node);
        let wanted = solid_collider(graph, node).filter(|_| !self.left_out.contains(&key));
        let Some((body, shape)) = wanted else {
            return self.forget(simulation, graph, node);
        };
        let kind = body_type(graph, body);
        if kind == Some(RigidBodyType::Dynamic) {
            self.forget_still(simulation, key);
            let left_out = &self.left_out;
            let counts = |node| !left_out.contains(&key_of(node));
            return self.free.consider(simulation, graph, body, counts);
        }
        let motion = collider_motion(graph, body, node);
        let moving = kind != Some(RigidBodyType::Static);
        let groups = groups(graph, node);
        let known = self.mirrored.get(&key);
        if known.is_some_and(|m| {
            m.shape == *shape && m.groups == groups && self.moving.contains(&key) == moving
        }) {
            return self.follow(simulation, key, motion);
        }
        if is_loading(shape, graph) {
            return; // looked at again on patrol of the scene
        }
        let from_world = collider_from_world(graph, body, node);
        let Some(source) = shape_source(shape, &from_world, graph, moving) else {
            return self.forget_still(simulation, key);
        };
        let friction = friction(graph, node);
        if mirror(simulation, key, source, (motion, moving, friction, groups)).is_err() {
            return; // not finite; looked at again on patrol
        }
        let mirrored = MirroredCollider {
            collider: node,
            shape: shape.clone(),
            motion,
            groups,
        };
        self.mirrored.insert(key, mirrored);
        if moving {
            self.moving.insert(key);
        } else {
            self.moving.remove(&key);
        }
    }

    /// Stops mirroring a node.
    pub fn forget(&mut self, simulation: &mut Simulation, graph: &Graph, node: Handle<Node>) {
        self.forget_still(simulation, key_of(node));
        let left_out = &self.left_out;
        let counts = |node| !left_out.contains(&key_of(node));
        self.free.forget(simulation, graph, node, counts);
    }

    fn forget_still(&mut self, simulation: &mut Simulation, key: u64) {
        if self.mirrored.remove(&key).is_some() {
            self.moving.remove(&key);
            simulation.remove_external_body(key);
        }
    }

    /// Leaves a destructible's collider out from now on.
    pub fn leave_out(&mut self, simulation: &mut Simulation, graph: &Graph, node: Handle<Node>) {
        self.left_out.insert(key_of(node));
        self.forget(simulation, graph, node);
    }

    /// Lets a collider in again that was left out; the next patrol of the scene mirrors it.
    pub fn let_in(&mut self, node: Handle<Node>) {
        self.left_out.remove(&key_of(node));
    }

    /// Follows what moves, and looks at some of the rest in turn.
    pub fn update(&mut self, simulation: &mut Simulation, graph: &Graph) {
        self.free.follow(simulation, graph);
        let mut round = std::mem::take(&mut self.round);
        round.clear();
        let [near, all, moving] = &mut self.turns;
        near.take(
            PATROL[0],
            |from| simulation.active_external_bodies(from),
            &mut round,
        );
        let keys = |from: u64| self.mirrored.range(from..).map(|(key, _)| *key);
        all.take(PATROL[1], keys, &mut round);
        let near = simulation.active_external_bodies(0);
        round.extend(near.filter(|key| self.moving.contains(key)));
        let keys = |from: u64| self.moving.range(from..).copied();
        moving.take(FAR_MOVERS, keys, &mut round);
        for key in &round {
            self.revisit(simulation, graph, *key);
        }
        self.round = round;
    }

    fn revisit(&mut self, simulation: &mut Simulation, graph: &Graph, key: u64) {
        match self.mirrored.get(&key).map(|m| m.collider) {
            Some(collider) => self.consider(simulation, graph, collider),
            None => {
                let left_out = &self.left_out;
                let counts = |node| !left_out.contains(&key_of(node));
                self.free.reconsider(simulation, graph, key, counts);
            }
        }
    }

    fn follow(&mut self, simulation: &mut Simulation, key: u64, motion: Motion) {
        if let Some(mirrored) = self.mirrored.get_mut(&key) {
            if mirrored.motion != motion {
                mirrored.motion = motion;
                simulation.set_external_motion(key, motion);
            }
        }
    }
}

/// Mirrors a collider; what takes long to build is left to the worker.
fn mirror(
    simulation: &mut Simulation,
    key: u64,
    source: ShapeSource,
    (motion, moving, friction, groups): (Motion, bool, Option<f32>, CollisionGroups),
) -> Result<(), BodyError> {
    let mirror_of = move |shape: SharedShape| {
        let body_type = if moving {
            BodyType::Kinematic
        } else {
            BodyType::Fixed
        };
        let part = ColliderDesc {
            friction,
            groups,
            ..ColliderDesc::new(shape)
        };
        let colliders = vec![part];
        BodyDesc {
            colliders,
            body_type,
        }
    };
    match source {
        ShapeSource::Ready(shape) => {
            let desc = mirror_of(shape);
            simulation.set_external_body(key, ExternalBody { desc, motion })
        }
        ShapeSource::Later(make) => {
            simulation.build_external_body(key, motion, move || make().map(mirror_of))
        }
    }
}
