//! The demo without a window: every scene of its menu, and what every tool does to a scene.

mod certificate;
mod effects;
mod exported;
mod gallery;
mod lossy_relay;
mod names;
mod open;
mod shared;
mod stowing;
mod tools;
