//! The order of a frame. Systems are functions; this is the only place that calls them.

use std::time::Instant;

use crate::debris::LONGEST_FRAME;
use crate::simulation::Simulation;
use crate::systems::{
    budget, count, hits, mirrors, preparation, results, transport, vicinity, weighing,
};

impl Simulation {
    /// Moves time on by one frame of `dt` seconds: applies finished breaks, takes hits, moves the
    /// debris. Without a `dt` above zero the debris stands still and the rest happens all the same.
    ///
    /// When the step of the debris that goes on beside the frames is not done yet, the frame does
    /// not wait for it: nothing is taken nor told, and pieces are shown flying on. No more than two
    /// frames in a row.
    pub fn step(&mut self, dt: f32) {
        let start = Instant::now();
        self.statistics.frame += 1;

        if dt.is_finite() && dt > 0.0 {
            self.pacing.frame(dt.min(LONGEST_FRAME));
        }
        if transport::is_late(self) {
            self.statistics.late_frames += 1;
            transport::show(self);
            self.statistics.step_ms = start.elapsed().as_secs_f32() * 1e3;
            return;
        }
        transport::take_in(self);
        results::apply_finished(self);
        hits::take(self);
        mirrors::submit(self);
        weighing::submit(self);
        preparation::submit(self);
        budget::expire(self, dt);
        budget::keep(self);
        vicinity::update(self);
        transport::move_debris(self, dt);
        transport::show(self);
        count::bodies(self);

        self.statistics.step_ms = start.elapsed().as_secs_f32() * 1e3;
    }
}
