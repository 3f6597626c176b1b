//! The player's controls: camera, tools, fingers, keys that push cubes, and the speed of time.

pub(super) mod camera;
pub(super) mod cubes;
mod gun;
mod held_keys;
pub(super) mod time_control;
mod tool_preview;
mod tools;
pub(super) mod touch;

pub use tools::{Tool, Tools, View};
