//! Structure: bonds between bodies, and which bodies have a way to the ground.
//!
//! Bodies with [`Anchors::Touching`](crate::Anchors::Touching) are held where they touch what is held: external
//! bodies that do not move, bodies with anchors of their own, and each other as far as those are held. BodyBonds are
//! searched on the worker, of new bodies and where something has changed. Then a breadth-first search from the ground
//! gives each body its level: it is held by neighbours of lower levels only, so that bodies in a circle do not hold
//! each other. One without a level falls.

mod body_bonds;
pub(crate) mod held_body;
pub(crate) mod hold;
mod neighbors;
mod place_order;
mod structure_queue;

pub use body_bonds::HoldingBond;
pub(crate) use body_bonds::{
    anchors_of_break, anchors_of_weight, inherit_bonds, note_saved_bonds, BodyBond, BodyBonds,
    SavedBonds,
};
pub use held_body::HeldBody;
pub(crate) use place_order::place_key;
pub(crate) use structure_queue::StructureQueue;
