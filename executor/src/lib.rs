//! The demo game and the headless runner of destruction scenarios.
//!
//! - [`demo`]: a window with scenes to break things in.
//! - [`scenario`]: scene, actions and expectations in a file; the same code runs for
//!   `executor --headless` and for `cargo test -p scenarios`.
//! - [`certify`]: what holds the objects of a scene, and what comes down with each.
//! - [`cook`]: what takes longest about preparing a scene, computed before the game.
//! - [`players`]: a host and clients over UDP.
//! - [`record`]: a player's actions, written as a scenario.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod ball;
pub mod certify;
pub mod cook;
pub mod data_folder;
pub mod demo;
pub mod headless;
pub mod players;
pub mod record;
pub mod scenario;
