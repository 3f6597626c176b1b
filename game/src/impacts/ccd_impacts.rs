//! Impacts of fast bodies, inferred from changes of their velocity.
//!
//! For a body with continuous collision detection (CCD) the engine divides a step into parts and keeps the
//! contacts of the last part only. The impact often happens in an earlier part: the body has stopped, and
//! no contact carries an impulse. Only the change of its velocity shows the impact.

use crate::{
    impacts::{contact::Contact, contact_impacts::ContactImpact, touch::Touch},
    mirror::engine_bodies::{center_of_mass, dynamic_mass, key_of, velocity_at},
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

/// Distance travelled in a step below which the engine does not divide the step, metres.
const MIN_TRAVEL: f32 = 0.01;
/// Change of velocity, relative to the speed, above which a body may have struck something. One that is two
/// hundred times as heavy as what it strikes loses no more.
const MIN_VELOCITY_CHANGE: f32 = 0.005;
/// Part of the change of momentum that contacts do not show, above which there was an impact. Friction, which
/// they do not show either, takes less.
const MIN_UNSHOWN_SHARE: f32 = 0.6;

/// Tracks the dynamic bodies from step to step.
#[derive(Default)]
pub(crate) struct BodyTracker {
    /// By node key.
    tracked: Vec<TrackedBody>,
    /// Memory for the next step.
    spare: Vec<TrackedBody>,
}

struct TrackedBody {
    body: Handle<Node>,
    state: PreStepState,
}

/// Position and velocities of a body before a step.
#[derive(Clone, Copy)]
struct PreStepState {
    position: Vector3<f32>,
    velocity: Vector3<f32>,
    angular_velocity: Vector3<f32>,
    has_ccd: bool,
}

/// An impact that no contact shows.
pub(crate) struct CcdImpact {
    /// The collider that was struck.
    pub struck: Handle<Node>,
    /// The impact on that collider's object.
    pub impact: ContactImpact,
}

impl BodyTracker {
    /// Returns the impacts that some bodies caused in the last step, which took `dt` seconds, and records
    /// their state for the next call.
    pub fn impacts(
        &mut self,
        graph: &Graph,
        bodies: impl Iterator<Item = Handle<Node>>,
        dt: f32,
    ) -> Vec<CcdImpact> {
        let mut current = std::mem::take(&mut self.spare);
        current.clear();
        for body in bodies {
            let state = PreStepState::new(graph, body);
            current.extend(state.map(|state| TrackedBody { body, state }));
        }
        current.sort_unstable_by_key(|tracked| key_of(tracked.body));
        current.dedup_by_key(|tracked| key_of(tracked.body));
        let fast = current.iter().filter(|tracked| tracked.state.has_ccd);
        let impacts = fast.filter_map(|now| self.find_impact(graph, now, dt));
        let impacts = impacts.collect();
        self.spare = std::mem::replace(&mut self.tracked, current);
        impacts
    }

    fn before(&self, body: Handle<Node>) -> Option<&PreStepState> {
        let key = |tracked: &TrackedBody| key_of(tracked.body);
        let index = self.tracked.binary_search_by_key(&key_of(body), key).ok()?;
        Some(&self.tracked.get(index)?.state)
    }

    /// Velocity of the striker of an impact against the struck body before the last step, m/s; `None` if neither is
    /// known. To be asked before [`BodyTracker::impacts`] is called for that step.
    pub fn approach_before(&self, graph: &Graph, impact: &ContactImpact) -> Option<Vector3<f32>> {
        let point = impact.point();
        let known = [impact.striker(), impact.struck()]
            .map(|body| self.velocity_before(graph, body, point));
        known.iter().flatten().next()?;
        let now = |body| velocity_at(graph, body, point);
        let [striker, struck] = known;
        Some(
            striker.unwrap_or_else(|| now(impact.striker()))
                - struck.unwrap_or_else(|| now(impact.struck())),
        )
    }

    /// Velocity that a dynamic body had before the last step where it has a point now, m/s.
    fn velocity_before(
        &self,
        graph: &Graph,
        body: Handle<Node>,
        point: Vector3<f32>,
    ) -> Option<Vector3<f32>> {
        let state = self.before(body)?;
        let arm = point - center_of_mass(graph, body);
        Some(state.velocity + state.angular_velocity.cross(&arm))
    }

    /// The impact that changed the velocity of a body in the last step.
    fn find_impact(&self, graph: &Graph, now: &TrackedBody, dt: f32) -> Option<CcdImpact> {
        let (body, now) = (now.body, &now.state);
        let before = self.before(body)?;
        let speed = before.velocity.norm();
        let node = graph.try_get_of_type::<RigidBody>(body).ok()?;
        let gravity = *graph.physics.gravity * (node.gravity_scale() * dt);
        let change = now.velocity - before.velocity - gravity;
        let has_struck = speed * dt > MIN_TRAVEL && change.norm() > MIN_VELOCITY_CHANGE * speed;
        if !has_struck {
            return None; // the common case
        }
        let mass = dynamic_mass(graph, body)?;
        let impulse_change = change * mass;
        let contacts: Vec<_> = contacts(graph, body).collect();
        // A body that is thrown onto something on the ground meets the ground as well.
        let shown: Vector3<f32> = contacts
            .iter()
            .map(|contact| contact.normal * contact.impulse)
            .sum();
        let unshown = impulse_change - shown;
        if unshown.norm() < MIN_UNSHOWN_SHARE * impulse_change.norm() {
            return None; // the contacts show the impact themselves
        }
        let contact =
            contact_along(contacts, &unshown).or_else(|| contact_ahead(graph, body, before, dt))?;
        let impulse = unshown.dot(&contact.normal);
        if impulse <= 0.0 {
            return None;
        }
        let mut impact = ContactImpact::central(graph, &contact, impulse)?;
        if let Some(approach) = self.approach_before(graph, &impact) {
            impact.set_approach(-approach.dot(&contact.normal));
        }
        Some(CcdImpact {
            struck: contact.own,
            impact,
        })
    }

    /// Records the state after debris and breaks have changed velocities: such changes are no impacts.
    pub fn record_states(&mut self, graph: &Graph) {
        for tracked in &mut self.tracked {
            let state = PreStepState::new(graph, tracked.body);
            tracked.state = state.unwrap_or(tracked.state);
        }
    }
}

impl PreStepState {
    /// The state of a body; `None` unless it is dynamic.
    fn new(graph: &Graph, body: Handle<Node>) -> Option<Self> {
        let node = graph.try_get_of_type::<RigidBody>(body).ok()?;
        (node.body_type() == RigidBodyType::Dynamic).then(|| Self {
            position: node.local_transform().position().clone_inner(),
            velocity: node.lin_vel(),
            angular_velocity: node.ang_vel(),
            has_ccd: node.is_ccd_enabled(),
        })
    }
}

/// The contacts of a body, seen from the other colliders.
fn contacts(graph: &Graph, body: Handle<Node>) -> impl Iterator<Item = Contact> + '_ {
    colliders(graph, body).flat_map(move |(_, collider)| {
        let pairs = collider.contacts(&graph.physics);
        pairs.filter_map(move |pair| {
            let other = pair.other(collider.handle().transmute());
            Contact::new(graph, &pair, other.to_base())
        })
    })
}

/// The contact whose normal fits the direction of an impulse best.
fn contact_along(contacts: Vec<Contact>, impulse: &Vector3<f32>) -> Option<Contact> {
    let along = |contact: &Contact| contact.normal.dot(impulse) / impulse.norm();
    let best = contacts
        .into_iter()
        .max_by(|a, b| along(a).total_cmp(&along(b)))?;
    (along(&best) > 0.5).then_some(best)
}

/// The first collider on the path of a body that has bounced off already.
fn contact_ahead(
    graph: &Graph,
    body: Handle<Node>,
    state: &PreStepState,
    dt: f32,
) -> Option<Contact> {
    let reach = colliders(graph, body).map(|(_, collider)| {
        let bounds = collider.local_bounding_box();
        (bounds.max - bounds.min).norm() * 0.5
    });
    let reach = reach.filter(|reach| reach.is_finite()).fold(0.0, f32::max);
    let mut hits = Vec::new();
    let options = RayCastOptions {
        ray_origin: Point3::from(state.position),
        ray_direction: state.velocity,
        max_len: state.velocity.norm() * dt + reach,
        groups: Default::default(),
        sort_results: true,
    };
    graph.physics.cast_ray(options, &mut hits);
    let is_other = |collider: Handle<Node>| colliders(graph, body).all(|(own, _)| own != collider);
    let hit = hits.iter().find(|hit| is_other(hit.collider.to_base()))?;
    let normal = hit.normal.try_normalize(f32::MIN_POSITIVE)?;
    let touch = Touch {
        point: hit.position.coords,
        normal,
        distance: 0.0,
        count: 1.0,
    };
    Some(Contact {
        own: hit.collider.to_base(),
        other: colliders(graph, body).next()?.0,
        point: touch.point,
        places: [touch.point; 2],
        touch,
        other_touch: Touch {
            normal: -normal,
            ..touch
        },
        normal,
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
