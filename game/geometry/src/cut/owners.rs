//! Who owns what of the surface: whole blocks of triangles, and triangles where a block is divided.

use super::surface::CellSurface;
use crate::solid::{Solid, BLOCK};

/// The owner of what lies in no affected cell.
pub const REST: u32 = u32::MAX;
/// The owner of a triangle that is cut.
pub const CUT: u32 = u32::MAX - 1;
/// A block whose triangles have owners of their own.
const DIVIDED: u32 = 1 << 31;

/// Owners by block and, in divided blocks, by triangle: slots of cells, [`REST`] or [`CUT`].
#[derive(Default)]
pub struct Owners {
    /// By block: an owner, or [`DIVIDED`] with the index of the block among those.
    blocks: Vec<u32>,
    divided: Vec<u32>,
    /// [`BLOCK`] triangles for each divided block.
    triangles: Vec<u32>,
}

impl Owners {
    /// Asks the surfaces of all affected cells.
    pub fn new(solid: &Solid, surfaces: &[CellSurface]) -> Self {
        let mut owners = Self {
            blocks: vec![REST; solid.patches().block_count() as usize],
            ..Self::default()
        };
        let last = solid.triangle_count() as u32;
        for (slot, surface) in surfaces.iter().enumerate() {
            for run in &surface.runs {
                let mut at = run.start;
                while at < run.end {
                    let block = at / BLOCK;
                    let end = ((block + 1) * BLOCK).min(last);
                    let whole = at == block * BLOCK && end <= run.end;
                    owners.blocks[block as usize] = if whole { slot as u32 } else { DIVIDED };
                    at = end;
                }
            }
            for polygon in &surface.polygons {
                owners.blocks[(polygon.triangle / BLOCK) as usize] = DIVIDED;
            }
        }
        owners.number_divided();
        for (slot, surface) in surfaces.iter().enumerate() {
            for run in &surface.runs {
                owners.take_run(run.start, run.end, slot as u32);
            }
            for polygon in &surface.polygons {
                owners.take_run(polygon.triangle, polygon.triangle + 1, CUT);
            }
        }
        owners
    }

    fn number_divided(&mut self) {
        for (block, owner) in self.blocks.iter_mut().enumerate() {
            if *owner == DIVIDED {
                *owner |= self.divided.len() as u32;
                self.divided.push(block as u32);
            }
        }
        self.triangles = vec![REST; self.divided.len() * BLOCK as usize];
    }

    /// Gives the triangles of a run that lie in divided blocks to an owner.
    fn take_run(&mut self, mut at: u32, end: u32, owner: u32) {
        while at < end {
            let stop = (at / BLOCK * BLOCK + BLOCK).min(end);
            if let Some(first) = self.divided_slot(at) {
                self.triangles[first..first + (stop - at) as usize].fill(owner);
            }
            at = stop;
        }
    }

    /// The index of a triangle among those of divided blocks.
    pub fn divided_slot(&self, triangle: u32) -> Option<usize> {
        let block = self.blocks[(triangle / BLOCK) as usize];
        let is_divided = block != REST && block & DIVIDED != 0;
        is_divided.then(|| ((block ^ DIVIDED) * BLOCK + triangle % BLOCK) as usize)
    }

    /// The owner of a triangle.
    pub fn of(&self, triangle: u32) -> u32 {
        match self.divided_slot(triangle) {
            Some(slot) => self.triangles[slot],
            None => self.blocks[(triangle / BLOCK) as usize],
        }
    }

    /// The owner of a block, unless it is divided.
    pub fn of_block(&self, block: u32) -> Option<u32> {
        let owner = self.blocks[block as usize];
        (owner == REST || owner & DIVIDED == 0).then_some(owner)
    }

    /// The divided blocks, ascending.
    pub fn divided(&self) -> &[u32] {
        &self.divided
    }
}
