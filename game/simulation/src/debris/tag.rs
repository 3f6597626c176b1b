//! What a body of the debris world stands for, packed into its user data.

use rapier3d::dynamics::RigidBody;

use super::external::BodyRef;
use crate::types::BodyId;

const SURROUNDING: u128 = 1 << 64;
const PIECE: u128 = 1 << 65;

impl BodyRef {
    /// As the user data of what the embedding layer moves.
    pub(super) fn pack(self) -> u128 {
        match self {
            Self::Breakable(id) => u128::from(id.to_bits()),
            Self::External(key) => SURROUNDING | u128::from(key),
        }
    }

    /// The owner of a rigid body in the debris world.
    pub(super) fn of(body: &RigidBody) -> Option<Self> {
        let low = body.user_data as u64;
        if body.user_data & SURROUNDING != 0 {
            return Some(Self::External(low));
        }
        hecs::Entity::from_bits(low).map(|entity| Self::Breakable(BodyId(entity)))
    }
}

/// The user data of a free piece.
pub(super) fn pack_piece(id: BodyId) -> u128 {
    PIECE | BodyRef::Breakable(id).pack()
}

/// Whether a body is a free piece and not a stand-in for something else.
pub(super) fn is_piece(body: &RigidBody) -> bool {
    body.user_data & PIECE != 0
}

/// The id of a free piece.
pub(super) fn piece(body: &RigidBody) -> Option<BodyId> {
    match BodyRef::of(body).filter(|_| is_piece(body))? {
        BodyRef::Breakable(id) => Some(id),
        BodyRef::External(_) => None,
    }
}
