//! The clock of rendering, while steps are taken beside the frames.
//!
//! Pieces are always drawn a frame late. If the last known step ended earlier than that, because the next
//! one takes long, they fly on (extrapolation); if frames are of uneven length, they are between two
//! steps (interpolation). Time that no step has covered is made up by the next one, as far as there is
//! time for it. Where steps take longer than frames for good, debris is slow, and evenly so.

use crate::debris::{MAX_FRAME, MAX_SUBSTEP};

/// Part of the difference to a frame's length by which the delay follows it in each frame: less is
/// smoother, and slower to adapt.
const DELAY_SMOOTHING: f32 = 0.1;

/// Relative difference below which two lengths of time are taken as equal.
const EQUALITY_TOLERANCE: f32 = 0.02;

/// Part of a frame that a step may take when it makes up for lost time.
const MAX_STEP_SHARE: f32 = 0.9;

/// Part by which each step reduces the time for which pieces have flown on beyond the end of the step.
const EXTRAPOLATION_DECAY: f32 = 0.25;

/// Time beyond the last known step for which pieces fly on at most, seconds.
pub(super) const MAX_EXTRAPOLATION: f32 = 0.05;

/// The time at which pieces are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RenderTime {
    /// Seconds after the end of the last known step; negative before its end.
    pub offset: f32,
    /// Length of that step, seconds.
    pub step: f32,
}

/// Relation between the time of frames and that of debris. All times are in seconds.
#[derive(Debug)]
pub(super) struct InterpolationClock {
    /// Time since the end of the last known step, in the debris' time.
    since_step: f32,
    /// Length of the running step.
    running_step: f32,
    /// Length of the last known step.
    last_step: f32,
    /// Length of the frames since a step was begun.
    uncovered: f32,
    /// Lateness of what is drawn: the length of a frame, smoothed.
    delay: f32,
    /// The debris' seconds in one of the frames'.
    time_scale: f32,
    /// Costs of a substep in the last two steps. The lower one counts, because a step that was interrupted took too long.
    substep_costs: [f32; 2],
}

impl Default for InterpolationClock {
    fn default() -> Self {
        Self {
            since_step: 0.0,
            running_step: 0.0,
            last_step: 0.0,
            uncovered: 0.0,
            delay: 0.0,
            time_scale: 1.0,
            substep_costs: [0.0; 2],
        }
    }
}

impl InterpolationClock {
    /// Begins a frame.
    pub fn begin_frame(&mut self, dt: f32) {
        self.uncovered += dt;
        self.since_step += dt * self.time_scale;
        let difference = dt - self.delay;
        self.delay += if difference.abs() < EQUALITY_TOLERANCE * dt {
            difference
        } else {
            DELAY_SMOOTHING * difference
        };
    }

    /// Ends the running step, a substep of which took `substep_cost`.
    pub fn end_step(&mut self, substep_cost: f32) {
        self.since_step -= self.running_step;
        self.last_step = std::mem::take(&mut self.running_step);
        self.substep_costs = [self.substep_costs[1], substep_cost];
    }

    /// Begins a step in a frame of `dt`, and returns its length.
    pub fn begin_step(&mut self, dt: f32) -> f32 {
        let [before, last] = self.substep_costs;
        let affordable = MAX_STEP_SHARE * self.delay / before.min(last).max(1e-6);
        let substeps = affordable.floor().max(1.0);
        let step = self
            .uncovered
            .min(dt.max(MAX_SUBSTEP * substeps))
            .min(MAX_FRAME);
        self.time_scale = (step / self.uncovered.max(dt)).min(1.0);
        self.uncovered = 0.0;
        self.running_step = step;
        let excess = self.since_step - step;
        self.since_step = step + (1.0 - EXTRAPOLATION_DECAY) * excess;
        if excess.abs() < EQUALITY_TOLERANCE * step {
            self.since_step = step;
        }
        step
    }

    /// Draws what is known: the step was taken in the frame, or no time passes.
    pub fn reset(&mut self) {
        *self = Self {
            substep_costs: self.substep_costs,
            ..Self::default()
        };
    }

    /// The time at which pieces are drawn now.
    pub fn render_time(&self) -> RenderTime {
        let offset = self.since_step - self.delay;
        RenderTime {
            offset: offset.clamp(-self.last_step, MAX_EXTRAPOLATION),
            step: self.last_step,
        }
    }
}
