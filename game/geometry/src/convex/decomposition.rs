//! A convex decomposition that a solid carries: made once, and clipped by the cells of a break.
//!
//! What a cell has of a convex part is convex again, so that hulls of pieces need no search for planes (Müller,
//! Chentanez, Kim, 2013).

use super::asset::blocks;
use super::block::Block;
use super::placed::PlacedCells;
use super::polyhedron::meet;
use super::Hull;
use crate::solid::Solid;
use glam::DVec3;

/// Convex parts that together cover a solid. None when there would be too many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decomposition {
    pub(super) blocks: Vec<Block>,
}

impl Decomposition {
    /// Finds the parts of a solid: the same for the same mesh. A shell has none.
    pub fn of(solid: &Solid) -> Self {
        let blocks = match solid.is_shell() {
            true => Vec::new(),
            false => blocks(solid.mesh()),
        };
        Self { blocks }
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there are no parts, so that pieces have to be looked at one by one.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The parts as hulls, for tools and tests.
    pub fn hulls(&self) -> Vec<Hull> {
        let hulls = self.blocks.iter().map(Block::polyhedron);
        hulls.map(|hull| Hull::of(&hull)).collect()
    }

    /// What the cell of a piece has, near the piece's box.
    pub(super) fn of_piece(
        &self,
        around: &[DVec3; 2],
        cells: &PlacedCells,
        cell: u32,
    ) -> Vec<Block> {
        let near = self.blocks.iter().filter(|b| meet(b.bounds(), around));
        near.filter_map(|block| clipped(block, cells, cell))
            .collect()
    }

    /// What the neighbours of a piece's cell have within the piece's box.
    pub(super) fn beside_piece(
        &self,
        around: &[DVec3; 2],
        cells: &PlacedCells,
        cell: u32,
    ) -> Vec<Block> {
        let neighbors = cells.planes(cell).map(|(neighbor, _)| neighbor);
        let blocks = neighbors.map(|neighbor| self.of_piece(around, cells, neighbor));
        let near = blocks.flatten().filter(|b| meet(b.bounds(), around));
        near.collect()
    }
}

/// What a block has in a cell.
fn clipped(block: &Block, cells: &PlacedCells, cell: u32) -> Option<Block> {
    if !touches(block, cells, cell) {
        return None;
    }
    let mut planes = cells.planes(cell);
    planes.try_fold(block.clone(), |part, (_, plane)| part.below(&plane))
}

/// Whether no single plane of a cell has all of a block beyond it.
fn touches(block: &Block, cells: &PlacedCells, cell: u32) -> bool {
    cells
        .planes(cell)
        .all(|(_, plane)| block.reach(&plane)[0] < 0.0)
}
