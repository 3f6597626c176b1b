//! Dense index of the affected cells.

use crate::fracture::ids::LocalCell;
use crate::math::{SparseSet, NONE};

/// Cells that become fragments, and their local numbers.
#[derive(Default)]
pub struct AffectedCells {
    set: SparseSet,
    /// By local number: whether the cell's volume tells what a sliver is. Empty: all do.
    reference: Vec<bool>,
}

impl AffectedCells {
    /// Replaces the cells of the last break; `cells` ascend.
    pub fn fill(&mut self, cells: impl IntoIterator<Item = u32>) {
        self.set.clear();
        self.reference.clear();
        for cell in cells {
            self.set.insert(cell);
        }
    }

    /// Lets only some of the cells tell what a sliver is.
    pub fn set_reference(&mut self, is_reference: impl Fn(u32) -> bool) {
        self.reference.clear();
        let cells = self.set.ids().iter();
        self.reference.extend(cells.map(|cell| is_reference(*cell)));
    }

    /// Whether a cell's volume tells what a sliver is.
    pub fn is_reference(&self, local: LocalCell) -> bool {
        self.reference
            .get(local.index())
            .is_none_or(|is_reference| *is_reference)
    }

    /// Cells by local number, ascending.
    pub fn cells(&self) -> &[u32] {
        self.set.ids()
    }

    /// Number of affected cells.
    pub fn count(&self) -> usize {
        self.cells().len()
    }

    /// Local numbers, ascending.
    pub fn locals(&self) -> impl Iterator<Item = LocalCell> {
        (0..self.count() as u32).map(LocalCell)
    }

    /// Cell of a local number.
    pub fn cell(&self, local: LocalCell) -> u32 {
        self.cells()[local.index()]
    }

    /// Local number of a cell; `None` when the cell is not affected.
    pub fn local(&self, cell: u32) -> Option<LocalCell> {
        let number = self.set.index_of(cell);
        (number != NONE).then_some(LocalCell(number))
    }

    /// Whether a cell is affected.
    pub fn is_affected(&self, cell: u32) -> bool {
        self.local(cell).is_some()
    }
}
