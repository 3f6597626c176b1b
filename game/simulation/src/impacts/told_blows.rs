//! Reports of blows that come to nothing: one for each blow, and not one for each frame that rubble rolls on.

use std::collections::BTreeMap;

use crate::event::Event;
use crate::types::BodyId;

/// Frames until another blow on the same body is told, unless it is `HARDER`: rubble that comes to rest is struck in
/// most of them, and a blow lasts for several.
const FRAMES_BETWEEN_BLOWS: u64 = 30;

/// Factor on the impulse of the blow before from which on another is told at once.
const HARDER: f32 = 2.0;

/// Most reports of a step.
const MAX_REPORTS: usize = 32;

/// The blows of debris that came to nothing and have been told of late.
#[derive(Default)]
pub(crate) struct ToldBlows {
    blows: BTreeMap<BodyId, ToldBlow>,
    frame: u64,
    reports: usize,
}

struct ToldBlow {
    frame: u64,
    /// N s
    impulse: f32,
}

impl ToldBlows {
    /// Begins a step.
    pub fn begin_step(&mut self, frame: u64) {
        (self.frame, self.reports) = (frame, 0);
        let is_recent = |blow: &ToldBlow| frame.saturating_sub(blow.frame) < FRAMES_BETWEEN_BLOWS;
        self.blows.retain(|_, blow| is_recent(blow));
    }

    /// Reports a blow with an impulse in N s, if it is one of the first of the step, and the body's first of late or
    /// harder than that.
    pub fn tell(&mut self, body: BodyId, impulse: f32, event: Event, events: &mut Vec<Event>) {
        let last = self.blows.get(&body);
        let is_new = last.is_none_or(|last| impulse >= HARDER * last.impulse);
        if is_new && self.reports < MAX_REPORTS {
            self.reports += 1;
            let frame = self.frame;
            self.blows.insert(body, ToldBlow { frame, impulse });
            events.push(event);
        }
    }
}
