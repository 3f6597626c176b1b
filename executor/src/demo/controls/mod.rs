//! The player's controls: camera, tools of the mouse, keys that push cubes, and the speed of time.

pub(super) mod camera;
pub(super) mod cubes;
mod gun;
mod held_keys;
pub(super) mod time_control;
mod tool_preview;
mod tools;

pub use tools::{Tool, Tools, View};
