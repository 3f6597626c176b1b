//! Tells when the tool holds the editor up.

use fyrox::core::log::Log;
use std::{
    cell::Cell,
    rc::Rc,
    time::{Duration, Instant},
};

/// The longest that the tool may take on the main thread in one go.
const LIMIT: Duration = Duration::from_millis(50);

/// Watches how long the tool holds the editor up.
#[derive(Clone, Default)]
pub(super) struct Watch(Rc<Cell<Longest>>);

/// The longest time that the tool has held the editor up, as a clock on the wall sees it: on a busy
/// machine other programs' work is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Longest {
    /// How long.
    pub took: Duration,
    /// With what.
    pub what: &'static str,
}

/// Time that is being taken, until it is dropped.
pub(super) struct Turn {
    watch: Watch,
    what: &'static str,
    begin: Instant,
}

impl Watch {
    /// Watches until what is given is dropped.
    pub fn over(&self, what: &'static str) -> Turn {
        Turn {
            watch: self.clone(),
            what,
            begin: Instant::now(),
        }
    }

    /// The longest time since the last call.
    pub fn take(&self) -> Longest {
        self.0.take()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let (took, what) = (self.begin.elapsed(), self.what);
        if took > self.watch.0.get().took {
            self.watch.0.set(Longest { took, what });
        }
        if took > LIMIT {
            let ms = took.as_millis();
            Log::warn(format!(
                "The Fracture window has held the editor up for {ms} ms with {what}."
            ));
        }
    }
}
