//! Hulls of pieces from what is known of the solid that they come from, in place of a search.
//!
//! Fragments: a solid's [`ConvexParts`](convex_parts::ConvexParts) are clipped to the cells of every
//! fracture that it went through, see [`FractureHistory`](history::FractureHistory). Remainders: the
//! hulls of the whole solid stay where nothing was removed, see [`CachedHulls`](cached::CachedHulls).
//!
//! Both buy time of the worker that prepares a fracture, and so frames until it is seen: hulls of a
//! body that was broken before take a third to a half of the time of a search when clipped, and a
//! tenth to a half when cached; there are mostly fewer of them, too.

pub mod cached;
mod codec;
pub mod convex_parts;
mod fragment;
pub mod history;
pub mod placed_pattern;
mod reflex;
mod remainder;
pub mod remaining_parts;
