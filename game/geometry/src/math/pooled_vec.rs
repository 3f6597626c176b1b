//! Lists whose items keep their memory from one use to the next.

use std::ops::{Deref, DerefMut};

/// A list that drops no item: those beyond its length keep their memory for a longer list.
#[derive(Debug, Default)]
pub struct PooledVec<T> {
    items: Vec<T>,
    len: usize,
}

impl<T: Default> PooledVec<T> {
    /// Sets the length; every item is as its last use left it.
    pub fn resize(&mut self, len: usize) -> &mut [T] {
        if self.items.len() < len {
            self.items.resize_with(len, T::default);
        }
        self.len = len;
        self
    }

    /// An item, within the length or beyond it.
    pub fn slot(&mut self, index: usize) -> &mut T {
        if self.items.len() <= index {
            self.items.resize_with(index + 1, T::default);
        }
        &mut self.items[index]
    }

    /// Appends an item, which is as its last use left it.
    pub fn push_reused(&mut self) -> &mut T {
        self.resize(self.len + 1);
        &mut self.items[self.len - 1]
    }
}

impl<T> Deref for PooledVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items[..self.len]
    }
}

impl<T> DerefMut for PooledVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.len]
    }
}
