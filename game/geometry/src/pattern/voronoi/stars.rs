//! Stars: by cell the tetrahedra around its site, whose circumcentres are the cell's vertices.

use super::convex_cell::CLIP_BOX_HALF;
use crate::math::Csr;
use crate::pattern::delaunay::Delaunay;

/// The stars of all cells.
pub struct Stars {
    tets: Csr<u32>,
    is_unbounded: Vec<bool>,
}

impl Stars {
    /// Sorts the tetrahedra by cell.
    pub fn new(cells: usize, delaunay: &Delaunay) -> Self {
        let mut is_unbounded = vec![false; cells];
        for (tet, corners) in delaunay.tets() {
            let is_inner = delaunay.center(tet).is_within(CLIP_BOX_HALF as f64)
                && corners.iter().all(|corner| (*corner as usize) < cells);
            for corner in corners {
                if let Some(is_unbounded) = is_unbounded.get_mut(corner as usize) {
                    *is_unbounded |= !is_inner;
                }
            }
        }
        let by_cell = |(tet, corners): (u32, [u32; 4])| {
            let sites = corners.into_iter().filter(|c| (*c as usize) < cells);
            sites.map(move |site| (site, tet))
        };
        Self {
            tets: Csr::new(cells, || delaunay.tets().flat_map(by_cell)),
            is_unbounded,
        }
    }

    /// The tetrahedra around the site of a cell.
    pub fn of(&self, cell: u32) -> &[u32] {
        self.tets.row(cell)
    }

    /// Whether a cell reaches the clip box, so that its neighbours alone do not bound it.
    pub fn is_unbounded(&self, cell: u32) -> bool {
        self.is_unbounded[cell as usize]
    }
}
