//! The order of a frame. Systems are functions; this is the only place that calls them.

use std::time::Instant;

use crate::budget::enforce;
use crate::debris::{passes, LONGEST_FRAME};
use crate::impacts::resolve::resolve_impacts;
use crate::jobs::prepare::submit_preparations;
use crate::jobs::stress_requests::submit_stress_jobs;
use crate::simulation::Simulation;
use crate::swap::apply_results::apply_results;
use crate::systems::{collider_builds, debris_sync, early_step, environment};

impl Simulation {
    /// Moves time on by one frame of `dt` seconds: applies finished breaks, takes hits, moves the
    /// debris. Without a `dt` above zero the debris stands still and the rest happens all the same.
    ///
    /// When the step of the debris that goes on beside the frames is not done yet, the frame does
    /// not wait for it: nothing is taken nor told, and pieces are shown flying on. No more than
    /// six frames in a row.
    pub fn step(&mut self, dt: f32) {
        let start = Instant::now();
        self.statistics.frame += 1;

        if passes(dt) {
            self.pacing.frame(dt.min(LONGEST_FRAME));
        }
        if debris_sync::is_late(self) {
            self.statistics.skipped_frames += 1;
            debris_sync::show(self);
            self.statistics.step_ms = start.elapsed().as_secs_f32() * 1e3;
            return;
        }
        debris_sync::take_in(self);
        apply_results(self);
        resolve_impacts(self);
        collider_builds::submit(self);
        submit_stress_jobs(self);
        submit_preparations(self);
        enforce::remove_expired(self, dt);
        enforce::enforce_budget(self);
        environment::update(self);
        debris_sync::move_debris(self, dt);
        debris_sync::show(self);
        enforce::count(self);

        self.statistics.step_ms = start.elapsed().as_secs_f32() * 1e3;
    }

    /// Has the debris take the step of the next frame, of `dt` seconds, on a thread of its own from now on, so
    /// that [`Simulation::step`] need not take it: for what is left of a frame when the embedding layer's
    /// physics is done with it, such as drawing. To be called after that, and after it has been told what
    /// moved. The next step takes the result in, and waits for it.
    ///
    /// Returns whether it does: only when bodies of the embedding layer were among the debris in the last
    /// step, and still are. Else nothing is to be gained, since steps are taken beside the frames. Also not
    /// without [`Settings::overlap`](crate::Settings::overlap) or with
    /// [`Settings::wait_for_results`](crate::Settings::wait_for_results).
    pub fn begin_next_step(&mut self, dt: f32) -> bool {
        self.can_begin_next_step(dt) && {
            environment::update(self);
            early_step::begin_next_step(self, dt)
        }
    }

    /// Whether [`Simulation::begin_next_step`] of `dt` seconds may do anything, so that it has to be told what moved.
    pub fn can_begin_next_step(&self, dt: f32) -> bool {
        early_step::can_begin_next_step(self, dt)
    }
}
