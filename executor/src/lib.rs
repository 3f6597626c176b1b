//! The demo game and the headless runner of destruction scenarios.
//!
//! - [`demo`]: a window with a scene to shoot at.
//! - [`record`]: what a player does, as a scenario.
//! - [`scenario`]: what happens to a scene and what must come of it, in a file; the same code
//!   runs for `executor --headless` and for `cargo test -p scenarios`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod ball;
pub mod data_folder;
pub mod demo;
pub mod headless;
pub mod record;
pub mod scenario;
