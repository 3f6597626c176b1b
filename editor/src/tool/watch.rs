//! Tells when the tool holds the editor up.

use fyrox::core::log::Log;
use std::time::{Duration, Instant};

/// The longest that the tool may take on the main thread in one go.
const LIMIT: Duration = Duration::from_millis(50);

/// Warns when it is dropped later than it should be.
pub struct Watch {
    what: &'static str,
    begin: Instant,
}

impl Watch {
    /// Watches until it is dropped.
    pub fn over(what: &'static str) -> Self {
        Self {
            what,
            begin: Instant::now(),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let took = self.begin.elapsed();
        if took > LIMIT {
            let (what, ms) = (self.what, took.as_millis());
            Log::warn(format!(
                "The Fracture window has held the editor up for {ms} ms with {what}."
            ));
        }
    }
}
