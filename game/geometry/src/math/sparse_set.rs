//! A few ids of many, numbered in the order in which they come.

use super::NONE;

/// Numbers ids, break after break; costs what it numbers, however many ids there are.
#[derive(Default)]
pub struct SparseSet {
    /// By number: its id.
    pub ids: Vec<u32>,
    /// By id: its number or [`NONE`].
    numbers: Vec<u32>,
}

impl SparseSet {
    pub fn clear(&mut self) {
        for id in self.ids.drain(..) {
            self.numbers[id as usize] = NONE;
        }
    }

    /// The number of an id, a new one if it has none.
    pub fn add(&mut self, id: u32) -> u32 {
        if self.numbers.len() <= id as usize {
            self.numbers.resize(id as usize + 1, NONE);
        }
        let number = &mut self.numbers[id as usize];
        if *number == NONE {
            *number = self.ids.len() as u32;
            self.ids.push(id);
        }
        *number
    }

    /// Numbers all ids anew, ascending.
    pub fn sort(&mut self) {
        self.ids.sort_unstable();
        for (number, id) in self.ids.iter().enumerate() {
            self.numbers[*id as usize] = number as u32;
        }
    }

    /// The number of an id or [`NONE`].
    pub fn of(&self, id: u32) -> u32 {
        self.numbers.get(id as usize).copied().unwrap_or(NONE)
    }
}
