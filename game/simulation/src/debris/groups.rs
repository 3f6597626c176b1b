//! Who collides with whom.

use rapier3d::geometry::{Group, InteractionGroups, InteractionTestMode};

/// Groups of a collider: two collide when each is in a group that the other collides with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// The groups that it is in, a bit each.
    pub memberships: u32,
    /// The groups that it collides with.
    pub filter: u32,
}

impl Default for Groups {
    /// All groups: it collides with everything that wants to.
    fn default() -> Self {
        Self {
            memberships: u32::MAX,
            filter: u32::MAX,
        }
    }
}

impl Groups {
    pub(super) fn interaction(self) -> InteractionGroups {
        InteractionGroups::new(
            Group::from_bits_truncate(self.memberships),
            Group::from_bits_truncate(self.filter),
            InteractionTestMode::And,
        )
    }
}
