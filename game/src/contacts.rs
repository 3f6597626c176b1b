//! Finds the blows among the engine's contacts.

use crate::{
    blow::Blow,
    object::survey::body_type,
    shapes::shared_shape,
    surroundings::{collider_from_world, key_of},
};
use fyrox::{
    core::{
        algebra::{Matrix4, Point3, UnitQuaternion, Vector3},
        math::Matrix4Ext,
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        collider::Collider,
        graph::{physics::ContactPair, Graph},
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};
use std::collections::BTreeMap;

/// Share of the toughness below which a contact is not worth mentioning.
const NOTEWORTHY: f32 = 0.1;
/// What a resting contact shows, in weights over a step: the solver's figure is up to 1.6.
const RESTING: f32 = 2.0;
/// Density of a collider that states none, kg/m^3: the physics engine's own default.
const DEFAULT_DENSITY: f32 = 1.0;

/// What contacts carried in the frame before, so that only what is new counts.
///
/// A blow is the impulse of a pair of colliders in a step, less what the pair carried in the step
/// before, and less the weight of the lighter body over a step. So a load may rest on an object, or
/// grow slowly, without breaking it.
#[derive(Default)]
pub(crate) struct ContactMemory {
    before: BTreeMap<(u64, u64), f32>,
    now: BTreeMap<(u64, u64), f32>,
}

/// One object as far as contacts matter.
pub(crate) struct Struck<'a> {
    /// Its rigid body node.
    pub body: Handle<Node>,
    /// Its colliders.
    pub colliders: &'a [Handle<Node>],
    /// The impulse that breaks it, N s.
    pub toughness: f32,
}

impl ContactMemory {
    /// Starts a frame.
    pub fn begin(&mut self) {
        std::mem::swap(&mut self.before, &mut self.now);
        self.now.clear();
    }

    /// The blows on an object in the last physics step; `dt` is its length in seconds.
    pub fn blows(&mut self, graph: &Graph, object: &Struck, dt: f32) -> Vec<Blow> {
        let mut blows = Vec::new();
        for handle in object.colliders {
            let Ok(collider) = graph.try_get_of_type::<Collider>(*handle) else {
                continue;
            };
            if !collider.is_globally_enabled() {
                continue;
            }
            for pair in collider.active_contacts(&graph.physics) {
                blows.extend(self.blow(graph, object, *handle, &pair, dt));
            }
        }
        blows
    }

    fn blow(
        &mut self,
        graph: &Graph,
        object: &Struck,
        own: Handle<Node>,
        pair: &ContactPair,
        dt: f32,
    ) -> Option<Blow> {
        let contact = Contact::of(graph, pair, own).filter(|contact| contact.impulse > 0.0)?;
        let key = (key_of(own), key_of(contact.other));
        self.now.insert(key, contact.impulse);
        let noteworthy = NOTEWORTHY * object.toughness;
        let news = contact.impulse - self.before.get(&key).copied().unwrap_or(0.0);
        if news <= noteworthy {
            return None; // the common case, before anything is looked up
        }
        let other_body = graph.try_get_node(contact.other).ok()?.parent();
        let masses = [mass_of(graph, object.body), mass_of(graph, other_body)];
        let lighter = masses.iter().flatten().copied().reduce(f32::min)?;
        let weight = lighter * graph.physics.gravity.norm() * dt.max(0.0);
        let impulse = contact.impulse - (RESTING * weight).max(contact.impulse - news);
        if impulse <= noteworthy {
            return None;
        }
        Blow::of(graph, &contact, impulse)
    }
}

/// A pair of colliders as one contact, seen from one of them.
pub(crate) struct Contact {
    /// The collider that it is seen from.
    pub own: Handle<Node>,
    /// The other one.
    pub other: Handle<Node>,
    /// World space, metres.
    pub point: Vector3<f32>,
    /// Outward unit normal of the own one.
    pub normal: Vector3<f32>,
    /// What the solver let the two exchange along the normal, N s.
    pub impulse: f32,
}

impl Contact {
    /// Nothing when the colliders are near each other, but not in contact.
    pub fn of(graph: &Graph, pair: &ContactPair, own: Handle<Node>) -> Option<Self> {
        let first = pair.collider1.to_base::<Node>() == own;
        let points = || {
            pair.manifolds
                .iter()
                .flat_map(|m| m.points.iter().map(move |p| (m, p)))
        };
        let impulse: f32 = points().map(|(_, point)| point.impulse).sum();
        let count = points().count();
        if count == 0 || !impulse.is_finite() {
            return None;
        }
        let (mut place, mut normal) = (Vector3::zeros(), Vector3::zeros());
        for (manifold, point) in points() {
            // Points weigh by what they carry, and alike when none carries anything.
            let weight = if impulse > 0.0 {
                point.impulse / impulse
            } else {
                1.0 / count as f32
            };
            place += if first {
                point.local_p1
            } else {
                point.local_p2
            } * weight;
            normal += manifold.normal * weight;
        }
        // The engine's normals point from the first collider to the second.
        let outward = if first { normal } else { -normal };
        let point = pose_in_step(graph, own)?.transform_point(&Point3::from(place));
        Some(Self {
            own,
            other: pair.other(own.transmute()).to_base(),
            point: point.coords,
            normal: outward.try_normalize(f32::MIN_POSITIVE)?,
            impulse,
        })
    }
}

/// Where a collider was in the last physics step, without scale: the engine's global transforms
/// date from its beginning.
fn pose_in_step(graph: &Graph, collider: Handle<Node>) -> Option<Matrix4<f32>> {
    let global = graph.try_get_node(collider).ok()?.global_transform();
    let rotation = UnitQuaternion::from_matrix(&global.basis());
    let position = Vector3::new(global[12], global[13], global[14]);
    Some(rotation.to_homogeneous().append_translation(&position))
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
