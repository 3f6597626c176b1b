//! Everything the tool does to a scene, as steps that can be undone.

mod bake;
mod hidden;
mod pattern;
mod pieces;
mod script;

pub use bake::{bake, Bake, BakeError, Baked};
pub use pattern::TunePattern;
pub use pieces::BakedPieces;
pub use script::{add_destructible, give_pattern, tune, SetDestructible};
