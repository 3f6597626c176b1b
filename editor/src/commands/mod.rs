//! Everything the tool does to a scene, as steps that can be undone.

mod bake;
mod pattern;
mod script;

pub use bake::{bake, Bake, BakeError, Rest};
pub use pattern::TunePattern;
pub use script::{add_destructible, give_pattern, tune, SetDestructible};
