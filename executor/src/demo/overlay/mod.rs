//! Everything drawn over the scene: numbers, the graph of frame times, the menu, and the cracks of a hit.

pub(super) mod crack_preview;
mod frame_graph;
pub(super) mod hud;
pub(super) mod menu;
mod menu_panel;
