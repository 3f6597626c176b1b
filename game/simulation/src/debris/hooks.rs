//! What the physics engine asks about pairs of bodies in the middle of a step.

use glam::Vec3;
use rapier3d::geometry::{SolverContact, SolverFlags};
use rapier3d::pipeline::{ContactModificationContext, PairFilterContext, PhysicsHooks};

use super::contact_offset::{ContactOffset, RESTING, STEEP};
use super::external::BodyRef;
use super::handle_set::HandleSet;
use super::ignored_pairs::IgnoredPairs;

/// The state that its answers depend on.
#[derive(Default)]
pub(super) struct Hooks {
    pub passages: IgnoredPairs,
    /// Pieces in their first step.
    pub newborn: HandleSet,
    /// Bodies that a blow stopped or sent off in the last step.
    pub struck: HandleSet,
    /// Unit vector of gravity, or zero.
    pub down: Vec3,
}

impl PhysicsHooks for Hooks {
    fn filter_contact_pair(&self, context: &PairFilterContext) -> Option<SolverFlags> {
        let owner = |handle| context.bodies.get(handle?).and_then(BodyRef::of);
        let open = || {
            let pair = owner(context.rigid_body1).zip(owner(context.rigid_body2));
            pair.is_some_and(|(a, b)| self.passages.is_open(a, b))
        };
        match !self.passages.is_empty() && open() {
            true => None,
            false => Some(SolverFlags::COMPUTE_IMPULSES),
        }
    }

    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        let bodies = [context.rigid_body1, context.rigid_body2];
        let start = ContactOffset::unpack(*context.user_data).unwrap_or_else(|| {
            if !bodies.iter().any(|body| self.newborn.contains(*body)) {
                return ContactOffset::NONE;
            }
            let owner = |handle| context.bodies.get(handle?).and_then(BodyRef::of);
            let pieces = bodies
                .iter()
                .all(|body| matches!(owner(*body), Some(BodyRef::Breakable(_))));
            let deepest = if pieces { f32::INFINITY } else { RESTING };
            let bears = context.normal.dot(self.down).abs() > STEEP;
            ContactOffset::of_newborn(context.solver_contacts, deepest, bears)
        });
        if bodies.iter().any(|body| self.struck.contains(*body)) {
            forget_impulses(context.solver_contacts);
        }
        *context.user_data = start.apply(context.solver_contacts).pack();
    }
}

/// The solver starts from the impulses of the last step. After a blow they are hundreds of times what
/// is needed, and what it does not take back sends a landing heap up again.
fn forget_impulses(contacts: &mut [SolverContact]) {
    for contact in contacts {
        contact.warmstart_impulse = 0.0;
        contact.warmstart_tangent_impulse = Default::default();
        contact.warmstart_twist_impulse = 0.0;
    }
}
