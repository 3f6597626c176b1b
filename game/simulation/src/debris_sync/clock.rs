//! How the frames' time and the debris' go together, when steps are taken beside the frames.
//!
//! What is shown is a frame late, always: when the last step that is known ended earlier because the
//! next one takes long, pieces fly on; when frames are of uneven length, it is between two steps. Time
//! that no step has been given is made up by the next one as far as there is time for it. Where steps
//! take longer than frames for good, debris is slow, and evenly so.

/// How fast the lateness follows the length of frames, and closer than what part it is the same.
const EVENING: f32 = 0.1;
const SAME: f32 = 0.02;

/// Part of a frame that steps may take when they make up for lost time.
const HULL_TOLERANCE: f32 = 0.9;

/// What a part of a step takes is the least seen of late, which grows by this a step: one that was
/// interrupted says nothing.
const GROWTH: f32 = 1.1;

/// What pieces fly on beyond what the debris will do is taken back by this part in each step.
const RETURN: f32 = 0.25;

/// Pieces fly on for so long at most, seconds.
pub(super) const FARTHEST: f32 = 0.05;

/// Keeps the two together. All times are in seconds.
#[derive(Debug)]
pub(crate) struct InterpolationClock {
    /// How far frames are ahead of the last step that is known, in the debris' time.
    behind: f32,
    /// Length of the step under way, and of the last one that came back.
    under_way: f32,
    span: f32,
    /// What frames took since a step was sent off.
    owed: f32,
    /// How late debris is shown: the length of a frame, evened out.
    delay: f32,
    /// The debris' seconds in one of the frames'.
    pace: f32,
    /// What a part of a step takes.
    cost: f32,
}

impl Default for InterpolationClock {
    fn default() -> Self {
        Self {
            behind: 0.0,
            under_way: 0.0,
            span: 0.0,
            owed: 0.0,
            delay: 0.0,
            pace: 1.0,
            cost: 0.0,
        }
    }
}

impl InterpolationClock {
    /// A frame begins.
    pub fn frame(&mut self, dt: f32) {
        self.owed += dt;
        self.behind += dt * self.pace;
        let off = dt - self.delay;
        self.delay += match off.abs() < SAME * dt {
            true => off,
            false => EVENING * off,
        };
    }

    /// The step that was sent off is there; a part of it took `cost`.
    pub fn came_back(&mut self, cost: f32) {
        self.behind -= self.under_way;
        self.span = std::mem::take(&mut self.under_way);
        self.cost = match self.cost > 0.0 {
            true => cost.min(GROWTH * self.cost),
            false => cost,
        };
    }

    /// How long a step to send off in a frame of `dt`; `part` is the longest part of a step, and no step
    /// is longer than `most`.
    pub fn send_off(&mut self, dt: f32, part: f32, most: f32) -> f32 {
        let parts = (HULL_TOLERANCE * self.delay / self.cost.max(1e-6))
            .floor()
            .max(1.0);
        let step = self.owed.min(dt.max(part * parts)).min(most);
        self.pace = (step / self.owed.max(dt)).min(1.0);
        self.owed = 0.0;
        self.under_way = step;
        let excess = self.behind - step;
        self.behind = step + (1.0 - RETURN) * excess;
        if excess.abs() < SAME * step {
            self.behind = step;
        }
        step
    }

    /// The step was taken in the frame, or no time passes: what is known is what is shown.
    pub fn in_frame(&mut self) {
        *self = Self {
            cost: self.cost,
            ..Self::default()
        };
    }

    /// How far beyond the last step that is known (below 0: before its end) debris is to be shown, and
    /// that step's length.
    pub fn lead(&self) -> (f32, f32) {
        let lead = self.behind - self.delay;
        (lead.clamp(-self.span, FARTHEST), self.span)
    }
}
