//! The one room that changes a scene graph: it hides broken objects and adds their pieces.

mod apply_events;
mod attachment_home;
pub(crate) mod attachments;
mod detaching;
pub(crate) mod nodes;
pub(crate) mod pieces;
pub(crate) mod scene_edits;

pub(crate) use nodes::*;
pub use scene_edits::PIECE_TAG;
pub(crate) use scene_edits::*;
