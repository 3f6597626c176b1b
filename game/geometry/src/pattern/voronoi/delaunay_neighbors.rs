//! Delaunay neighbours of a site, nearest first.

use crate::math::NONE;
use crate::pattern::delaunay::Delaunay;

/// The sites that share a tetrahedron with one site.
#[derive(Default)]
pub struct DelaunayNeighbors {
    /// Squared distance and site in one number, which orders by distance.
    keys: Vec<u64>,
    /// By site: the cell around which it was last met, and a tetrahedron that has both.
    met: Vec<(u32, u32)>,
}

/// Bits of a site in a key; squared distances take 41 more.
const SITE_BITS: u32 = 20;

impl DelaunayNeighbors {
    /// For so many sites.
    pub fn new(sites: usize) -> Self {
        Self {
            keys: Vec::new(),
            met: vec![(NONE, 0); sites],
        }
    }

    /// Collects the sites of a cell's star except its own and added corners.
    pub fn gather(&mut self, sites: &[[i32; 3]], delaunay: &Delaunay, star: &[u32], cell: u32) {
        self.keys.clear();
        self.met[cell as usize].0 = cell;
        let center = sites[cell as usize];
        for &tet in star {
            for corner in delaunay.tet(tet).corners {
                let Some(met) = self.met.get_mut(corner as usize) else {
                    continue;
                };
                if met.0 != cell {
                    *met = (cell, tet);
                    let site = sites[corner as usize];
                    let d = |axis: usize| i64::from(site[axis] - center[axis]);
                    let squared = d(0) * d(0) + d(1) * d(1) + d(2) * d(2);
                    let key = (squared as u64) << SITE_BITS | u64::from(corner);
                    self.keys.push(key);
                }
            }
        }
        self.keys.sort_unstable();
    }

    /// The neighbours, each with a tetrahedron of the star that has it; on a tie the smaller id first.
    pub fn nearest_first(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let site = |key: &u64| *key as u32 & ((1 << SITE_BITS) - 1);
        let sites = self.keys.iter().map(site);
        sites.map(|site| (site, self.met[site as usize].1))
    }
}
