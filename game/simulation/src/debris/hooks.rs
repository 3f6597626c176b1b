//! Answers to rapier's questions about pairs of bodies in the middle of a step.

use glam::Vec3;
use rapier3d::dynamics::{RigidBodyHandle, RigidBodySet};
use rapier3d::geometry::{SolverContact, SolverFlags};
use rapier3d::pipeline::{ContactModificationContext, PairFilterContext, PhysicsHooks};

use super::contact_offset::{ContactOffset, CARRYING_SLOPE, RESTING_PENETRATION};
use super::exchange::Exchanges;
use super::external::BodyRef;
use super::passages::Passages;
use super::released::ReleasedPairs;

/// State on which the answers depend.
#[derive(Default)]
pub(super) struct Hooks {
    pub passages: Passages,
    pub released: ReleasedPairs,
    pub exchanges: Exchanges,
    /// Pieces in their first step.
    pub new_bodies: HandleSet,
    /// Those whose collider was exchanged later than in their first steps.
    pub settled: HandleSet,
    /// Bodies whose velocity a collision changed in the last step.
    pub struck: HandleSet,
    /// Bodies that have lost contacts since the last step, other than by moving.
    pub unbalanced: HandleSet,
    /// Unit vector of gravity, or zero.
    pub down: Vec3,
}

impl PhysicsHooks for Hooks {
    fn filter_contact_pair(&self, context: &PairFilterContext) -> Option<SolverFlags> {
        let handles = [context.rigid_body1, context.rigid_body2];
        let is_let_through = self.is_let_through(context.bodies, handles);
        (!is_let_through).then_some(SolverFlags::COMPUTE_IMPULSES)
    }

    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        let handles = [context.rigid_body1, context.rigid_body2];
        // Pairs of pieces are not filtered: that would cost a call for each of them in each step.
        if self.is_let_through(context.bodies, handles) {
            context.solver_contacts.clear();
            return;
        }
        self.released.modify(context, self.down);
        let offset = ContactOffset::from_user_data(*context.user_data)
            .unwrap_or_else(|| self.initial_offset(context));
        let are_outdated =
            |body: &Option<_>| self.struck.contains(*body) || self.unbalanced.contains(*body);
        if handles.iter().any(are_outdated) {
            forget_impulses(context.solver_contacts);
        }
        *context.user_data = offset.apply(context.solver_contacts).to_user_data();
    }
}

impl Hooks {
    fn is_let_through(&self, bodies: &RigidBodySet, handles: [Option<RigidBodyHandle>; 2]) -> bool {
        if self.passages.is_empty() {
            return false; // the common case
        }
        let [a, b] = handles.map(|handle| body_ref(bodies, handle));
        a.zip(b).is_some_and(|(a, b)| self.passages.contains(a, b))
    }

    fn initial_offset(&self, context: &ContactModificationContext) -> ContactOffset {
        let handles = [context.rigid_body1, context.rigid_body2];
        if !handles.iter().any(|body| self.new_bodies.contains(*body)) {
            return ContactOffset::NONE;
        }
        let bodies = handles.map(|handle| body_ref(context.bodies, handle));
        let are_breakable = bodies
            .iter()
            .all(|body| matches!(body, Some(BodyRef::Breakable(_))));
        // A provisional collider fills hollows, and what is in them is not to be pushed out.
        let is_provisional = |body: &BodyRef| self.exchanges.is_provisional(*body);
        let fills_hollows = bodies.iter().flatten().any(is_provisional);
        let was_exchanged = || handles.iter().any(|body| self.settled.contains(*body));
        let max_overlap = if are_breakable || fills_hollows || was_exchanged() {
            f32::INFINITY
        } else if has_crumb(context) {
            0.0
        } else {
            RESTING_PENETRATION
        };
        let carries_weight = context.normal.dot(self.down).abs() > CARRYING_SLOPE;
        ContactOffset::from_first_contact(context.solver_contacts, max_overlap, carries_weight)
    }
}

/// Whether one of two colliders is that of a crumb, which would be buried by what others keep.
fn has_crumb(context: &ContactModificationContext) -> bool {
    let colliders = [context.collider1, context.collider2];
    let mut colliders = colliders
        .iter()
        .filter_map(|handle| context.colliders.get(*handle));
    colliders.any(|collider| collider.contact_skin() > 0.0)
}

fn body_ref(bodies: &RigidBodySet, handle: Option<RigidBodyHandle>) -> Option<BodyRef> {
    BodyRef::from_user_data(bodies.get(handle?)?)
}

/// Clears the impulses of the last step, from which the solver would start. After a collision they are
/// hundreds of times the needed ones, and what the solver does not take back would throw a landing heap
/// up again. In a jam they balance each other, and without one of them the others would shoot a piece out.
fn forget_impulses(contacts: &mut [SolverContact]) {
    for contact in contacts {
        contact.warmstart_impulse = 0.0;
        contact.warmstart_tangent_impulse = Default::default();
        contact.warmstart_twist_impulse = 0.0;
    }
}

/// A sorted set of rigid bodies, which keeps its memory from step to step.
#[derive(Default)]
pub(super) struct HandleSet(Vec<RigidBodyHandle>);

impl HandleSet {
    /// Replaces the set.
    pub fn set(&mut self, bodies: impl Iterator<Item = RigidBodyHandle>) {
        self.0.clear();
        self.add(bodies);
    }

    pub fn add(&mut self, bodies: impl Iterator<Item = RigidBodyHandle>) {
        self.0.extend(bodies);
        self.0.sort_unstable_by_key(|body| body.into_raw_parts());
    }

    pub fn iter(&self) -> impl Iterator<Item = &RigidBodyHandle> {
        self.0.iter()
    }

    fn contains(&self, body: Option<RigidBodyHandle>) -> bool {
        let key = |body: &RigidBodyHandle| body.into_raw_parts();
        body.is_some_and(|body| self.0.binary_search_by_key(&key(&body), key).is_ok())
    }
}
