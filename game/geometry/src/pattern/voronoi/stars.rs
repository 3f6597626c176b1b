//! By cell: the tetrahedra around its site, whose centers are the cell's vertices.

use super::convex_cell::BOX_HALF;
use crate::math::Csr;
use crate::pattern::delaunay::Delaunay;

pub struct Stars {
    tets: Csr<u32>,
    is_outer: Vec<bool>,
}

impl Stars {
    pub fn new(cells: usize, delaunay: &Delaunay) -> Self {
        let mut is_outer = vec![false; cells];
        for (tet, corners) in delaunay.tets() {
            let is_inner = delaunay.center(tet).is_within(BOX_HALF as f64)
                && corners.iter().all(|corner| (*corner as usize) < cells);
            for corner in corners {
                if let Some(is_outer) = is_outer.get_mut(corner as usize) {
                    *is_outer |= !is_inner;
                }
            }
        }
        let of_tet = |(tet, corners): (u32, [u32; 4])| {
            let sites = corners.into_iter().filter(|c| (*c as usize) < cells);
            sites.map(move |site| (site, tet))
        };
        let tets = Csr::new(cells, || delaunay.tets().flat_map(of_tet));
        Self { tets, is_outer }
    }

    pub fn of(&self, cell: u32) -> &[u32] {
        self.tets.row(cell)
    }

    /// Whether a cell is closed by the far box, and not by its neighbours alone.
    pub fn is_outer(&self, cell: u32) -> bool {
        self.is_outer[cell as usize]
    }
}
