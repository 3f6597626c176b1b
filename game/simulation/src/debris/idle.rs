//! Detection of steps that would change nothing, so that they can be skipped.
//!
//! Rapier looks at every collider and every pair in each step, asleep or not. A step is therefore skipped
//! when it would do nothing else: no body is awake, no set of the physics has been accessed mutably, and
//! no piece is about to be frozen. The causes that wake a world are not listed anywhere: whatever changes
//! the world has to borrow a [`Tracked`] set mutably.

use std::ops::{Deref, DerefMut};

/// Steps without a change after which the next ones can be skipped: rapier still works off in the first
/// of them what was changed before, such as pairs that have come apart.
const SETTLED_STEPS: u32 = 2;

/// A value that is marked dirty by every mutable access.
#[derive(Default)]
pub(super) struct Tracked<T> {
    value: T,
    is_dirty: bool,
}

impl<T> Tracked<T> {
    pub fn new(value: T) -> Self {
        Self {
            value,
            is_dirty: true,
        }
    }

    /// Whether the value may have changed since [`Tracked::clear_dirty`].
    pub fn is_dirty(&self) -> bool {
        self.is_dirty
    }

    pub fn clear_dirty(&mut self) {
        self.is_dirty = false;
    }
}

impl<T> Deref for Tracked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Tracked<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.is_dirty = true;
        &mut self.value
    }
}

/// Number of steps in a row that changed nothing.
#[derive(Default)]
pub(super) struct IdleSteps(u32);

impl IdleSteps {
    /// Counts a step, idle or not.
    pub fn count(&mut self, was_idle: bool) {
        self.0 = if was_idle {
            self.0.saturating_add(1)
        } else {
            0
        };
    }

    /// Whether rapier has worked off all earlier changes.
    pub fn are_enough(&self) -> bool {
        self.0 >= SETTLED_STEPS
    }
}

#[cfg(test)]
mod idle_tests;
