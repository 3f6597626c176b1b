//! Changes of a scene, as the editor's undoable commands.

mod bake;
mod baked_pieces;
mod hidden_nodes;
mod make_destructible;
mod pattern;
mod script;

pub use bake::{bake, Bake, BakeError, BakeInput};
pub use baked_pieces::BakedPieces;
pub use make_destructible::{make_nodes_destructible, MakeDestructible};
pub use pattern::TunePattern;
pub use script::{give_pattern, lay_card, take_from_card, tune, SetDestructible};

#[cfg(test)]
mod baked_structure_tests;
