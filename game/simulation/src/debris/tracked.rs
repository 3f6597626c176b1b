//! Something that knows whether anyone has had it in hand to change it.

use std::ops::{Deref, DerefMut};

/// A value that notes every mutable access, so that nobody can change it unnoticed.
#[derive(Default)]
pub(super) struct Tracked<T> {
    value: T,
    touched: bool,
}

impl<T> Tracked<T> {
    pub fn new(value: T) -> Self {
        Self {
            value,
            touched: true,
        }
    }

    /// Whether it may have been changed since [`Tracked::take_note`].
    pub fn is_touched(&self) -> bool {
        self.touched
    }

    /// Whoever watches knows it as it is now.
    pub fn take_note(&mut self) {
        self.touched = false;
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
        self.touched = true;
        &mut self.value
    }
}
