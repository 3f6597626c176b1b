//! Two players and more: what an authority has broken goes over the wire as blows, and breaks the same in the games of
//! others, to the bit.

mod authority;
mod blow;
mod client;
mod debris_following;
mod debris_lead;
mod debris_pose;
mod debris_priority;
mod debris_telling;
mod foretell;
mod join;
mod message;
mod receive;
mod rounding;
mod shared;

pub(crate) use authority::{note_blow, tell_breaks};
pub(crate) use client::follow_authority;
pub(crate) use debris_following::follow_debris;
pub use debris_lead::MAX_LEAD;
pub(crate) use debris_telling::tell_debris;
pub(crate) use foretell::{foretell, log_before};
pub(crate) use join::{join, join_save, save_of};
pub use message::{Message, MessageError, MAX_MESSAGE};
pub(crate) use receive::take_message;
pub(crate) use rounding::round_impact;
pub(crate) use shared::Sharing;
pub use shared::{NetworkStatistics, Role};

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// An id for an object of a scene that all games have loaded: by its name, and its place among those of the same name.
pub fn object_id(name: &str, place: u32) -> u32 {
    xxh3_64_with_seed(name.as_bytes(), u64::from(place)) as u32
}
