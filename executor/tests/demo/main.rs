//! The demo without a window: every scene of its menu, and what every tool does to a scene.

mod certificate;
mod exported;
mod gallery;
mod lossy_relay;
mod names;
mod open;
mod shared;
mod sound;
mod stowing;
mod tools;
