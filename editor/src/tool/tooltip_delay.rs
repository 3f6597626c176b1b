//! The time until tooltips appear, at any frame rate.

use fyrox::gui::UserInterface;
use std::time::{Duration, Instant};

/// Time that the editor's user interface counts for each update, seconds.
const COUNTED: f32 = 1.0 / 60.0;
/// Updates whose shortest is taken for the length of all. A pause, as of an editor that sleeps, does not count.
const UPDATES: usize = 4;

/// Keeps the time until tooltips appear the same at any frame rate.
///
/// The editor counts a sixtieth of a second for each update, however long it has taken: at five frames per second
/// its tooltips would take seven seconds.
#[derive(Debug, Default)]
pub struct TooltipDelay {
    /// The editor's own delay, seconds.
    wanted: Option<f32>,
    last: Option<Instant>,
    took: [Duration; UPDATES],
}

impl TooltipDelay {
    /// Sets the delay for widgets that the cursor comes to from now on. Call in each update.
    pub fn update(&mut self, ui: &mut UserInterface) {
        let now = Instant::now();
        let wanted = *self.wanted.get_or_insert(ui.tooltip_appear_delay());
        if let Some(last) = self.last.replace(now) {
            ui.set_tooltip_appear_delay(self.counted(wanted, now - last));
        }
    }

    /// Seconds that are counted during `wanted` seconds, after one more update that took so long.
    fn counted(&mut self, wanted: f32, took: Duration) -> f32 {
        self.took.rotate_left(1);
        if let Some(newest) = self.took.last_mut() {
            *newest = took;
        }
        let shortest = self.took.iter().min().copied().unwrap_or_default();
        wanted * (COUNTED / shortest.as_secs_f32().max(COUNTED))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds by the clock until a tooltip appears, at a frame rate.
    fn seconds(rate: f32) -> f32 {
        let mut delay = TooltipDelay::default();
        let frame = Duration::from_secs_f32(1.0 / rate);
        let counted = (0..10).map(|_| delay.counted(0.55, frame)).last();
        (counted.unwrap() / COUNTED).ceil() / rate
    }

    #[test]
    fn a_tooltip_takes_as_long_at_any_frame_rate() {
        for rate in [2.0, 5.0, 12.0, 30.0, 60.0] {
            let seconds = seconds(rate);
            assert!(
                (0.5..0.56 + 1.0 / rate).contains(&seconds),
                "{rate}: {seconds} s"
            );
        }
    }

    #[test]
    fn a_pause_of_the_editor_is_no_frame() {
        let mut delay = TooltipDelay::default();
        let frame = Duration::from_millis(17);
        for _ in 0..5 {
            delay.counted(0.55, frame);
        }
        let after_a_pause = delay.counted(0.55, Duration::from_secs(60));
        assert!(after_a_pause > 0.5, "{after_a_pause}");
    }
}
