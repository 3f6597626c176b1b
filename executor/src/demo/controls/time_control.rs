//! Speed of time: pause, single steps and slow motion.

/// Speeds of time in the order of the key.
const SPEEDS: [f32; 4] = [1.0, 0.5, 0.2, 0.05];

/// Pause, single steps and slow motion.
#[derive(Debug, Default)]
pub struct TimeControl {
    paused: bool,
    /// Single steps to take while paused.
    steps: u32,
    speed: usize,
}

impl TimeControl {
    /// Pauses or resumes.
    pub fn pause(&mut self) {
        self.paused = !self.paused;
        self.steps = 0;
    }

    /// Runs a single frame, then pauses.
    pub fn step(&mut self) {
        if self.paused {
            self.steps += 1;
        }
        self.paused = true;
    }

    /// Switches to the next speed. Returns the time step of a frame, given `step` at full speed,
    /// seconds.
    pub fn change(&mut self, step: f32) -> f32 {
        self.speed = (self.speed + 1) % SPEEDS.len();
        step * self.speed()
    }

    /// Speed of time; 1 is normal.
    pub fn speed(&self) -> f32 {
        SPEEDS.get(self.speed).copied().unwrap_or(1.0)
    }

    /// Whether time is paused.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Whether the next frame runs. Call once a frame.
    pub fn passes(&mut self) -> bool {
        let passes = !self.paused || self.steps > 0;
        self.steps = self.steps.saturating_sub(1);
        passes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_lets_single_frames_pass() {
        let mut pace = TimeControl::default();
        assert!(pace.passes());
        pace.pause();
        assert!(!pace.passes());
        pace.step();
        pace.step();
        assert_eq!(
            [pace.passes(), pace.passes(), pace.passes()],
            [true, true, false]
        );
        pace.pause();
        assert!(pace.passes());
    }

    #[test]
    fn a_step_pauses_and_speeds_come_round() {
        let mut pace = TimeControl::default();
        pace.step();
        assert!(pace.is_paused() && !pace.passes());
        let steps: Vec<f32> = (0..4).map(|_| pace.change(1.0)).collect();
        assert_eq!(steps, [0.5, 0.2, 0.05, 1.0]);
    }
}
