//! The affected cells, numbered: which slot of the break's lists a cell has.

use crate::math::{SparseSet, NONE};

/// The slot, and the owner, of what lies in no affected cell.
pub const UNAFFECTED: u32 = NONE;

/// The affected cells and their slots, found anew for every break in the same memory.
#[derive(Default)]
pub struct ActiveCells {
    numbering: SparseSet,
}

impl ActiveCells {
    /// Forgets the last break and takes the cells, ascending, of another one.
    pub fn fill(&mut self, cells: impl IntoIterator<Item = u32>) {
        self.numbering.clear();
        for cell in cells {
            self.numbering.insert(cell);
        }
    }

    /// By slot: its cell, ascending.
    pub fn cells(&self) -> &[u32] {
        self.numbering.ids()
    }

    /// How many cells are affected.
    pub fn count(&self) -> usize {
        self.cells().len()
    }

    /// The cell of a slot.
    pub fn cell(&self, slot: u32) -> u32 {
        self.cells()[slot as usize]
    }

    /// The slot of a cell, or [`UNAFFECTED`] when it is not affected.
    pub fn of(&self, cell: u32) -> u32 {
        self.numbering.index_of(cell)
    }

    pub fn is_affected(&self, cell: u32) -> bool {
        self.of(cell) != UNAFFECTED
    }
}
