//! The engine's dynamic bodies, mirrored so that they and debris push each other.

use crate::mirror::{
    engine_bodies::{
        body_motion, collider_from_world, contact_properties, groups, key_of, local_pose,
        solid_collider, DEFAULT_DENSITY,
    },
    shapes::{is_loading, shape_source, ShapeSource},
    transforms::vec3,
};
use fracture_simulation::{
    external::{AdditionalInertia, BodyDesc, BodyType, ColliderDesc, ExternalBody, MassDesc},
    BodyError, CollisionGroups, ContactProperties, Motion, Pose, SharedShape, Simulation,
};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{
        collider::{Collider, ColliderShape},
        graph::Graph,
        node::Node,
        rigidbody::{RigidBody, RigidBodyMassPropertiesType},
    },
};
use std::collections::{BTreeMap, BTreeSet};

/// Bodies far from debris whose motion is updated per frame, in turn.
const FAR_BODIES_PER_FRAME: usize = 256;

/// The mirrored dynamic bodies of a scene.
#[derive(Default)]
pub(crate) struct MirroredBodies {
    by_key: BTreeMap<u64, MirroredBody>,
    turn: RoundRobin,
    /// Scratch memory: the keys updated in a frame.
    round: Vec<u64>,
}

struct MirroredBody {
    body: Handle<Node>,
    snapshot: BodySnapshot,
    /// Motion that the simulation has been given last.
    motion: Motion,
}

/// The colliders and the mass of a body as they were mirrored, to notice changes.
#[derive(Clone)]
pub(crate) struct BodySnapshot {
    colliders: Vec<ColliderSnapshot>,
    mass: MassDesc,
}

/// A collider's properties as they were mirrored.
#[derive(Clone)]
struct ColliderSnapshot {
    collider: Handle<Node>,
    shape: ColliderShape,
    pose: Pose,
    contact: ContactProperties,
    density: f32,
    groups: CollisionGroups,
}

impl MirroredBodies {
    /// Mirrors a body, or updates its mirror when it has changed. Colliders whose keys are `excluded` are
    /// no part of it.
    pub fn mirror_body(
        &mut self,
        simulation: &mut Simulation,
        graph: &Graph,
        body: Handle<Node>,
        excluded: &BTreeSet<u64>,
    ) {
        let key = key_of(body);
        let children = graph.try_get_node(body).map_or(&[][..], |b| b.children());
        let own = children
            .iter()
            .copied()
            .filter(|child| !excluded.contains(&key_of(*child)));
        let mirrored = self.by_key.get(&key);
        if mirrored.is_some_and(|mirrored| mirrored.snapshot.is_current(graph, body, own.clone())) {
            return; // the common case
        }
        let own: Vec<_> = own.collect();
        let snapshot = BodySnapshot::new(graph, body, &own);
        let Some(snapshot) = snapshot.filter(|snapshot| !snapshot.colliders.is_empty()) else {
            self.remove_body(simulation, key);
            return;
        };
        if snapshot.is_loading(graph) {
            return;
        }
        let motion = body_motion(graph, body);
        let added = snapshot.add_to_simulation(simulation, graph, body, motion);
        if added.is_ok() {
            let mirrored = MirroredBody {
                body,
                snapshot,
                motion,
            };
            self.by_key.insert(key, mirrored);
        }
    }

    /// Stops mirroring a body, or updates the mirror of a body that has lost a collider.
    pub fn remove(
        &mut self,
        simulation: &mut Simulation,
        graph: &Graph,
        node: Handle<Node>,
        excluded: &BTreeSet<u64>,
    ) {
        if self.remove_body(simulation, key_of(node)) {
            return;
        }
        let has_collider = |mirrored: &&MirroredBody| {
            let mut colliders = mirrored.snapshot.colliders.iter();
            colliders.any(|collider| collider.collider == node)
        };
        let owner = self.by_key.values().find(has_collider);
        if let Some(body) = owner.map(|mirrored| mirrored.body) {
            self.mirror_body(simulation, graph, body, excluded);
        }
    }

    fn remove_body(&mut self, simulation: &mut Simulation, key: u64) -> bool {
        let known = self.by_key.remove(&key).is_some();
        known && simulation.remove_external_body(key)
    }

    /// Updates the mirror of the body with this key, if there is one and it has changed.
    pub fn check(
        &mut self,
        simulation: &mut Simulation,
        graph: &Graph,
        key: u64,
        excluded: &BTreeSet<u64>,
    ) {
        if let Some(body) = self.by_key.get(&key).map(|mirrored| mirrored.body) {
            self.mirror_body(simulation, graph, body, excluded);
        }
    }

    /// Gives the simulation the motions of the bodies near debris after the engine's last step, and of
    /// some other bodies in turn.
    pub fn update_motions(&mut self, simulation: &mut Simulation, graph: &Graph) {
        let mut round = std::mem::take(&mut self.round);
        round.clear();
        let near = simulation.active_external_bodies(0);
        round.extend(near.filter(|key| self.by_key.contains_key(key)));
        let keys = |from: u64| self.by_key.range(from..).map(|(key, _)| *key);
        self.turn.take(FAR_BODIES_PER_FRAME, keys, &mut round);
        for key in round.drain(..) {
            let Some(mirrored) = self.by_key.get_mut(&key) else {
                continue;
            };
            let motion = body_motion(graph, mirrored.body);
            if motion != mirrored.motion {
                mirrored.motion = motion;
                // A motion that is not finite is refused: the mirror stays where it was.
                simulation.set_external_motion(key, motion);
            }
        }
        self.round = round;
    }

    /// A body, and the motion that the simulation has been given last.
    pub fn motion_mut(&mut self, key: u64) -> Option<(Handle<Node>, &mut Motion)> {
        let mirrored = self.by_key.get_mut(&key)?;
        Some((mirrored.body, &mut mirrored.motion))
    }

    /// All mirrored rigid body nodes.
    pub fn bodies(&self) -> impl Iterator<Item = Handle<Node>> + '_ {
        self.by_key.values().map(|mirrored| mirrored.body)
    }
}

impl BodySnapshot {
    /// Records a body with some of its colliders.
    pub fn new(graph: &Graph, body: Handle<Node>, colliders: &[Handle<Node>]) -> Option<Self> {
        let node = graph.try_get_of_type::<RigidBody>(body).ok()?;
        let enabled = node.is_globally_enabled();
        let colliders = colliders.iter().filter(|_| enabled);
        Some(Self {
            colliders: colliders
                .filter_map(|c| ColliderSnapshot::new(graph, *c))
                .collect(),
            mass: mass_desc(node),
        })
    }

    /// Whether a body still has these colliders, with these properties, and this mass.
    fn is_current(
        &self,
        graph: &Graph,
        body: Handle<Node>,
        colliders: impl Iterator<Item = Handle<Node>>,
    ) -> bool {
        let node = graph.try_get_of_type::<RigidBody>(body).ok();
        let Some(node) = node.filter(|node| node.is_globally_enabled()) else {
            return false;
        };
        let mut recorded = self.colliders.iter();
        let mut solid = colliders.filter(|collider| solid_collider(graph, *collider).is_some());
        let same = solid.all(|collider| {
            let recorded = recorded.next();
            recorded.is_some_and(|recorded| recorded.is_current(graph, collider))
        });
        same && recorded.next().is_none() && mass_desc(node) == self.mass
    }

    /// The body type of its mirror while the engine's physics moves it.
    pub fn dynamic(&self) -> BodyType {
        BodyType::Dynamic(self.mass)
    }

    /// A closure that builds the mirror, for the worker.
    pub fn builder(
        &self,
        graph: &Graph,
        body: Handle<Node>,
        body_type: BodyType,
    ) -> impl FnOnce() -> BodyDesc + Send {
        let sources = self.sources(graph, body, matches!(body_type, BodyType::Dynamic(_)));
        move || assemble(sources, body_type)
    }

    fn is_loading(&self, graph: &Graph) -> bool {
        self.colliders.iter().any(|p| is_loading(&p.shape, graph))
    }

    fn add_to_simulation(
        &self,
        simulation: &mut Simulation,
        graph: &Graph,
        body: Handle<Node>,
        motion: Motion,
    ) -> Result<(), BodyError> {
        let (key, body_type) = (key_of(body), self.dynamic());
        let sources = self.sources(graph, body, true);
        let ready =
            |(_, source): &(ColliderSnapshot, ShapeSource)| matches!(source, ShapeSource::Ready(_));
        if sources.iter().all(ready) {
            let desc = assemble(sources, body_type);
            return simulation.set_external_body(key, ExternalBody { desc, motion });
        }
        simulation.build_external_body(key, motion, move || Some(assemble(sources, body_type)))
    }

    fn sources(
        &self,
        graph: &Graph,
        body: Handle<Node>,
        moving: bool,
    ) -> Vec<(ColliderSnapshot, ShapeSource)> {
        let source = |part: &ColliderSnapshot| {
            let from_world = collider_from_world(graph, body, part.collider);
            let source = shape_source(&part.shape, &from_world, graph, moving)?;
            Some((part.clone(), source))
        };
        self.colliders.iter().filter_map(source).collect()
    }
}

impl ColliderSnapshot {
    /// Whether a collider still has these properties.
    fn is_current(&self, graph: &Graph, collider: Handle<Node>) -> bool {
        let node = graph.try_get_of_type::<Collider>(collider);
        self.collider == collider
            && solid_collider(graph, collider).is_some_and(|(_, shape)| *shape == self.shape)
            && local_pose(graph, collider) == self.pose
            && contact_properties(graph, collider) == self.contact
            && groups(graph, collider) == self.groups
            && node.is_ok_and(|node| node.density().unwrap_or(DEFAULT_DENSITY) == self.density)
    }

    fn new(graph: &Graph, collider: Handle<Node>) -> Option<Self> {
        let (_, shape) = solid_collider(graph, collider)?;
        let node = graph.try_get_of_type::<Collider>(collider).ok()?;
        Some(Self {
            collider,
            shape: shape.clone(),
            pose: local_pose(graph, collider),
            contact: contact_properties(graph, collider),
            groups: groups(graph, collider),
            density: node.density().unwrap_or(DEFAULT_DENSITY),
        })
    }

    fn into_desc(self, shape: SharedShape) -> ColliderDesc {
        ColliderDesc {
            shape,
            pose: self.pose,
            contact: self.contact,
            density: self.density,
            groups: self.groups,
        }
    }
}

fn assemble(sources: Vec<(ColliderSnapshot, ShapeSource)>, body_type: BodyType) -> BodyDesc {
    let build = |(collider, source): (ColliderSnapshot, ShapeSource)| {
        Some(collider.into_desc(source.build()?))
    };
    BodyDesc {
        colliders: sources.into_iter().filter_map(build).collect(),
        body_type,
    }
}

fn mass_desc(body: &RigidBody) -> MassDesc {
    let additional_inertia = match body.mass_properties_type() {
        RigidBodyMassPropertiesType::Default => None,
        RigidBodyMassPropertiesType::Additional {
            center_of_mass,
            principal_inertia,
        } => Some(AdditionalInertia {
            center: vec3(center_of_mass),
            principal: vec3(principal_inertia),
        }),
    };
    MassDesc {
        additional_mass: body.mass(),
        additional_inertia,
        gravity_scale: body.gravity_scale(),
        locked_translations: body.is_translation_locked(),
        locked_rotations: [
            body.is_x_rotation_locked(),
            body.is_y_rotation_locked(),
            body.is_z_rotation_locked(),
        ],
        dominance: body.dominance(),
        ccd_enabled: body.is_ccd_enabled(),
    }
}

/// A round-robin scan over ordered keys: the key at which the next turn starts.
#[derive(Clone, Copy, Default)]
pub(crate) struct RoundRobin(u64);

impl RoundRobin {
    /// Appends the next `count` keys to `round`; `keys_from` lists the keys from a given one on, in order.
    /// The turn after the one that meets the last key starts at the first key again.
    pub fn take<I: Iterator<Item = u64>>(
        &mut self,
        count: usize,
        keys_from: impl FnOnce(u64) -> I,
        round: &mut Vec<u64>,
    ) {
        let before = round.len();
        round.extend(keys_from(self.0).take(count));
        self.0 = match round.last() {
            Some(last) if round.len() == before + count => last.saturating_add(1),
            _ => 0,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_has_a_turn() {
        let mut turn = RoundRobin::default();
        let mut rounds = Vec::new();
        for _ in 0..4 {
            turn.take(
                3,
                |from| (1..9).filter(move |key| *key >= from),
                &mut rounds,
            );
        }
        assert_eq!(rounds, [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3]);
    }
}
