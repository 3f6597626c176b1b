//! Lists whose items keep their memory from one break to the next.

use std::ops::{Deref, DerefMut};

/// A list that never drops an item: those beyond its length wait for a longer one.
#[derive(Debug, Default)]
pub struct PooledVec<T> {
    items: Vec<T>,
    count: usize,
}

impl<T: Default> PooledVec<T> {
    /// Sets the length; the items are as the last use has left them.
    pub fn renew(&mut self, count: usize) -> &mut [T] {
        if self.items.len() < count {
            self.items.resize_with(count, T::default);
        }
        self.count = count;
        self
    }

    /// An item, whether it is within the length or not.
    pub fn slot(&mut self, at: usize) -> &mut T {
        if self.items.len() <= at {
            self.items.resize_with(at + 1, T::default);
        }
        &mut self.items[at]
    }

    /// Appends an item, which is as its last use has left it.
    pub fn grow(&mut self) -> &mut T {
        self.renew(self.count + 1);
        &mut self.items[self.count - 1]
    }
}

impl<T> Deref for PooledVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items[..self.count]
    }
}

impl<T> DerefMut for PooledVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.count]
    }
}
