//! How long the tool holds the editor up: what it takes of the main thread, frame by frame.

use fyrox::core::log::Log;
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::{Duration, Instant},
};

/// The longest that the tool may take of the main thread in one frame.
const LIMIT: Duration = Duration::from_millis(50);
/// What the tool does of which the longest times are kept, at most.
const KINDS: usize = 64;

/// Watches how long the tool holds the editor up. Clones share what they have seen.
#[derive(Clone, Default)]
pub(super) struct Watch(Rc<Seen>);

#[derive(Default)]
struct Seen {
    /// What has been taken of this frame, and with what the most of it.
    frame: Cell<Duration>,
    main: Cell<Longest>,
    /// What turns inside the one that is being taken have taken.
    inner: Cell<Duration>,
    depth: Cell<u32>,
    longest: Cell<Longest>,
    kinds: RefCell<Vec<Longest>>,
}

/// The longest time that the tool has held the editor up in one frame, as a clock on the wall sees
/// it: on a busy machine other programs' work is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Longest {
    /// How long.
    pub took: Duration,
    /// With what, for the most part.
    pub what: &'static str,
}

/// Time that is being taken, until it is dropped.
pub(super) struct Turn {
    watch: Watch,
    what: &'static str,
    begin: Instant,
    /// What turns beside it have taken, inside the one around it.
    beside: Duration,
}

impl Watch {
    /// Watches until what is given is dropped. Turns may lie within each other.
    pub fn over(&self, what: &'static str) -> Turn {
        Turn {
            watch: self.clone(),
            what,
            begin: Instant::now(),
            beside: self.0.enter(),
        }
    }

    /// Begins another frame.
    pub fn next_frame(&self) {
        let Longest { took, what } = self.0.next_frame();
        if took > LIMIT {
            let ms = took.as_millis();
            Log::warn(format!(
                "The Fracture window has held the editor up for {ms} ms in a frame, most of it \
                 with {what}."
            ));
        }
    }

    /// The longest frame since the last call.
    pub fn take(&self) -> Longest {
        self.0.longest.take()
    }

    /// The longest times of all that the tool does, since the editor was started.
    pub fn kinds(&self) -> Vec<Longest> {
        self.0.kinds.borrow().clone()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let (took, what) = (self.begin.elapsed(), self.what);
        self.watch.0.leave(Longest { took, what }, self.beside);
    }
}

impl Seen {
    /// A turn begins. Gives what others beside it have taken.
    fn enter(&self) -> Duration {
        self.depth.set(self.depth.get() + 1);
        self.inner.take()
    }

    /// A turn has ended.
    fn leave(&self, turn: Longest, beside: Duration) {
        let Longest { took, what } = turn;
        let inner = self.inner.replace(beside + took);
        let took_itself = Longest {
            took: took.saturating_sub(inner),
            what,
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

    /// What has been taken of the frame that ends, and with what the most of it.
    fn next_frame(&self) -> Longest {
        let (took, what) = (self.frame.take(), self.main.take().what);
        if took > self.longest.get().took {
            self.longest.set(Longest { took, what });
        }
        Longest { took, what }
    }

    fn keep(&self, turn: Longest) {
        let mut kinds = self.kinds.borrow_mut();
        if let Some(kind) = kinds.iter_mut().find(|kind| kind.what == turn.what) {
            kind.took = kind.took.max(turn.took);
        } else if kinds.len() < KINDS {
            kinds.push(turn);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(ms: u64, what: &'static str) -> Longest {
        let took = Duration::from_millis(ms);
        Longest { took, what }
    }

    #[test]
    fn a_frame_is_the_sum_of_its_turns_and_named_by_the_longest() {
        let seen = Seen::default();
        let outer = seen.enter();
        let inner = seen.enter();
        seen.leave(turn(8, "inner"), inner);
        let other = seen.enter();
        seen.leave(turn(4, "other"), other);
        seen.leave(turn(14, "outer"), outer);
        let last = seen.enter();
        seen.leave(turn(3, "last"), last);
        assert_eq!(seen.next_frame(), turn(17, "inner"));
        assert_eq!(seen.next_frame(), Longest::default());
        assert_eq!(seen.longest.take(), turn(17, "inner"));
        // What is inside is not counted twice.
        let expected = [(8, "inner"), (4, "other"), (2, "outer"), (3, "last")];
        let expected = expected.map(|(ms, what)| turn(ms, what));
        assert_eq!(*seen.kinds.borrow(), expected);
    }
}
