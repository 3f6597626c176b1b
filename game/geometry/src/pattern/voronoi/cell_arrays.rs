//! The outlines of all cells in flat arrays.

use crate::pattern::Side;

/// Flat arrays with room for every cell, which may be filled in any order: cells that are near each
/// other share what has to be read for them.
pub struct Arrays {
    pub neighbor_offsets: Vec<u32>,
    pub neighbors: Vec<u32>,
    pub side_offsets: Vec<u32>,
    pub sides: Vec<Side>,
    /// By cell: where its sides start.
    first_side: Vec<u32>,
}

impl Arrays {
    /// Room for cells of so many faces and sides.
    pub fn new(sizes: impl ExactSizeIterator<Item = [usize; 2]>) -> Self {
        let cells = sizes.len();
        let mut neighbor_offsets = Vec::with_capacity(cells + 1);
        let mut first_side = Vec::with_capacity(cells);
        let (mut faces, mut sides) = (0, 0);
        for size in sizes {
            neighbor_offsets.push(faces as u32);
            first_side.push(sides as u32);
            faces += size[0];
            sides += size[1];
        }
        neighbor_offsets.push(faces as u32);
        Self {
            neighbor_offsets,
            neighbors: vec![0; faces],
            side_offsets: vec![0; faces + 1],
            sides: vec![Side::default(); sides],
            first_side,
        }
    }

    pub fn place(&mut self, cell: u32, outline: &Outline) {
        let cell = cell as usize;
        let (face, side) = (self.neighbor_offsets[cell] as usize, self.first_side[cell]);
        copy(&mut self.neighbors[face..], &outline.neighbors);
        copy(&mut self.sides[side as usize..], &outline.sides);
        let ends = outline.ends.iter().map(|end| side + end);
        for (offset, end) in self.side_offsets[face + 1..].iter_mut().zip(ends) {
            *offset = end;
        }
    }
}

fn copy<T: Copy>(to: &mut [T], from: &[T]) {
    debug_assert!(from.len() <= to.len());
    let count = from.len().min(to.len());
    to[..count].copy_from_slice(&from[..count]);
}

/// The faces of a cell.
#[derive(Clone, Default)]
pub struct Outline {
    /// By face: the other cell.
    pub neighbors: Vec<u32>,
    /// By face: where its sides end.
    pub ends: Vec<u32>,
    pub sides: Vec<Side>,
}

impl Outline {
    pub fn clear(&mut self) {
        self.neighbors.clear();
        self.ends.clear();
        self.sides.clear();
    }

    /// The sides since the last face are those of the face to this cell.
    pub fn end_face(&mut self, neighbor: u32) {
        self.neighbors.push(neighbor);
        self.ends.push(self.sides.len() as u32);
    }
}
