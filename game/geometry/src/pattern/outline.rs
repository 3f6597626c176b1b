//! One cell as it goes into the flat arrays.

use super::Side;

/// The faces of a cell.
#[derive(Clone, Default)]
pub struct Outline {
    /// By face: the other cell.
    pub neighbors: Vec<u32>,
    /// By face: where its sides end.
    pub ends: Vec<u32>,
    pub sides: Vec<Side>,
    /// Least and largest coordinates in doubled grid units.
    pub bounds: [f64; 6],
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
