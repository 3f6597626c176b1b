//! The limit of what pieces that come and go may take of an update.
//!
//! Times are measured, but decide nothing themselves: they say what a piece takes on average, and so how many may come
//! and go in an update. A measured time is a matter of the machine's other work as well; a break is whole in any case.

use crate::settings::Settings;

/// Time that a piece takes at first, ms: more than on most machines, until that has been measured.
const FIRST_COST: f32 = 0.008;

/// Changes that are enough to measure what one takes.
const MIN_MEASURED: usize = 16;

/// Part of the difference by which the known cost follows a higher and a lower one: what took long once may have been
/// the machine, but the next frames had better not.
const RISE: f32 = 0.5;
const FALL: f32 = 0.2;

/// The lowest and the highest cost of a piece that is believed, ms.
const COSTS: [f32; 2] = [0.0005, 0.1];

/// How many pieces may come and go in an update.
#[derive(Debug)]
pub(crate) struct UpdateLimit {
    /// Time that a piece takes, ms.
    cost: f32,
    /// Changes that the current update still has room for.
    room: usize,
    /// Whether the current update has changed nothing yet.
    is_untouched: bool,
}

impl Default for UpdateLimit {
    fn default() -> Self {
        Self {
            cost: FIRST_COST,
            room: usize::MAX,
            is_untouched: true,
        }
    }
}

impl UpdateLimit {
    /// Begins an update. There is no limit where results are waited for, because runs have to be repeatable.
    pub fn begin_update(&mut self, settings: &Settings) {
        self.is_untouched = true;
        self.room = if settings.wait_for_results {
            usize::MAX
        } else {
            // The conversion saturates.
            ((limit(settings) / self.cost) as usize).max(1)
        };
    }

    /// Lifts the limit until the next update.
    pub fn lift(&mut self) {
        self.room = usize::MAX;
    }

    /// Number of changes that still fit.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Whether a change fits. The first one of an update always does.
    pub fn has_room(&self) -> bool {
        self.is_untouched || self.room > 0
    }

    /// Notes that pieces have come or gone.
    pub fn add(&mut self, changes: usize) {
        self.room = self.room.saturating_sub(changes);
        self.is_untouched &= changes == 0;
    }

    /// Learns that so many changes took so long.
    pub fn learn(&mut self, changes: usize, milliseconds: f32) {
        if changes < MIN_MEASURED {
            return;
        }
        let [low, high] = COSTS;
        let cost = (milliseconds / changes as f32).clamp(low, high);
        let share = if cost > self.cost { RISE } else { FALL };
        self.cost += share * (cost - self.cost);
    }
}

/// The limit of the settings, ms, or the default where that makes no sense.
fn limit(settings: &Settings) -> f32 {
    let is_valid = check(settings).is_ok();
    let valid = is_valid.then_some(settings.update_ms);
    valid.unwrap_or_else(|| Settings::default().update_ms)
}

/// Refuses a limit that is no time, in words.
pub(crate) fn check(settings: &Settings) -> Result<(), String> {
    let given = settings.update_ms;
    if given > 0.0 {
        return Ok(());
    }
    let default = Settings::default().update_ms;
    Err(format!(
        "Settings::update_ms is {given}: pieces could never come and go. Give the milliseconds that they may take in \
         an update, above 0, or infinity for no limit. It is taken as {default} ms"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(update_ms: f32, wait_for_results: bool) -> Settings {
        Settings {
            update_ms,
            wait_for_results,
            ..Settings::default()
        }
    }

    #[test]
    fn an_update_has_room_for_what_the_limit_pays_for() {
        let mut limit = UpdateLimit::default();
        limit.begin_update(&of(2.0, false));
        assert!((249..=250).contains(&limit.room()));
        limit.add(250);
        assert!(!limit.has_room());
        (0..50).for_each(|_| limit.learn(100, 0.2));
        limit.begin_update(&of(2.0, false));
        assert!((900..1010).contains(&limit.room()), "{}", limit.room());
        limit.learn(1000, 1000.0);
        limit.learn(3, 1000.0);
        limit.begin_update(&of(2.0, false));
        assert!((30..50).contains(&limit.room()), "{}", limit.room());
    }

    #[test]
    fn the_first_change_of_an_update_always_has_room_and_waiting_runs_have_no_limit() {
        let mut limit = UpdateLimit::default();
        limit.begin_update(&of(1e-9, false));
        assert!(limit.has_room() && limit.room() == 1);
        limit.add(1000);
        assert!(!limit.has_room());
        limit.begin_update(&of(1e-9, true));
        limit.add(1000);
        assert!(limit.has_room());
        limit.begin_update(&of(f32::INFINITY, false));
        limit.add(1000);
        assert!(limit.has_room());
    }

    #[test]
    fn a_limit_that_is_no_time_is_refused_in_words_and_the_default_taken() {
        for odd in [0.0, -1.0, f32::NAN, f32::NEG_INFINITY] {
            let text = check(&of(odd, false)).unwrap_err();
            assert!(text.contains("above 0") && text.contains("2 ms"), "{text}");
            let mut limit = UpdateLimit::default();
            limit.begin_update(&of(odd, false));
            assert!((249..=250).contains(&limit.room()));
        }
        assert!(check(&of(f32::INFINITY, false)).is_ok() && check(&of(0.1, false)).is_ok());
    }
}
