//! Impacts that come by script message.
//!
//! Looking into every script in each frame would be most of what a frame costs in which nothing happens:
//! scripts lie scattered in memory. So an inbox that gets something rings a bell, and all are looked into
//! in the frames after it has rung.

use crate::impacts::impact::Impact;
use std::sync::{
    atomic::{AtomicBool, Ordering},
    Arc, OnceLock,
};

/// Impacts that one node's script keeps until the next update; more are dropped and reported.
const LIMIT: usize = 64;

/// Impacts on their way to the next update.
#[derive(Debug, Default)]
pub struct Inbox {
    impacts: Vec<Impact>,
    /// How many did not fit.
    lost: usize,
    /// That of the scene in which the script was found first.
    bell: OnceLock<DirtyFlag>,
}

/// Tells that there may be something in one of many inboxes.
#[derive(Clone, Debug, Default)]
pub(crate) struct DirtyFlag(Arc<AtomicBool>);

impl Inbox {
    /// Queues an impact for the next update, as a script message does.
    pub fn push(&mut self, impact: Impact) {
        if self.impacts.len() < LIMIT {
            self.impacts.push(impact);
        } else {
            self.lost += 1;
        }
        if let Some(bell) = self.bell.get() {
            bell.ring();
        }
    }

    /// Takes what has come since the last call, and how many impacts did not fit.
    pub(crate) fn take(&mut self) -> (Vec<Impact>, usize) {
        (
            std::mem::take(&mut self.impacts),
            std::mem::take(&mut self.lost),
        )
    }

    /// Whether there is nothing to take.
    pub(crate) fn is_empty(&self) -> bool {
        self.impacts.is_empty() && self.lost == 0
    }

    /// Has it ring a bell from now on, and at once when something is in it. False when it rings another
    /// scene's: then it has to be looked into.
    pub(crate) fn rings(&self, bell: &DirtyFlag) -> bool {
        let own = self.bell.get_or_init(|| bell.clone());
        if !self.is_empty() {
            bell.ring();
        }
        Arc::ptr_eq(&own.0, &bell.0)
    }
}

impl Clone for Inbox {
    /// A copy may be for another scene.
    fn clone(&self) -> Self {
        Self {
            impacts: self.impacts.clone(),
            lost: self.lost,
            bell: OnceLock::new(),
        }
    }
}

impl DirtyFlag {
    fn ring(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it has rung since the last call.
    pub fn has_rung(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}
