//! Bodies that the engine's physics moves, mirrored so that they and debris move each other.

use crate::mirror::{
    engine_bodies::{
        body_motion, collider_from_world, friction, groups, key_of, local_pose, solid_collider,
    },
    shapes::{is_loading, shape_source, ShapeSource},
    transforms::vec3,
};
use fracture_simulation::{
    BodyDesc, BodyError, BodyType, ColliderDesc, CollisionGroups, ExternalBody, MassDesc, Motion,
    Pose, SharedShape, Simulation,
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
use std::collections::BTreeMap;

/// Density of a collider that states none, kg/m^3: the physics engine's own default.
const DEFAULT_DENSITY: f32 = 1.0;

/// Bodies far from debris that are followed per frame, in turn.
const FAR: usize = 256;

/// The mirrored bodies of a scene that physics moves.
#[derive(Default)]
pub(crate) struct MirroredBodies {
    by_key: BTreeMap<u64, MirroredBody>,
    /// Where the last round through all has ended.
    turn: RoundRobin,
    /// Memory for those that are looked at in a frame.
    round: Vec<u64>,
}

struct MirroredBody {
    body: Handle<Node>,
    made_of: BodySnapshot,
    /// Where it was when the simulation was last told.
    motion: Motion,
}

/// What a mirror is made from, to notice changes.
#[derive(Clone)]
pub(crate) struct BodySnapshot {
    colliders: Vec<ColliderSnapshot>,
    dynamics: MassDesc,
}

#[derive(Clone)]
struct ColliderSnapshot {
    collider: Handle<Node>,
    shape: ColliderShape,
    pose: Pose,
    friction: Option<f32>,
    density: f32,
    groups: CollisionGroups,
}

impl MirroredBodies {
    /// Mirrors a body, or mirrors it anew when it has changed. `counts` tells which of its colliders
    /// do.
    pub fn consider(
        &mut self,
        simulation: &mut Simulation,
        graph: &Graph,
        body: Handle<Node>,
        counts: impl Fn(Handle<Node>) -> bool,
    ) {
        let key = key_of(body);
        let children = graph.try_get_node(body).map_or(&[][..], |b| b.children());
        let counted = children.iter().copied().filter(|child| counts(*child));
        let known = self.by_key.get(&key);
        if known.is_some_and(|known| known.made_of.is_still(graph, body, counted)) {
            return; // the common case
        }
        let own: Vec<_> = children.iter().copied().filter(|c| counts(*c)).collect();
        let composition = BodySnapshot::of(graph, body, &own);
        let Some(made_of) = composition.filter(|made_of| !made_of.colliders.is_empty()) else {
            self.drop_body(simulation, key);
            return;
        };
        if made_of.is_loading(graph) {
            return;
        }
        let motion = body_motion(graph, body);
        if made_of.mirror(simulation, graph, body, motion).is_ok() {
            let free = MirroredBody {
                body,
                made_of,
                motion,
            };
            self.by_key.insert(key, free);
        }
    }

    /// Stops mirroring a body, or takes the loss of one of its colliders into account.
    pub fn forget(
        &mut self,
        simulation: &mut Simulation,
        graph: &Graph,
        node: Handle<Node>,
        counts: impl Fn(Handle<Node>) -> bool,
    ) {
        if self.drop_body(simulation, key_of(node)) {
            return;
        }
        let has = |free: &&MirroredBody| free.made_of.colliders.iter().any(|p| p.collider == node);
        if let Some(body) = self.by_key.values().find(has).map(|free| free.body) {
            self.consider(simulation, graph, body, counts);
        }
    }

    fn drop_body(&mut self, simulation: &mut Simulation, key: u64) -> bool {
        let known = self.by_key.remove(&key).is_some();
        known && simulation.remove_external_body(key)
    }

    /// Mirrors one anew when it has changed; nothing happens when there is none of this key.
    pub fn reconsider(
        &mut self,
        simulation: &mut Simulation,
        graph: &Graph,
        key: u64,
        counts: impl Fn(Handle<Node>) -> bool,
    ) {
        if let Some(body) = self.by_key.get(&key).map(|free| free.body) {
            self.consider(simulation, graph, body, counts);
        }
    }

    /// Tells the simulation what the engine's last step has made of each that is near debris, and of
    /// some others in turn.
    pub fn follow(&mut self, simulation: &mut Simulation, graph: &Graph) {
        let mut round = std::mem::take(&mut self.round);
        round.clear();
        let near = simulation.active_external_bodies(0);
        round.extend(near.filter(|key| self.by_key.contains_key(key)));
        let keys = |from: u64| self.by_key.range(from..).map(|(key, _)| *key);
        self.turn.take(FAR, keys, &mut round);
        for key in round.drain(..) {
            let Some(free) = self.by_key.get_mut(&key) else {
                continue;
            };
            let motion = body_motion(graph, free.body);
            if motion != free.motion {
                free.motion = motion;
                // Refused when not finite: then it stays where it was.
                simulation.set_external_motion(key, motion);
            }
        }
        self.round = round;
    }

    /// A body, and the motion that the simulation knows of it.
    pub fn known_mut(&mut self, key: u64) -> Option<(Handle<Node>, &mut Motion)> {
        let free = self.by_key.get_mut(&key)?;
        Some((free.body, &mut free.motion))
    }

    /// All of them.
    pub fn bodies(&self) -> impl Iterator<Item = Handle<Node>> + '_ {
        self.by_key.values().map(|free| free.body)
    }
}

impl BodySnapshot {
    /// What a body is made of, as far as some colliders go.
    pub fn of(graph: &Graph, body: Handle<Node>, colliders: &[Handle<Node>]) -> Option<Self> {
        let node = graph.try_get_of_type::<RigidBody>(body).ok()?;
        let enabled = node.is_globally_enabled();
        let colliders = colliders.iter().filter(|_| enabled);
        Some(Self {
            colliders: colliders
                .filter_map(|c| ColliderSnapshot::new(graph, *c))
                .collect(),
            dynamics: dynamics_of(node),
        })
    }

    /// Whether a body is made of just this.
    fn is_still(
        &self,
        graph: &Graph,
        body: Handle<Node>,
        colliders: impl Iterator<Item = Handle<Node>>,
    ) -> bool {
        let node = graph.try_get_of_type::<RigidBody>(body).ok();
        let Some(node) = node.filter(|node| node.is_globally_enabled()) else {
            return false;
        };
        let mut known = self.colliders.iter();
        let mut parts = colliders.filter(|collider| solid_collider(graph, *collider).is_some());
        let same = parts.all(|part| {
            known
                .next()
                .is_some_and(|known| known.is_still(graph, part))
        });
        same && known.next().is_none() && dynamics_of(node) == self.dynamics
    }

    /// How it moves when physics moves it.
    pub fn free(&self) -> BodyType {
        BodyType::Dynamic(self.dynamics)
    }

    /// Makes the mirror, where there is time.
    pub fn maker(
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

    fn mirror(
        &self,
        simulation: &mut Simulation,
        graph: &Graph,
        body: Handle<Node>,
        motion: Motion,
    ) -> Result<(), BodyError> {
        let (key, body_type) = (key_of(body), self.free());
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
    /// Whether a collider is just this.
    fn is_still(&self, graph: &Graph, collider: Handle<Node>) -> bool {
        let node = graph.try_get_of_type::<Collider>(collider);
        self.collider == collider
            && solid_collider(graph, collider).is_some_and(|(_, shape)| *shape == self.shape)
            && local_pose(graph, collider) == self.pose
            && friction(graph, collider) == self.friction
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
            friction: friction(graph, collider),
            groups: groups(graph, collider),
            density: node.density().unwrap_or(DEFAULT_DENSITY),
        })
    }

    fn part(self, shape: SharedShape) -> ColliderDesc {
        ColliderDesc {
            shape,
            pose: self.pose,
            friction: self.friction,
            density: self.density,
            groups: self.groups,
        }
    }
}

fn assemble(sources: Vec<(ColliderSnapshot, ShapeSource)>, body_type: BodyType) -> BodyDesc {
    let make = |(part, source): (ColliderSnapshot, ShapeSource)| Some(part.part(source.make()?));
    BodyDesc {
        colliders: sources.into_iter().filter_map(make).collect(),
        body_type,
    }
}

fn dynamics_of(body: &RigidBody) -> MassDesc {
    let additional_inertia = match body.mass_properties_type() {
        RigidBodyMassPropertiesType::Default => None,
        RigidBodyMassPropertiesType::Additional {
            center_of_mass,
            principal_inertia,
        } => Some((vec3(center_of_mass), vec3(principal_inertia))),
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

/// Where the last turn ended.
#[derive(Clone, Copy, Default)]
pub(crate) struct RoundRobin(u64);

impl RoundRobin {
    /// Adds the next so many keys; `keys` gives those from one on, in order. After the last one it is
    /// the first one's turn in the next frame.
    pub fn take<I: Iterator<Item = u64>>(
        &mut self,
        count: usize,
        keys: impl FnOnce(u64) -> I,
        round: &mut Vec<u64>,
    ) {
        let before = round.len();
        round.extend(keys(self.0).take(count));
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
