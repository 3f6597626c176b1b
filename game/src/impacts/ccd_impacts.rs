//! Blows of fast bodies, which the engine's contacts do not show.
//!
//! For a body with continuous collision detection the engine cuts a step in parts and keeps only
//! the last part's contacts. The part in which such a body struck is often not among them: the
//! body has stopped, and no contact carries an impulse. What is left to see is that its velocity
//! has changed, so that is looked for.

use crate::{
    impacts::{contact::Contact, contact_impacts::ContactImpact, impact::Impact},
    mirror::engine_bodies::{key_of, mass_of},
};
use fyrox::{
    core::{
        algebra::{Point3, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        collider::Collider,
        graph::{physics::RayCastOptions, Graph},
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};
use std::collections::BTreeMap;

/// A body that moves less than this in a step is not cut into parts, metres.
const SLOW: f32 = 0.01;
/// Share of its velocity that a body has to lose for a blow.
const SHARE: f32 = 0.05;

/// Fast bodies as they were before the last step.
#[derive(Default)]
pub(crate) struct CcdTracker {
    before: BTreeMap<u64, TrackedBody>,
    frame: u64,
}

struct TrackedBody {
    body: Handle<Node>,
    flight: PreStepState,
    /// When it was seen last.
    frame: u64,
}

/// How a body flew.
#[derive(Clone, Copy)]
struct PreStepState {
    position: Vector3<f32>,
    velocity: Vector3<f32>,
}

/// A blow that no contact shows.
pub(crate) struct CcdImpact {
    /// The collider that was struck.
    pub struck: Handle<Node>,
    /// What it feels.
    pub blow: ContactImpact,
    /// What the fast body feels.
    pub reaction: Impact,
}

impl CcdTracker {
    /// The blows that some bodies have dealt in the last step, which took `dt` seconds; and takes
    /// note of how they fly now.
    pub fn blows(
        &mut self,
        graph: &Graph,
        bodies: impl Iterator<Item = Handle<Node>>,
        dt: f32,
    ) -> Vec<CcdImpact> {
        self.frame += 1;
        let frame = self.frame;
        let mut blows = Vec::new();
        for body in bodies {
            let Some(flight) = PreStepState::of(graph, body) else {
                continue;
            };
            let now = TrackedBody {
                body,
                flight,
                frame,
            };
            match self.before.get_mut(&key_of(body)) {
                Some(before) if before.frame == frame => {}
                Some(before) => {
                    blows.extend(blow(graph, body, &before.flight, &flight, dt));
                    *before = now;
                }
                None => _ = self.before.insert(key_of(body), now),
            }
        }
        self.before.retain(|_, flying| flying.frame == frame);
        blows
    }

    /// Takes note of what debris and breaks have changed since, which are no blows.
    pub fn take_note(&mut self, graph: &Graph) {
        for flying in self.before.values_mut() {
            flying.flight = PreStepState::of(graph, flying.body).unwrap_or(flying.flight);
        }
    }
}

impl PreStepState {
    /// The flight of a dynamic body with continuous collision detection.
    fn of(graph: &Graph, body: Handle<Node>) -> Option<Self> {
        let node = graph.try_get_of_type::<RigidBody>(body).ok()?;
        let counts = node.is_ccd_enabled() && node.body_type() == RigidBodyType::Dynamic;
        counts.then(|| Self {
            position: node.local_transform().position().clone_inner(),
            velocity: node.lin_vel(),
        })
    }
}

fn blow(
    graph: &Graph,
    body: Handle<Node>,
    before: &PreStepState,
    now: &PreStepState,
    dt: f32,
) -> Option<CcdImpact> {
    let speed = before.velocity.norm();
    let node = graph.try_get_of_type::<RigidBody>(body).ok()?;
    let gravity = *graph.physics.gravity * (node.gravity_scale() * dt);
    let change = now.velocity - before.velocity - gravity;
    let noteworthy = speed * dt > SLOW && change.norm() > SHARE * speed;
    if !noteworthy {
        return None; // the common case
    }
    let mass = mass_of(graph, body)?;
    let push = change * mass;
    let touched: Vec<_> = touched(graph, body).collect();
    let shown: f32 = touched.iter().map(|contact| contact.impulse).sum();
    if shown > 0.5 * push.norm() {
        return None; // the contacts tell it all
    }
    let met = pushed_by(touched, &push).or_else(|| ahead(graph, body, before, dt))?;
    let impulse = push.dot(&met.normal);
    if impulse <= 0.0 {
        return None;
    }
    let blow = ContactImpact::of(graph, &met, impulse)?;
    Some(CcdImpact {
        struck: met.own,
        reaction: blow.impact.reversed(),
        blow,
    })
}

/// What a body touches, seen from there.
fn touched(graph: &Graph, body: Handle<Node>) -> impl Iterator<Item = Contact> + '_ {
    colliders(graph, body).flat_map(move |(_, collider)| {
        let pairs = collider.contacts(&graph.physics);
        pairs.filter_map(move |pair| {
            let other = pair.other(collider.handle().transmute());
            Contact::of(graph, &pair, other.to_base())
        })
    })
}

/// The contact that pushes the way a body was pushed.
fn pushed_by(touched: Vec<Contact>, push: &Vector3<f32>) -> Option<Contact> {
    let along = |contact: &Contact| contact.normal.dot(push) / push.norm();
    let best = touched
        .into_iter()
        .max_by(|a, b| along(a).total_cmp(&along(b)))?;
    (along(&best) > 0.5).then_some(best)
}

/// What stood in a body's way, when it has bounced off already.
fn ahead(graph: &Graph, body: Handle<Node>, flight: &PreStepState, dt: f32) -> Option<Contact> {
    let reach = colliders(graph, body).map(|(_, collider)| {
        let bounds = collider.local_bounding_box();
        (bounds.max - bounds.min).norm() * 0.5
    });
    let reach = reach.filter(|reach| reach.is_finite()).fold(0.0, f32::max);
    let mut hits = Vec::new();
    let options = RayCastOptions {
        ray_origin: Point3::from(flight.position),
        ray_direction: flight.velocity,
        max_len: flight.velocity.norm() * dt + reach,
        groups: Default::default(),
        sort_results: true,
    };
    graph.physics.cast_ray(options, &mut hits);
    let is_other = |collider: Handle<Node>| colliders(graph, body).all(|(own, _)| own != collider);
    let hit = hits.iter().find(|hit| is_other(hit.collider.to_base()))?;
    Some(Contact {
        own: hit.collider.to_base(),
        other: colliders(graph, body).next()?.0,
        point: hit.position.coords,
        normal: hit.normal.try_normalize(f32::MIN_POSITIVE)?,
        impulse: 0.0,
    })
}

fn colliders(graph: &Graph, body: Handle<Node>) -> impl Iterator<Item = (Handle<Node>, &Collider)> {
    let children = graph
        .try_get_node(body)
        .map_or(&[][..], |node| node.children());
    children.iter().filter_map(|child| {
        let collider = graph.try_get_of_type::<Collider>(*child).ok()?;
        Some((*child, collider))
    })
}
