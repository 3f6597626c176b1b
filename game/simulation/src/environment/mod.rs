//! The engine's bodies around the debris: all are known, those near a breakable body take part in its
//! physics.

mod all_bodies;
mod bvh;
mod collider_builds;
mod entry;
mod grid;
mod joint_graph;
mod streaming;

pub(crate) use all_bodies::AllBodies;
pub(crate) use collider_builds::ColliderJob;
pub(crate) use grid::CellOccupancy;

use crate::debris::{BodyRef, DebrisWorld};
use crate::statistics::Statistics;
use crate::types::Motion;
use collider_builds::ColliderBuilds;
use grid::OccupancyGrid;
use streaming::EnvironmentStreaming;

/// Places of breakable bodies, and the external bodies around them.
#[derive(Default)]
pub(crate) struct Environment {
    /// The cells of space that breakable bodies are in.
    pub occupancy: OccupancyGrid,
    /// All external bodies; those near occupied cells are in the debris world.
    pub streaming: EnvironmentStreaming,
    /// Colliders that the worker builds.
    pub collider_builds: ColliderBuilds,
}

impl Environment {
    /// Takes the bodies of the engine that debris has touched in the last step, by body: bodies near them
    /// are near debris.
    pub fn set_touched(&mut self, touched: &[(BodyRef, Motion)]) {
        self.streaming.set_touched(touched, &mut self.occupancy);
    }

    /// Adds external bodies to the debris world that breakable bodies have come near to, and removes
    /// those that all have left long ago.
    pub fn stream(&mut self, world: &mut DebrisWorld, statistics: &mut Statistics) {
        self.streaming
            .update(&mut self.occupancy, statistics.frame, world);
        statistics.external_bodies = self.streaming.len();
        statistics.active_external_bodies = self.streaming.active_len();
    }
}
