//! The tetrahedra of a triangulation, and the search among them.

use super::circumsphere::{contains_exactly, orientation, Circumsphere, INFINITE};

/// The corners of a removed tetrahedron.
pub(super) const REMOVED: [u32; 4] = [INFINITE; 4];

/// One side of a facet: a tetrahedron and the slot of the corner opposite to the facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facet(u32);

impl Facet {
    pub(super) const NONE: Self = Self(u32::MAX);

    /// The facet opposite to the corner in a slot of a tetrahedron.
    pub fn new(tet: u32, slot: usize) -> Self {
        Self(tet << 2 | slot as u32)
    }

    /// The tetrahedron.
    pub fn tet(self) -> u32 {
        self.0 >> 2
    }

    /// The slot of the corner opposite to the facet.
    pub fn slot(self) -> usize {
        (self.0 & 3) as usize
    }
}

/// Four sites `a, b, c, d` with `det(a - d, b - d, c - d) > 0`.
#[derive(Clone, Copy, Debug)]
pub struct Tet {
    pub corners: [u32; 4],
    /// The other side of the facet opposite to each corner.
    pub across: [Facet; 4],
}

impl Tet {
    /// The slot of a site that is one of the corners.
    #[inline]
    pub fn slot_of(&self, site: u32) -> usize {
        let is = |slot: usize| usize::from(self.corners[slot] == site);
        is(1) + 2 * is(2) + 3 * is(3)
    }

    /// The slots of the two corners besides two given ones, in the order `x`, `y` for which the turn
    /// from `x` to `y` is counter-clockwise as seen from the second corner looking at the first.
    #[inline]
    pub fn turn(&self, first: u32, second: u32) -> (usize, usize) {
        let (i, j) = (self.slot_of(first), self.slot_of(second));
        let x = (0..4).find(|k| *k != i && *k != j).unwrap_or(0);
        let y = 6 - i - j - x;
        let swaps = [i > j, i > x, i > y, j > x, j > y];
        match swaps.into_iter().filter(|swap| *swap).count() % 2 {
            0 => (y, x),
            _ => (x, y),
        }
    }
}

/// The Delaunay triangulation of sites on the grid.
pub struct Delaunay {
    /// The given sites, then up to two more if those lie in a plane or on a line.
    pub(super) sites: Vec<[i32; 3]>,
    pub(super) tets: Vec<Tet>,
    /// By tetrahedron.
    pub(super) centers: Vec<Circumsphere>,
    /// By tetrahedron: below `mark` if the current insertion has not reached it, `mark` if it stays,
    /// `mark + 1` if it is removed.
    pub(super) marks: Vec<u32>,
    pub(super) mark: u32,
    /// Indices of removed tetrahedra, to be used again.
    pub(super) free: Vec<u32>,
    /// The tetrahedron where the search for the next site starts.
    pub(super) last: u32,
}

impl Delaunay {
    /// A tetrahedron.
    pub fn tet(&self, tet: u32) -> &Tet {
        &self.tets[tet as usize]
    }

    /// The ids and corners of all tetrahedra; corners may be infinite or added sites.
    pub fn tets(&self) -> impl Iterator<Item = (u32, [u32; 4])> + '_ {
        let corners = self.tets.iter().map(|tet| tet.corners);
        (0..)
            .zip(corners)
            .filter(|(_, corners)| *corners != REMOVED)
    }

    /// The bound of ids of tetrahedra.
    pub fn capacity(&self) -> usize {
        self.tets.len()
    }

    /// The circumsphere of a tetrahedron, in whose centre the cells of its corners meet.
    pub fn center(&self, tet: u32) -> &Circumsphere {
        &self.centers[tet as usize]
    }

    /// Adds the first tetrahedron and the four across its facets.
    pub(super) fn start(&mut self, corners: [u32; 4]) {
        let inner = self.add(corners);
        for slot in 0..4 {
            let mut outer = corners;
            outer[slot] = INFINITE;
            // Seen from the other side of the facet.
            outer.swap((slot + 1) & 3, (slot + 2) & 3);
            let outer = self.add(outer);
            self.join(Facet::new(inner, slot), Facet::new(outer, slot));
        }
        for one in 1..5 {
            for other in 1..one {
                // Two of them share the facet that has neither's missing corner.
                let missing = |tet: u32| corners[tet as usize - 1];
                let slot = |tet: u32, of: u32| self.tets[tet as usize].slot_of(missing(of));
                let (here, there) = (slot(one, other), slot(other, one));
                self.join(Facet::new(one, here), Facet::new(other, there));
            }
        }
    }

    pub(super) fn add(&mut self, corners: [u32; 4]) -> u32 {
        let tet = Tet {
            corners,
            across: [Facet::NONE; 4],
        };
        let center = Circumsphere::new(&self.sites, corners);
        match self.free.pop() {
            Some(index) => {
                self.tets[index as usize] = tet;
                self.centers[index as usize] = center;
                index
            }
            None => {
                self.tets.push(tet);
                self.centers.push(center);
                self.marks.push(0);
                self.tets.len() as u32 - 1
            }
        }
    }

    pub(super) fn join(&mut self, one: Facet, other: Facet) {
        self.tets[one.tet() as usize].across[one.slot()] = other;
        self.tets[other.tet() as usize].across[other.slot()] = one;
    }

    /// Finds a tetrahedron whose circumsphere contains a site: walks through facets that have the site
    /// on their other side. In a Delaunay triangulation such a walk never returns (Edelsbrunner 1990).
    pub(super) fn locate(&self, site: u32) -> u32 {
        let mut current = self.last;
        let mut from = Facet::NONE;
        let point = self.point(site);
        while !self.conflicts(current, site, point) {
            let tet = self.tets[current as usize];
            let slot = match tet.corners.iter().position(|c| *c == INFINITE) {
                Some(slot) => slot,
                None => {
                    let leaves = |slot: &usize| {
                        Facet::new(current, *slot) != from && self.side(&tet, *slot, site) < 0
                    };
                    match (0..4).find(leaves) {
                        Some(slot) => slot,
                        None => return current,
                    }
                }
            };
            from = tet.across[slot];
            current = from.tet();
        }
        current
    }

    /// Whether a site at `point` lies in the circumsphere of a tetrahedron; outside of the hull that is
    /// a half-space.
    #[inline]
    pub(super) fn conflicts(&self, tet: u32, site: u32, point: [f64; 3]) -> bool {
        let filtered = self.centers[tet as usize].contains(point);
        filtered.unwrap_or_else(|| self.conflicts_exactly(tet, site))
    }

    pub(super) fn point(&self, site: u32) -> [f64; 3] {
        self.sites[site as usize].map(f64::from)
    }

    #[cold]
    fn conflicts_exactly(&self, tet: u32, site: u32) -> bool {
        let tet = &self.tets[tet as usize];
        let Some(slot) = tet.corners.iter().position(|c| *c == INFINITE) else {
            return contains_exactly(&self.sites, tet.corners, site);
        };
        match self.side(tet, slot, site) {
            // In the plane of the hull's facet, whose circle is on the sphere across the facet.
            0 => self.conflicts(tet.across[slot].tet(), site, self.point(site)),
            side => side > 0,
        }
    }

    /// The side of a facet on which a site lies: positive on that of the opposite corner.
    fn side(&self, tet: &Tet, slot: usize, site: u32) -> i64 {
        let mut corners = tet.corners;
        corners[slot] = site;
        orientation(&self.sites, corners)
    }
}
