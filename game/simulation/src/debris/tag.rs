//! What a body of the debris world stands for, packed into its user data.

use crate::body::BodyId;

/// The owner of a rigid body in the debris world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    /// A body of the simulation: a free piece, or the proxy of one that the engine moves.
    Body(BodyId),
    /// A collider of the embedding layer.
    Surrounding(u64),
}

const SURROUNDING: u128 = 1 << 64;

impl Tag {
    pub fn pack(self) -> u128 {
        match self {
            Self::Body(id) => u128::from(id.to_bits()),
            Self::Surrounding(key) => SURROUNDING | u128::from(key),
        }
    }

    pub fn unpack(data: u128) -> Option<Self> {
        let low = data as u64;
        if data & SURROUNDING != 0 {
            return Some(Self::Surrounding(low));
        }
        hecs::Entity::from_bits(low).map(|entity| Self::Body(BodyId(entity)))
    }
}
