//! The demo without a window: every scene of its menu, and what every tool does to a scene.

mod certificate;
mod exported;
mod gallery;
mod names;
mod open;
mod sound;
mod stowing;
mod tools;
