//! The order of a frame: the only place that calls the systems, which are functions.

use std::time::Instant;

use crate::budget::enforce;
use crate::debris::time_passes;
use crate::debris_sync::apply_step;
use crate::impacts::resolve::resolve_impacts;
use crate::jobs::collider_requests::submit_collider_builds;
use crate::jobs::prepare_requests::submit_preparations;
use crate::jobs::stress_requests::submit_stress_jobs;
use crate::simulation::Simulation;
use crate::swap::apply_results::apply_results;

impl Simulation {
    /// Moves time on by one frame of `dt` seconds: applies finished breaks, takes hits, moves the debris.
    /// Unless `dt` is above zero the debris stands still, and the rest happens all the same.
    ///
    /// If a debris step beside the frames is not done yet, the frame is skipped: no hit is taken, no
    /// result is applied, and pieces are drawn flying on. At most six frames in a row are.
    pub fn step(&mut self, dt: f32) {
        let start = Instant::now();
        self.statistics.frame += 1;
        let dt = if time_passes(dt) { dt } else { 0.0 };

        self.debris.begin_frame(dt);
        if self.debris.try_skip_frame() {
            self.statistics.skipped_frames += 1;
        } else {
            self.step_frame(dt);
        }
        self.debris.update_render_poses();

        self.statistics.step_ms = start.elapsed().as_secs_f32() * 1e3;
    }

    fn step_frame(&mut self, dt: f32) {
        apply_step::fetch(self);
        apply_results(self);
        resolve_impacts(self);
        submit_collider_builds(self);
        submit_stress_jobs(self);
        submit_preparations(self);
        enforce::remove_expired(self, dt);
        enforce::enforce_budget(self);
        self.stream_environment();
        apply_step::step(self, dt);
        enforce::count(self);
    }

    fn stream_environment(&mut self) {
        let world = self.debris.wait_mut();
        self.environment.stream(world, &mut self.statistics);
    }

    /// Begins the debris step of the next frame, of `dt` seconds, on a thread of its own, so that
    /// [`Simulation::step`] need not take it: it runs during the rest of the frame, such as drawing. Call
    /// it when the engine's physics is done with the frame, after reporting what has moved. The next
    /// frame waits for the step and applies its results.
    ///
    /// Returns whether a step was begun: only if bodies of the engine were among the debris in the last
    /// step, and still are. Otherwise nothing is to be gained, because steps are taken beside the frames.
    /// Never without [`Settings::overlap`](crate::Settings::overlap), or with
    /// [`Settings::wait_for_results`](crate::Settings::wait_for_results).
    pub fn begin_next_step(&mut self, dt: f32) -> bool {
        if !self.can_begin_next_step(dt) {
            return false;
        }
        self.stream_environment();
        self.debris.begin_next_step(dt)
    }

    /// Whether [`Simulation::begin_next_step`] of `dt` seconds may begin a step, so that motions have to
    /// be reported before.
    pub fn can_begin_next_step(&self, dt: f32) -> bool {
        self.debris.can_begin_next_step(dt, &self.settings)
    }
}
