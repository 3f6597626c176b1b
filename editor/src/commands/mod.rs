//! Changes of a scene, as the editor's undoable commands.

mod bake;
mod baked_pieces;
mod hidden_nodes;
mod pattern;
mod script;

pub use bake::{bake, Bake, BakeError, BakeInput};
pub use baked_pieces::BakedPieces;
pub use pattern::TunePattern;
pub use script::{add_destructible, give_pattern, tune, SetDestructible};
