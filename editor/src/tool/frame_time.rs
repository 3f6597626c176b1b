//! Main thread time of the tool, frame by frame.

use fyrox::core::log::Log;
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::{Duration, Instant},
};

/// Main thread time of a frame above which a warning is logged.
const LIMIT: Duration = Duration::from_millis(50);
/// Most kinds of work whose longest times are kept.
const KINDS: usize = 64;

/// Measures the main thread time of the tool. Clones share the measurements.
#[derive(Clone, Default)]
pub(crate) struct FrameTime(Rc<TimeLog>);

#[derive(Default)]
struct TimeLog {
    /// Time of the current frame, and the kind of work that took most of it.
    frame: Cell<Duration>,
    main: Cell<LongestFrame>,
    /// Time of nested measurements inside the running one.
    inner: Cell<Duration>,
    depth: Cell<u32>,
    longest: Cell<LongestFrame>,
    kinds: RefCell<Vec<LongestFrame>>,
}

/// The longest main thread time of the tool in one frame, in wall clock time: on a busy machine it
/// includes other programs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LongestFrame {
    /// The time.
    pub took: Duration,
    /// The kind of work that took most of it.
    pub work: &'static str,
}

/// A running measurement, which ends when it is dropped.
pub(crate) struct Timed {
    frame_time: FrameTime,
    work: &'static str,
    begin: Instant,
    /// Time of earlier siblings inside the enclosing measurement.
    beside: Duration,
}

impl FrameTime {
    /// Measures until the returned value is dropped. Measurements may be nested.
    pub fn measure(&self, work: &'static str) -> Timed {
        Timed {
            frame_time: self.clone(),
            work,
            begin: Instant::now(),
            beside: self.0.enter(),
        }
    }

    /// Begins the next frame.
    pub fn next_frame(&self) {
        let LongestFrame { took, work } = self.0.next_frame();
        if took > LIMIT {
            let ms = took.as_millis();
            Log::warn(format!(
                "The Fracture window has held the editor up for {ms} ms in a frame, most of it \
                 with {work}."
            ));
        }
    }

    /// Returns the longest frame since the last call.
    pub fn take(&self) -> LongestFrame {
        self.0.longest.take()
    }

    /// Returns the longest time of each kind of work since the editor was started.
    pub fn kinds(&self) -> Vec<LongestFrame> {
        self.0.kinds.borrow().clone()
    }
}

impl Drop for Timed {
    fn drop(&mut self) {
        let (took, work) = (self.begin.elapsed(), self.work);
        self.frame_time
            .0
            .leave(LongestFrame { took, work }, self.beside);
    }
}

impl TimeLog {
    /// Begins a measurement. Returns the time of its earlier siblings.
    fn enter(&self) -> Duration {
        self.depth.set(self.depth.get() + 1);
        self.inner.take()
    }

    /// Ends a measurement.
    fn leave(&self, turn: LongestFrame, beside: Duration) {
        let LongestFrame { took, work } = turn;
        let inner = self.inner.replace(beside + took);
        let took_itself = LongestFrame {
            took: took.saturating_sub(inner),
            work,
        };
        self.keep(took_itself);
        if took_itself.took > self.main.get().took {
            self.main.set(took_itself);
        }
        self.depth.set(self.depth.get().saturating_sub(1));
        if self.depth.get() == 0 {
            self.inner.take();
            self.frame.set(self.frame.get() + took);
        }
    }

    /// Ends the frame. Returns its time and the kind of work that took most of it.
    fn next_frame(&self) -> LongestFrame {
        let (took, work) = (self.frame.take(), self.main.take().work);
        if took > self.longest.get().took {
            self.longest.set(LongestFrame { took, work });
        }
        LongestFrame { took, work }
    }

    fn keep(&self, turn: LongestFrame) {
        let mut kinds = self.kinds.borrow_mut();
        if let Some(kind) = kinds.iter_mut().find(|kind| kind.work == turn.work) {
            kind.took = kind.took.max(turn.took);
        } else if kinds.len() < KINDS {
            kinds.push(turn);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(ms: u64, work: &'static str) -> LongestFrame {
        let took = Duration::from_millis(ms);
        LongestFrame { took, work }
    }

    #[test]
    fn a_frame_is_the_sum_of_its_turns_and_named_by_the_longest() {
        let seen = TimeLog::default();
        let outer = seen.enter();
        let inner = seen.enter();
        seen.leave(turn(8, "inner"), inner);
        let other = seen.enter();
        seen.leave(turn(4, "other"), other);
        seen.leave(turn(14, "outer"), outer);
        let last = seen.enter();
        seen.leave(turn(3, "last"), last);
        assert_eq!(seen.next_frame(), turn(17, "inner"));
        assert_eq!(seen.next_frame(), LongestFrame::default());
        assert_eq!(seen.longest.take(), turn(17, "inner"));
        // Nested work is not counted twice.
        let expected = [(8, "inner"), (4, "other"), (2, "outer"), (3, "last")];
        let expected = expected.map(|(ms, work)| turn(ms, work));
        assert_eq!(*seen.kinds.borrow(), expected);
    }
}
