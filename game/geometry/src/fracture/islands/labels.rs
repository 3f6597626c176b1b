//! Who owns what of the surface: whole blocks of triangles, and triangles where a block is divided.
//!
//! Only blocks that an affected cell touches are looked at; all others belong to the rest.

use crate::fracture::active_cells::UNAFFECTED;
use crate::fracture::surface::clipped_surface::ClippedSurface;
use crate::solid::{Clusters, Solid, CLUSTER_SIZE};

/// From here on: the owner of a triangle that is cut, more by the number of its first polygon among
/// all by triangle. See [`cut`].
const CUT: u32 = 1 << 31;
/// A block whose parts have owners of their own.
const DIVIDED: u32 = 1 << 31;

/// The number of the first polygon of an owned triangle that is cut, among all by triangle.
pub fn cut(owner: u32) -> Option<usize> {
    (owner >= CUT && owner != UNAFFECTED).then_some((owner ^ CUT) as usize)
}

/// Owners by block and, in divided blocks, by triangle: slots of cells, [`UNAFFECTED`], or that it
/// is [`cut`].
#[derive(Default)]
pub struct CellLabels {
    /// By block: an owner, or [`DIVIDED`], for the lowest level with the index of the block among
    /// those.
    blocks: Vec<u32>,
    /// The blocks that are not [`UNAFFECTED`].
    touched: Vec<u32>,
    /// Divided blocks of the lowest level, ascending.
    divided: Vec<u32>,
    /// [`CLUSTER_SIZE`] triangles for each of them.
    triangles: Vec<u32>,
}

impl CellLabels {
    /// Asks the surfaces of all affected cells.
    pub fn fill(&mut self, solid: &Solid, surface: &ClippedSurface, slots: usize) {
        for block in self.touched.drain(..) {
            self.blocks[block as usize] = UNAFFECTED;
        }
        let patches = solid.patches();
        if self.blocks.len() < patches.block_count() as usize {
            self.blocks
                .resize(patches.block_count() as usize, UNAFFECTED);
        }
        let last = solid.triangle_count() as u32;
        for slot in 0..slots as u32 {
            for run in surface.runs(slot) {
                let mut at = run.start;
                while at < run.end {
                    let block = at / CLUSTER_SIZE;
                    let end = ((block + 1) * CLUSTER_SIZE).min(last);
                    let whole = at == block * CLUSTER_SIZE && end <= run.end;
                    self.touch(patches, block, if whole { slot } else { DIVIDED });
                    at = end;
                }
            }
        }
        for taken in &surface.taken {
            self.touch(patches, taken.triangle / CLUSTER_SIZE, DIVIDED);
        }
        if solid.is_shell() {
            // Along crowded edges not everyone knows of everyone, so nothing is taken whole.
            (0..patches.lowest()).for_each(|block| self.touch(patches, block, DIVIDED));
        }
        self.number_divided(patches.lowest());
        for slot in 0..slots as u32 {
            for run in surface.runs(slot) {
                self.take_run(run.start, run.end, slot);
            }
        }
        for (number, taken) in surface.taken.iter().enumerate().rev() {
            let owner = CUT | number as u32;
            self.take_run(taken.triangle, taken.triangle + 1, owner);
        }
    }

    /// Gives a block of the lowest level an owner; the blocks above it are divided then.
    fn touch(&mut self, patches: &Clusters, block: u32, owner: u32) {
        let mut above = Some(block).filter(|block| self.blocks[*block as usize] == UNAFFECTED);
        while let Some(block) = above {
            self.blocks[block as usize] = DIVIDED;
            self.touched.push(block);
            let parent = patches.parent_of_block(block);
            above = parent.filter(|parent| self.blocks[*parent as usize] == UNAFFECTED);
        }
        self.blocks[block as usize] = owner;
    }

    fn number_divided(&mut self, lowest: u32) {
        let blocks = self.touched.iter().copied();
        let divided =
            blocks.filter(|block| *block < lowest && self.blocks[*block as usize] == DIVIDED);
        self.divided.clear();
        self.divided.extend(divided);
        self.divided.sort_unstable();
        for (index, block) in self.divided.iter().enumerate() {
            self.blocks[*block as usize] |= index as u32;
        }
        self.triangles.clear();
        self.triangles
            .resize(self.divided.len() * CLUSTER_SIZE as usize, UNAFFECTED);
    }

    /// Gives the triangles of a run that lie in divided blocks to an owner.
    fn take_run(&mut self, mut at: u32, end: u32, owner: u32) {
        while at < end {
            let stop = (at / CLUSTER_SIZE * CLUSTER_SIZE + CLUSTER_SIZE).min(end);
            if let Some(first) = self.divided_slot(at) {
                self.triangles[first..first + (stop - at) as usize].fill(owner);
            }
            at = stop;
        }
    }

    /// The index of a triangle among those of divided blocks.
    pub fn divided_slot(&self, triangle: u32) -> Option<usize> {
        let block = self.blocks[(triangle / CLUSTER_SIZE) as usize];
        let is_divided = block != UNAFFECTED && block & DIVIDED != 0;
        is_divided.then(|| ((block ^ DIVIDED) * CLUSTER_SIZE + triangle % CLUSTER_SIZE) as usize)
    }

    /// The owner of a triangle.
    pub fn of(&self, triangle: u32) -> u32 {
        match self.divided_slot(triangle) {
            Some(slot) => self.triangles[slot],
            None => self.blocks[(triangle / CLUSTER_SIZE) as usize],
        }
    }

    /// Which triangles of a divided block have an owner, as bits; `first` is the slot of its first.
    pub fn set_of(&self, first: usize, owner: u32) -> u32 {
        let own = &self.triangles[first..first + CLUSTER_SIZE as usize];
        let bits = own.iter().enumerate();
        bits.fold(0, |set, (at, is)| set | u32::from(*is == owner) << at)
    }

    /// The owner of a triangle of a divided block, by [`CellLabels::divided_slot`].
    pub fn in_divided(&self, slot: usize) -> u32 {
        self.triangles[slot]
    }

    /// The owner of a block of any level, unless it is divided.
    pub fn of_block(&self, block: u32) -> Option<u32> {
        let owner = self.blocks[block as usize];
        (owner == UNAFFECTED || owner & DIVIDED == 0).then_some(owner)
    }

    /// The divided blocks of the lowest level, ascending.
    pub fn divided(&self) -> &[u32] {
        &self.divided
    }

    /// The patches of the largest blocks that are not divided, in the order of their triangles.
    pub fn whole_patches(&self, patches: &Clusters, out: &mut Vec<u32>) {
        out.clear();
        for block in patches.top() {
            self.collect(patches, block, out);
        }
    }

    fn collect(&self, patches: &Clusters, block: u32, out: &mut Vec<u32>) {
        if self.of_block(block).is_some() {
            out.extend(patches.of_block(block));
            return;
        }
        for child in patches.children(block) {
            self.collect(patches, child, out);
        }
    }
}
