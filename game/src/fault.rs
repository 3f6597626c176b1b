//! The fault log: errors in words for artists and programmers, each with the remedy.
//!
//! Without a window, the engine drops the errors that plugins and scripts return. So this crate keeps its
//! own log besides the engine's.

use fyrox::core::log::Log;
use std::{collections::VecDeque, fmt};

/// Node name of faults that belong to no node.
pub(crate) const MODULE: &str = "(all)";
/// Faults kept. Older ones are dropped, but counted.
const MAX_FAULTS: usize = 256;

/// A problem with an object, which stayed as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Name of the scene node at fault.
    pub node: String,
    /// The problem, and the remedy.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "destructible \"{}\": {}", self.node, self.message)
    }
}

/// The last faults, each also written to the engine's log.
#[derive(Debug, Default)]
pub(crate) struct FaultLog {
    faults: VecDeque<Fault>,
    total: usize,
}

impl FaultLog {
    /// Reports a fault. A repetition of the last fault is ignored.
    pub fn report(&mut self, node: &str, message: impl fmt::Display) {
        let fault = Fault {
            node: node.to_owned(),
            message: message.to_string(),
        };
        if self.faults.back() == Some(&fault) {
            return;
        }
        Log::warn(fault.to_string());
        self.total += 1;
        if self.faults.len() == MAX_FAULTS {
            self.faults.pop_front();
        }
        self.faults.push_back(fault);
    }

    /// The last faults, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.faults.iter()
    }

    /// Number of faults ever reported, the dropped ones included.
    pub fn total(&self) -> usize {
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_bounded_and_counts_on() {
        let mut log = FaultLog::default();
        for i in 0..1000 {
            log.report("wall", i);
        }
        log.report("wall", 999);
        assert_eq!(log.iter().count(), MAX_FAULTS);
        assert_eq!(log.total(), 1000);
        assert_eq!(
            log.iter().last().map(ToString::to_string).as_deref(),
            Some("destructible \"wall\": 999")
        );
    }
}
