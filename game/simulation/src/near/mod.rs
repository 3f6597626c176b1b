//! What is near what: which parts of space bodies are in, and boxes by place.

mod cell;
mod haunt;
mod places;
mod tree;

pub(crate) use haunt::{Haunt, AHEAD};
pub(crate) use places::Places;
pub(crate) use tree::{Leaf, Tree};
