//! The order of a frame. Systems are functions; this is the only place that calls them.

use std::time::Instant;

use crate::simulation::Simulation;
use crate::systems::{budget, collisions, count, hits, mirrors, preparation, results, transport};

impl Simulation {
    /// Moves time on by one frame of `dt` seconds: applies finished breaks, takes hits, moves the
    /// debris. Without a `dt` above zero the debris stands still and the rest happens all the same.
    pub fn step(&mut self, dt: f32) {
        let start = Instant::now();
        self.statistics.frame += 1;

        results::apply_finished(self);
        hits::take(self);
        mirrors::submit(self);
        preparation::submit(self);
        transport::move_debris(self, dt);
        transport::remove_lost(self);
        collisions::take(self);
        budget::keep(self);
        count::bodies(self);

        self.statistics.step_ms = start.elapsed().as_secs_f32() * 1e3;
    }
}
