//! The engine's colliders, mirrored into the debris world so that debris collides with them.
//!
//! Colliders of static bodies are mirrored as fixed bodies, those of kinematic bodies as kinematic ones:
//! they push debris and are not pushed back. Colliders of dynamic bodies belong to [`MirroredBodies`].
//! Colliders of destructibles are excluded, because they come with the destructible's own body.

use crate::mirror::{
    anchors::{enabled_anchor, is_anchor},
    bodies::{MirroredBodies, RoundRobin},
    engine_bodies::{
        body_type, collider_from_world, collider_motion, contact_properties, groups, key_of,
        node_of, solid_collider, to_matrix,
    },
    shapes::{is_loading, shape_source, ShapeSource},
};
use fracture_simulation::{
    external::{BodyDesc, BodyType, ColliderDesc, ExternalBody},
    BodyError, CollisionGroups, ContactProperties, Motion, SharedShape, Simulation,
};
use fyrox::{
    core::{algebra::Matrix4, pool::Handle},
    scene::{collider::ColliderShape, graph::Graph, node::Node, rigidbody::RigidBodyType},
};
use std::collections::{BTreeMap, BTreeSet};

/// Mirrored colliders near debris that are checked for changes per frame, in turn. More are noticed
/// sooner and cost more time in every frame.
const NEAR_CHECKS_PER_FRAME: usize = 128;
/// Mirrored colliders anywhere in the scene that are checked for changes per frame, in turn.
const FAR_CHECKS_PER_FRAME: usize = 64;

/// Anchors that are checked for changes per frame, in turn: levels have few, and they may be moved.
const ANCHOR_CHECKS_PER_FRAME: usize = 64;

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
    /// Keys of the anchors among the colliders. They are excluded from the bodies above them.
    anchors: BTreeSet<u64>,
    anchor_turn: RoundRobin,
    /// Scratch memory: the keys checked in a frame.
    round: Vec<u64>,
}

struct MirroredCollider {
    collider: Handle<Node>,
    body_type: BodyType,
    shape: ColliderShape,
    motion: Motion,
    groups: CollisionGroups,
    contact: ContactProperties,
}

impl MirroredCollider {
    /// Whether another one differs in its motion only.
    fn is_like(&self, other: &Self) -> bool {
        self.shape == other.shape
            && self.body_type == other.body_type
            && self.groups == other.groups
            && self.contact == other.contact
    }
}

impl MirroredColliders {
    /// Mirrors a collider node, or updates its mirror when it has changed. Other nodes are ignored.
    pub fn mirror_node(&mut self, simulation: &mut Simulation, graph: &Graph, node: Handle<Node>) {
        let key = key_of(node);
        if is_anchor(graph, node) {
            return self.mirror_anchor(simulation, graph, node);
        }
        if self.anchors.remove(&key) {
            self.excluded.remove(&key);
        }
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
        let body_type = match kind {
            Some(RigidBodyType::Static) => BodyType::Fixed,
            _ => BodyType::Kinematic,
        };
        let collider = MirroredCollider {
            collider: node,
            body_type,
            shape: shape.clone(),
            motion: collider_motion(graph, body, node),
            groups: groups(graph, node),
            contact: contact_properties(graph, node),
        };
        let from_world = || collider_from_world(graph, body, node);
        self.mirror_collider(simulation, graph, collider, from_world);
    }

    /// Mirrors an anchor, or removes it while it is disabled or faulty.
    fn mirror_anchor(&mut self, simulation: &mut Simulation, graph: &Graph, node: Handle<Node>) {
        let key = key_of(node);
        if self.anchors.insert(key) && self.excluded.insert(key) {
            self.remove(simulation, graph, node);
        }
        let Some((shape, pose)) = enabled_anchor(graph, node) else {
            return self.remove_collider(simulation, key);
        };
        let collider = MirroredCollider {
            collider: node,
            body_type: BodyType::Anchor,
            shape: shape.clone(),
            motion: Motion::at(pose),
            groups: CollisionGroups::default(),
            contact: ContactProperties::default(),
        };
        self.mirror_collider(simulation, graph, collider, || to_matrix(&pose.inverse()));
    }

    /// Mirrors a collider, or updates its mirror. `from_world` takes world space to its own.
    fn mirror_collider(
        &mut self,
        simulation: &mut Simulation,
        graph: &Graph,
        collider: MirroredCollider,
        from_world: impl FnOnce() -> Matrix4<f32>,
    ) {
        let key = key_of(collider.collider);
        let is_known = |mirrored: &MirroredCollider| mirrored.is_like(&collider);
        if self.mirrored.get(&key).is_some_and(is_known) {
            return self.set_motion(simulation, key, collider.motion);
        }
        let shape = &collider.shape;
        if is_loading(shape, graph) {
            return; // checked again when the scene's patrol passes
        }
        let is_kinematic = collider.body_type == BodyType::Kinematic;
        // A mesh that moves, or holds what is inside, counts as its hull.
        let is_hull = collider.body_type != BodyType::Fixed;
        let Some(source) = shape_source(shape, &from_world(), graph, is_hull) else {
            return self.remove_collider(simulation, key);
        };
        if add_to_simulation(simulation, source, &collider).is_err() {
            return; // its pose is not finite; checked again on patrol
        }
        self.mirrored.insert(key, collider);
        if is_kinematic {
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
        self.anchors.remove(&key_of(node));
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
        let anchors_from = |key: u64| self.anchors.range(key..).copied();
        self.anchor_turn
            .take(ANCHOR_CHECKS_PER_FRAME, anchors_from, &mut round);
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
        let anchor = self.anchors.get(&key).map(|key| node_of(*key));
        match anchor.or_else(|| self.mirrored.get(&key).map(|m| m.collider)) {
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
) -> Result<(), BodyError> {
    let (key, motion) = (key_of(collider.collider), collider.motion);
    let (groups, contact) = (collider.groups, collider.contact);
    let body_type = collider.body_type;
    let body_desc = move |shape: SharedShape| {
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
