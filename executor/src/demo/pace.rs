//! How fast time passes: pause, single steps and slow motion.

/// By how much time is slowed, in turn.
const SPEEDS: [f32; 4] = [1.0, 0.5, 0.2, 0.05];

/// What the player has said about time.
#[derive(Debug, Default)]
pub struct Pace {
    paused: bool,
    /// Frames that pass all the same.
    steps: u32,
    speed: usize,
}

impl Pace {
    /// Stops time, or lets it go on.
    pub fn pause(&mut self) {
        self.paused = !self.paused;
        self.steps = 0;
    }

    /// Lets a single frame pass, and stops.
    pub fn step(&mut self) {
        if self.paused {
            self.steps += 1;
        }
        self.paused = true;
    }

    /// Takes the next speed, or the one before; gives the seconds of a frame of `step` seconds.
    pub fn change(&mut self, step: f32) -> f32 {
        self.speed = (self.speed + 1) % SPEEDS.len();
        step * self.speed()
    }

    /// How fast time passes; 1 is as it does.
    pub fn speed(&self) -> f32 {
        SPEEDS.get(self.speed).copied().unwrap_or(1.0)
    }

    /// Whether time stands still.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Whether the frame that comes passes. Call it once a frame.
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
        let mut pace = Pace::default();
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
        let mut pace = Pace::default();
        pace.step();
        assert!(pace.is_paused() && !pace.passes());
        let steps: Vec<f32> = (0..4).map(|_| pace.change(1.0)).collect();
        assert_eq!(steps, [0.5, 0.2, 0.05, 1.0]);
    }
}
