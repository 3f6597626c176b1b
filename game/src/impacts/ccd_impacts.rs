//! Impacts of fast bodies, inferred from changes of velocities.
//!
//! For a body with continuous collision detection (CCD) the engine divides a step into parts and keeps the
//! contacts of the last part only. The impact often happens in an earlier part: the body has stopped, or bounced off
//! something else since, and no contact carries the impulse. Only the changes of velocity show it: that of what was
//! struck, if it could move, and else that of the body.

use crate::{
    impacts::{
        contact::Contact,
        contact_impacts::ContactImpact,
        meeting::{colliders, first_met, meeting, Traveller},
    },
    mirror::{
        engine_bodies::{body_motion, center_of_mass, dynamic_mass, key_of, velocity_at},
        transforms::engine_vector,
    },
};
use fracture_simulation::Motion;
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        graph::Graph,
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};

/// Distance travelled in a step below which the engine does not divide the step, metres.
const MIN_TRAVEL: f32 = 0.01;
/// Change of velocity, relative to the speed, above which a body may have struck something that does not tell of it
/// by its own change.
const MIN_VELOCITY_CHANGE: f32 = 0.005;
/// Change of velocity above which something may have struck a body, m/s.
const MIN_JOLT: f32 = 0.05;
/// Part of a change of momentum that contacts do not show, above which there was an impact. Friction, which
/// they do not show either, takes less.
const MIN_UNSHOWN_SHARE: f32 = 0.6;
/// Rounds in which a change of momentum is shared out among contacts. They rarely are more than two, and nearly at
/// right angles.
const SHARING_ROUNDS: usize = 8;

/// Tracks the dynamic bodies from step to step.
#[derive(Default)]
pub(crate) struct BodyTracker {
    /// By node key.
    tracked: Vec<TrackedBody>,
    /// Memory for the next step.
    spare: Vec<TrackedBody>,
}

/// A dynamic body before a step, or after it.
#[derive(Clone, Copy)]
struct TrackedBody {
    traveller: Traveller,
    has_ccd: bool,
}

/// A body, and the change of its velocity in a step.
struct ChangedBody {
    traveller: Traveller,
    /// In all, m/s.
    total: Vector3<f32>,
    /// But for what gravity gave it, m/s.
    change: Vector3<f32>,
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
        current.extend(bodies.filter_map(|body| TrackedBody::new(graph, body)));
        current.sort_unstable_by_key(TrackedBody::key);
        current.dedup_by_key(|tracked| tracked.key());
        let impacts = self.find_impacts(graph, &current, dt);
        self.spare = std::mem::replace(&mut self.tracked, current);
        impacts
    }

    /// The impacts of the fast among some bodies, without duplicates.
    fn find_impacts(&self, graph: &Graph, current: &[TrackedBody], dt: f32) -> Vec<CcdImpact> {
        let mut impacts: Vec<CcdImpact> = Vec::new();
        let changed = || {
            let bodies = current.iter();
            bodies.filter_map(|now| Some((now.has_ccd, self.changed(graph, now, dt)?)))
        };
        for (has_ccd, striker) in changed() {
            if !has_ccd || striker.traveller.before.linear.length() * dt <= MIN_TRAVEL {
                continue; // the common case
            }
            let jolted = changed().map(|(_, body)| body);
            let jolted = jolted.filter(ChangedBody::is_jolted);
            for new in self.impacts_of(graph, &striker, jolted, dt) {
                // Of two fast bodies each has struck the other.
                let is_same = |old: &CcdImpact| old.impact.is_reverse_of(&new.impact);
                if !impacts.iter().any(is_same) {
                    impacts.push(new);
                }
            }
        }
        impacts
    }

    fn before(&self, body: Handle<Node>) -> Option<&TrackedBody> {
        let index = self
            .tracked
            .binary_search_by_key(&key_of(body), TrackedBody::key);
        self.tracked.get(index.ok()?)
    }

    /// The motion of a dynamic body before the last step, if it is known. To be asked before [`BodyTracker::impacts`] is
    /// called for that step.
    pub fn motion_before(&self, body: Handle<Node>) -> Option<Motion> {
        Some(self.before(body)?.traveller.before)
    }

    /// A body with the change of its velocity; `None` if it is new.
    fn changed(&self, graph: &Graph, now: &TrackedBody, dt: f32) -> Option<ChangedBody> {
        let traveller = self.before(now.traveller.body)?.traveller;
        let node = graph.try_get_of_type::<RigidBody>(traveller.body).ok()?;
        let gravity = *graph.physics.gravity * (node.gravity_scale() * dt);
        let change = now.traveller.before.linear - traveller.before.linear;
        let change = engine_vector(change);
        Some(ChangedBody {
            traveller,
            total: change,
            change: change - gravity,
        })
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

    /// Way that the striker of an impact has gone against the struck body in the last step, metres, as far as it is known.
    /// To be asked before [`BodyTracker::impacts`] is called for that step.
    pub fn way_in_step(&self, graph: &Graph, impact: &ContactImpact) -> Vector3<f32> {
        let way = |body| {
            let now = body_motion(graph, body).pose.translation;
            let before = self.motion_before(body);
            before.map_or(Vector3::zeros(), |before| {
                engine_vector(now - before.pose.translation)
            })
        };
        way(impact.striker()) - way(impact.struck())
    }

    /// Velocity that a dynamic body had before the last step where it has a point now, m/s.
    fn velocity_before(
        &self,
        graph: &Graph,
        body: Handle<Node>,
        point: Vector3<f32>,
    ) -> Option<Vector3<f32>> {
        let before = self.motion_before(body)?;
        let arm = point - center_of_mass(graph, body);
        Some(engine_vector(before.linear) + engine_vector(before.angular).cross(&arm))
    }

    /// The impacts of a fast body in the last step: on those that have been jolted, as these tell, and on whatever
    /// else has changed its velocity.
    fn impacts_of(
        &self,
        graph: &Graph,
        striker: &ChangedBody,
        jolted: impl Iterator<Item = ChangedBody>,
        dt: f32,
    ) -> Vec<CcdImpact> {
        let others = jolted.filter(|body| body.traveller.body != striker.traveller.body);
        let mut felt: Vec<Contact> = others
            .filter_map(|struck| struck.blow_of(graph, &striker.traveller, dt))
            .collect();
        striker.share_rest(graph, &mut felt, dt);
        if felt.is_empty() {
            return Vec::new(); // the common case
        }
        let shown: Vec<_> = contacts(graph, striker.traveller.body).collect();
        let told = felt.iter_mut().filter_map(|contact| {
            let shown = shown.iter().filter(|shown| shown.own == contact.own);
            contact.impulse += shown.map(|shown| shown.impulse).sum::<f32>();
            let mut impact = ContactImpact::central(graph, contact)?;
            if let Some(approach) = self.approach_before(graph, &impact) {
                impact.set_approach(-approach.dot(&contact.normal));
            }
            let struck = contact.own;
            Some(CcdImpact { struck, impact })
        });
        told.collect()
    }

    /// Records the state after debris and breaks have changed velocities: such changes are no impacts.
    pub fn record_states(&mut self, graph: &Graph) {
        for tracked in &mut self.tracked {
            let state = TrackedBody::new(graph, tracked.traveller.body);
            *tracked = state.unwrap_or(*tracked);
        }
    }
}

impl TrackedBody {
    /// The state of a body; `None` unless it is dynamic.
    fn new(graph: &Graph, body: Handle<Node>) -> Option<Self> {
        let node = graph.try_get_of_type::<RigidBody>(body).ok()?;
        (node.body_type() == RigidBodyType::Dynamic).then(|| Self {
            traveller: Traveller {
                body,
                before: body_motion(graph, body),
            },
            has_ccd: node.is_ccd_enabled(),
        })
    }

    fn key(&self) -> u64 {
        key_of(self.traveller.body)
    }
}

impl ChangedBody {
    /// Whether something may have struck it: it neither rests nor falls freely.
    fn is_jolted(&self) -> bool {
        self.total.norm() > MIN_JOLT && self.change.norm() > MIN_JOLT
    }

    /// The change of momentum that no contact shows, N s, and the contacts, seen from what it touches; `None` if they
    /// show it all but for friction.
    fn unshown(&self, graph: &Graph) -> Option<(Vector3<f32>, Vec<Contact>)> {
        let body = self.traveller.body;
        let change = self.change * dynamic_mass(graph, body)?;
        let contacts: Vec<_> = contacts(graph, body).collect();
        // A body that is thrown onto something on the ground meets the ground as well.
        let shown: Vector3<f32> = contacts.iter().map(|c| c.normal * c.impulse).sum();
        let unshown = change - shown;
        (unshown.norm() >= MIN_UNSHOWN_SHARE * change.norm()).then_some((unshown, contacts))
    }

    /// The blow of a fast body in a step of `dt` seconds that this body has felt, as the contact that the engine has
    /// forgotten.
    fn blow_of(&self, graph: &Graph, striker: &Traveller, dt: f32) -> Option<Contact> {
        if !self.traveller.comes_near(graph, striker, dt) {
            return None; // the common case
        }
        let (unshown, contacts) = self.unshown(graph)?;
        let met = meeting(graph, &self.traveller, striker, dt);
        let touched = || {
            let touched = contacts.into_iter();
            let body_of = |collider| Some(graph.try_get_node(collider).ok()?.parent());
            let mut touched = touched.filter(|c| body_of(c.own) == Some(striker.body));
            touched.next().map(Contact::reversed)
        };
        let mut contact = met.or_else(touched)?;
        contact.impulse = -unshown.dot(&contact.normal);
        (contact.impulse > MIN_UNSHOWN_SHARE * unshown.norm()).then_some(contact)
    }

    /// Appends to the blows that others have felt those that follow from how this fast body's own velocity has changed
    /// in a step of `dt` seconds.
    fn share_rest(&self, graph: &Graph, felt: &mut Vec<Contact>, dt: f32) {
        let speed = self.traveller.before.linear.length();
        if self.change.norm() <= MIN_VELOCITY_CHANGE * speed {
            return; // the common case
        }
        let Some((mut rest, mut contacts)) = self.unshown(graph) else {
            return;
        };
        let unshown = rest;
        rest -= felt
            .iter()
            .map(|c| c.normal * c.impulse)
            .sum::<Vector3<f32>>();
        // Less is friction.
        if rest.norm() >= MIN_UNSHOWN_SHARE * unshown.norm() {
            if let Some(ahead) = first_met(graph, &self.traveller, dt) {
                contacts.retain(|contact| contact.own != ahead.own);
                contacts.push(ahead);
            }
            for (contact, impulse) in share_out(rest, contacts) {
                match felt.iter_mut().find(|known| known.own == contact.own) {
                    Some(known) => known.impulse += impulse,
                    None => felt.push(Contact { impulse, ..contact }),
                }
            }
        }
        if let [only] = &mut felt[..] {
            only.take(unshown);
        }
    }
}

impl Contact {
    /// Makes an impulse that of the contact, with its friction, if it fits the normal. That may be of a hull.
    fn take(&mut self, impulse: Vector3<f32>) {
        let length = impulse.norm();
        if impulse.dot(&self.normal) >= MIN_UNSHOWN_SHARE * length {
            self.normal = impulse / length;
            self.impulse = length;
        }
    }
}

/// The contacts that have given a body an impulse, each with its part: those first whose normals fit it best.
fn share_out(impulse: Vector3<f32>, mut contacts: Vec<Contact>) -> Vec<(Contact, f32)> {
    let along = |contact: &Contact| contact.normal.dot(&impulse);
    contacts.sort_by(|a, b| along(b).total_cmp(&along(a)));
    let mut shares = vec![0.0; contacts.len()];
    let mut rest = impulse;
    for _ in 0..SHARING_ROUNDS {
        for (contact, share) in contacts.iter().zip(&mut shares) {
            let more = rest.dot(&contact.normal).max(-*share);
            *share += more;
            rest -= contact.normal * more;
        }
    }
    let least = MIN_VELOCITY_CHANGE * impulse.norm();
    let shared = contacts.into_iter().zip(shares);
    shared.filter(|(_, share)| *share > least).collect()
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
