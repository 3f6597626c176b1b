//! The one room that changes a scene graph: it hides broken objects and adds their pieces.

pub(crate) mod apply_events;
mod attachment_home;
pub(crate) mod attachments;
mod bars;
mod body_events;
mod carriers;
mod cracks;
pub(crate) mod detaching;
pub(crate) mod nodes;
pub(crate) mod piece_colliders;
pub(crate) mod piece_info;
pub(crate) mod pieces;
mod replace_body;
pub(crate) mod scene_edits;

pub(crate) use nodes::*;
pub use scene_edits::PIECE_TAG;
pub(crate) use scene_edits::*;
