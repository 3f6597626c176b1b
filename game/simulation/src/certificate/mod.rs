//! The structural certificate: how each body of a structure is held, how much it bears, and what comes down with it.
//!
//! It is found by the simulation itself, with the jobs of the game, but no time passes: nothing that comes down moves
//! or strikes anything. So it tells what statics bring down, at once and after each failure, and not what falling
//! parts break.

mod certification;
mod figures;
mod gap;
mod observed;
mod pieces;
mod source;
mod structure_copy;

pub use certification::Certification;
pub use figures::{FallingMember, FloatingGap, Hold, Removal, StructureMember, WeakPlace};
