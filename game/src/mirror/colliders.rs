//! The engine's colliders, mirrored into the debris world so that debris collides with them.
//!
//! Colliders of static bodies are mirrored as fixed bodies, those of kinematic bodies as kinematic ones:
//! they push debris and are not pushed back. Colliders of dynamic bodies belong to [`MirroredBodies`].
//! Colliders of destructibles are excluded, because they come with the destructible's own body.

use crate::mirror::{
    bodies::{MirroredBodies, RoundRobin},
    engine_bodies::{
        body_type, collider_from_world, collider_motion, contact_properties, groups, key_of,
        solid_collider,
    },
    shapes::{is_loading, shape_source, ShapeSource},
};
use fracture_simulation::{
    external::{BodyDesc, BodyType, ColliderDesc, ExternalBody},
    BodyError, CollisionGroups, ContactProperties, Motion, SharedShape, Simulation,
};
use fyrox::{
    core::pool::Handle,
    scene::{collider::ColliderShape, graph::Graph, node::Node, rigidbody::RigidBodyType},
};
use std::collections::{BTreeMap, BTreeSet};

/// Mirrored colliders near debris that are checked for changes per frame, in turn. More are noticed
/// sooner and cost more time in every frame.
const NEAR_CHECKS_PER_FRAME: usize = 128;
/// Mirrored colliders anywhere in the scene that are checked for changes per frame, in turn.
const FAR_CHECKS_PER_FRAME: usize = 64;

/// Kinematic colliders far from debris whose motion is updated per frame, in turn.
const FAR_KINEMATIC_PER_FRAME: usize = 256;

/// All mirrored colliders and dynamic bodies of a scene.
#[derive(Default)]
pub(crate) struct MirroredColliders {
    /// Bodies that the engine's physics moves.
    pub bodies: MirroredBodies,
    /// Colliders of all other bodies by node key, so that their order does not depend on when they were
    /// found.
    mirrored: BTreeMap<u64, MirroredCollider>,
    /// Keys of those whose body is kinematic.
    kinematic: BTreeSet<u64>,
    /// Keys of the colliders of destructibles.
    excluded: BTreeSet<u64>,
    near_turn: RoundRobin,
    far_turn: RoundRobin,
    kinematic_turn: RoundRobin,
    /// Scratch memory: the keys checked in a frame.
    round: Vec<u64>,
}

struct MirroredCollider {
    collider: Handle<Node>,
    shape: ColliderShape,
    motion: Motion,
    groups: CollisionGroups,
    contact: ContactProperties,
}

impl MirroredColliders {
    /// Mirrors a collider node, or updates its mirror when it has changed. Other nodes are ignored.
    pub fn mirror_node(&mut self, simulation: &mut Simulation, graph: &Graph, node: Handle<Node>) {
        let key = key_of(node);
        let collider = solid_collider(graph, node).filter(|_| !self.excluded.contains(&key));
        let Some((body, shape)) = collider else {
            return self.remove(simulation, graph, node);
        };
        let kind = body_type(graph, body);
        if kind == Some(RigidBodyType::Dynamic) {
            self.remove_collider(simulation, key);
            return self
                .bodies
                .mirror_body(simulation, graph, body, &self.excluded);
        }
        let motion = collider_motion(graph, body, node);
        let kinematic = kind != Some(RigidBodyType::Static);
        let (groups, contact) = (groups(graph, node), contact_properties(graph, node));
        let is_unchanged = |mirrored: &MirroredCollider| {
            mirrored.shape == *shape
                && mirrored.groups == groups
                && mirrored.contact == contact
                && self.kinematic.contains(&key) == kinematic
        };
        if self.mirrored.get(&key).is_some_and(is_unchanged) {
            return self.set_motion(simulation, key, motion);
        }
        if is_loading(shape, graph) {
            return; // checked again when the scene's patrol passes
        }
        let from_world = collider_from_world(graph, body, node);
        let Some(source) = shape_source(shape, &from_world, graph, kinematic) else {
            return self.remove_collider(simulation, key);
        };
        let mirrored = MirroredCollider {
            collider: node,
            shape: shape.clone(),
            motion,
            groups,
            contact,
        };
        if add_to_simulation(simulation, source, &mirrored, kinematic).is_err() {
            return; // its pose is not finite; checked again on patrol
        }
        self.mirrored.insert(key, mirrored);
        if kinematic {
            self.kinematic.insert(key);
        } else {
            self.kinematic.remove(&key);
        }
    }

    /// Stops mirroring a node.
    pub fn remove(&mut self, simulation: &mut Simulation, graph: &Graph, node: Handle<Node>) {
        self.remove_collider(simulation, key_of(node));
        self.bodies.remove(simulation, graph, node, &self.excluded);
    }

    fn remove_collider(&mut self, simulation: &mut Simulation, key: u64) {
        if self.mirrored.remove(&key).is_some() {
            self.kinematic.remove(&key);
            simulation.remove_external_body(key);
        }
    }

    /// Excludes a destructible's collider from now on.
    pub fn exclude(&mut self, simulation: &mut Simulation, graph: &Graph, node: Handle<Node>) {
        self.excluded.insert(key_of(node));
        self.remove(simulation, graph, node);
    }

    /// Includes an excluded collider again; the next patrol of the scene mirrors it.
    pub fn include(&mut self, node: Handle<Node>) {
        self.excluded.remove(&key_of(node));
    }

    /// Updates moving bodies and checks some of the other colliders for changes, in turn.
    pub fn update(&mut self, simulation: &mut Simulation, graph: &Graph) {
        self.bodies.update_motions(simulation, graph);
        let mut round = std::mem::take(&mut self.round);
        round.clear();
        let near_from = |key| simulation.active_external_bodies(key);
        self.near_turn
            .take(NEAR_CHECKS_PER_FRAME, near_from, &mut round);
        let all_from = |key: u64| self.mirrored.range(key..).map(|(key, _)| *key);
        self.far_turn
            .take(FAR_CHECKS_PER_FRAME, all_from, &mut round);
        let near = simulation.active_external_bodies(0);
        round.extend(near.filter(|key| self.kinematic.contains(key)));
        let kinematic_from = |key: u64| self.kinematic.range(key..).copied();
        self.kinematic_turn
            .take(FAR_KINEMATIC_PER_FRAME, kinematic_from, &mut round);
        for key in &round {
            self.check(simulation, graph, *key);
        }
        self.round = round;
    }

    /// Updates the mirror of a collider or a dynamic body if it has changed.
    fn check(&mut self, simulation: &mut Simulation, graph: &Graph, key: u64) {
        match self.mirrored.get(&key).map(|m| m.collider) {
            Some(collider) => self.mirror_node(simulation, graph, collider),
            None => self.bodies.check(simulation, graph, key, &self.excluded),
        }
    }

    fn set_motion(&mut self, simulation: &mut Simulation, key: u64, motion: Motion) {
        if let Some(mirrored) = self.mirrored.get_mut(&key) {
            if mirrored.motion != motion {
                mirrored.motion = motion;
                simulation.set_external_motion(key, motion);
            }
        }
    }
}

/// Adds a collider to the simulation. A shape that takes long to build is built on the worker.
fn add_to_simulation(
    simulation: &mut Simulation,
    source: ShapeSource,
    collider: &MirroredCollider,
    kinematic: bool,
) -> Result<(), BodyError> {
    let (key, motion) = (key_of(collider.collider), collider.motion);
    let (groups, contact) = (collider.groups, collider.contact);
    let body_desc = move |shape: SharedShape| {
        let body_type = if kinematic {
            BodyType::Kinematic
        } else {
            BodyType::Fixed
        };
        let part = ColliderDesc {
            contact,
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
            let desc = body_desc(shape);
            simulation.set_external_body(key, ExternalBody { desc, motion })
        }
        ShapeSource::Deferred(build) => {
            simulation.build_external_body(key, motion, move || build().map(body_desc))
        }
    }
}
