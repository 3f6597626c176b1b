//! By cell: the tetrahedra around its site, whose centers are the cell's vertices.

use super::convex_cell::BOX_HALF;
use crate::pattern::delaunay::Delaunay;

pub struct Stars {
    first: Vec<u32>,
    tets: Vec<u32>,
    is_outer: Vec<bool>,
}

impl Stars {
    pub fn new(cells: usize, delaunay: &Delaunay) -> Self {
        let mut first = vec![0; cells + 1];
        let mut is_outer = vec![false; cells];
        for (tet, corners) in delaunay.tets() {
            let is_inner = delaunay.center(tet).is_within(BOX_HALF as f64)
                && corners.iter().all(|corner| (*corner as usize) < cells);
            for corner in corners {
                if let Some(is_outer) = is_outer.get_mut(corner as usize) {
                    first[corner as usize + 1] += 1;
                    *is_outer |= !is_inner;
                }
            }
        }
        for cell in 0..cells {
            first[cell + 1] += first[cell];
        }
        let mut tets = vec![0; first[cells] as usize];
        let mut next = first.clone();
        for (tet, corners) in delaunay.tets() {
            for corner in corners.into_iter().filter(|c| (*c as usize) < cells) {
                tets[next[corner as usize] as usize] = tet;
                next[corner as usize] += 1;
            }
        }
        Self {
            first,
            tets,
            is_outer,
        }
    }

    pub fn of(&self, cell: u32) -> &[u32] {
        let cell = cell as usize;
        &self.tets[self.first[cell] as usize..self.first[cell + 1] as usize]
    }

    /// Whether a cell is closed by the far box, and not by its neighbours alone.
    pub fn is_outer(&self, cell: u32) -> bool {
        self.is_outer[cell as usize]
    }
}
