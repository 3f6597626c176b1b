//! Who collides with whom.

use rapier3d::geometry::{Group, InteractionGroups, InteractionTestMode};

/// Groups of a collider: two collide when each is in a group that the other collides with, and push
/// each other when the same is true of their solver groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollisionGroups {
    /// The groups that it is in, a bit each.
    pub memberships: u32,
    /// The groups that it collides with.
    pub filter: u32,
    /// The same of forces, memberships and filter: what collides and does not push passes through.
    pub solver: [u32; 2],
}

impl Default for CollisionGroups {
    /// All groups: it collides with everything that wants to.
    fn default() -> Self {
        Self {
            memberships: u32::MAX,
            filter: u32::MAX,
            solver: [u32::MAX; 2],
        }
    }
}

impl CollisionGroups {
    pub(super) fn interaction(self) -> InteractionGroups {
        groups(self.memberships, self.filter)
    }

    pub(super) fn solver(self) -> InteractionGroups {
        let [memberships, filter] = self.solver;
        groups(memberships, filter)
    }
}

fn groups(memberships: u32, filter: u32) -> InteractionGroups {
    InteractionGroups::new(
        Group::from_bits_truncate(memberships),
        Group::from_bits_truncate(filter),
        InteractionTestMode::And,
    )
}
