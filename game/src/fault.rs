//! The fault log: errors in words for artists and programmers, each with the remedy.
//!
//! Without a window, the engine drops the errors that plugins and scripts return. So this crate keeps its
//! own log besides the engine's.

use fyrox::core::log::Log;
use std::{
    collections::{BTreeSet, VecDeque},
    fmt,
};

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
    /// Faults that are not told again, in words.
    told: BTreeSet<String>,
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

    /// Reports a fault, unless it has been reported by this function lately.
    pub fn report_once(&mut self, node: &str, message: impl fmt::Display) {
        let message = message.to_string();
        if self.told.len() >= MAX_FAULTS {
            self.told.clear();
        }
        if self.told.insert(format!("{node}: {message}")) {
            self.report(node, message);
        }
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

    #[test]
    fn what_is_found_in_each_frame_is_told_once() {
        let mut log = FaultLog::default();
        for _ in 0..5 {
            log.report_once("wall", "open");
            log.report_once("door", "open");
        }
        assert_eq!(log.total(), 2);
        (0..1000).for_each(|i| log.report_once("wall", i));
        assert!(log.told.len() <= MAX_FAULTS);
        assert_eq!(log.total(), 1002);
    }
}
