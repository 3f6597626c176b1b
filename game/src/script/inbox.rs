//! Impacts received by script message.
//!
//! Polling the inbox of every script would take most of the time of a frame in which nothing happens,
//! because scripts are scattered in memory. So an inbox that receives an impact sets a flag shared by all
//! inboxes of the scene, and they are only read in the frame after it was set.

use crate::impacts::impact::Impact;
use std::sync::{
    atomic::{AtomicBool, Ordering},
    Arc, OnceLock,
};

/// Impacts that one script keeps until the next update. Further ones are dropped and reported.
const MAX_IMPACTS: usize = 64;

/// Impacts that wait for the next update.
#[derive(Debug, Default)]
pub struct Inbox {
    impacts: Vec<Impact>,
    /// Number of impacts that did not fit.
    dropped: usize,
    /// The flag of the scene in which the script was discovered first.
    flag: OnceLock<DirtyFlag>,
}

/// A flag shared by the inboxes of a scene: set when one of them has received an impact.
#[derive(Clone, Debug, Default)]
pub(crate) struct DirtyFlag(Arc<AtomicBool>);

impl Inbox {
    /// Queues an impact for the next update, as a script message does.
    pub fn push(&mut self, impact: Impact) {
        if self.impacts.len() < MAX_IMPACTS {
            self.impacts.push(impact);
        } else {
            self.dropped += 1;
        }
        if let Some(flag) = self.flag.get() {
            flag.set();
        }
    }

    /// Takes the impacts received since the last call, and the number of impacts that did not fit.
    pub(crate) fn take(&mut self) -> (Vec<Impact>, usize) {
        (
            std::mem::take(&mut self.impacts),
            std::mem::take(&mut self.dropped),
        )
    }

    /// Whether no impact was received since the last call of `take`.
    pub(crate) fn is_empty(&self) -> bool {
        self.impacts.is_empty() && self.dropped == 0
    }

    /// Makes the inbox set a flag from now on, and at once if it holds impacts. False when it already sets
    /// the flag of another scene: then it has to be polled.
    pub(crate) fn sets_flag(&self, flag: &DirtyFlag) -> bool {
        let own = self.flag.get_or_init(|| flag.clone());
        if !self.is_empty() {
            flag.set();
        }
        Arc::ptr_eq(&own.0, &flag.0)
    }
}

impl Clone for Inbox {
    /// Copies the impacts, but not the flag: the copy may belong to another scene.
    fn clone(&self) -> Self {
        Self {
            impacts: self.impacts.clone(),
            dropped: self.dropped,
            flag: OnceLock::new(),
        }
    }
}

impl DirtyFlag {
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Clears the flag and returns whether it was set.
    pub fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}
