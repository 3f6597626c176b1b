//! The engine's bodies around the debris: all are known, those near a breakable body take part in its physics.

mod bvh;
mod casts;
mod cell;
mod entry;
mod grid;
mod joint_graph;
mod occupancy;
mod streaming;

pub(crate) use grid::OccupancyGrid;
pub(crate) use occupancy::CellOccupancy;
pub(crate) use streaming::EnvironmentStreaming;
