//! A cell's neighbours, nearest first.

use crate::pattern::delaunay::Delaunay;

/// The sites that share a tetrahedron with one site.
#[derive(Default)]
pub struct Near {
    /// Squared distance and id in one number, which orders by distance.
    keys: Vec<u64>,
    /// By site: the cell it was last met around, and a tetrahedron that both have.
    met: Vec<(u32, u32)>,
}

const ID_BITS: u32 = 20;

impl Near {
    pub fn new(sites: usize) -> Self {
        Self {
            keys: Vec::new(),
            met: vec![(u32::MAX, 0); sites],
        }
    }

    /// Takes the sites of a cell's star but its own, and what was not given as a site.
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
                    self.keys
                        .push((squared as u64) << ID_BITS | u64::from(corner));
                }
            }
        }
        self.keys.sort_unstable();
    }

    /// The sites, each with a tetrahedron of the star that has it; the smaller id first on a tie.
    pub fn nearest_first(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let id = |key: &u64| *key as u32 & ((1 << ID_BITS) - 1);
        self.keys
            .iter()
            .map(id)
            .map(|id| (id, self.met[id as usize].1))
    }
}
