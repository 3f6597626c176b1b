//! Delaunay tetrahedra of the sites, the dual of the Voronoi cells.
//!
//! A Voronoi vertex is shared by four cells and an edge by three, so each is found once, as a
//! tetrahedron and as a facet between two. Sites are inserted one by one (Bowyer 1981, Watson 1981):
//! the tetrahedra whose circumsphere contains the new site are removed, and the cavity is filled with
//! tetrahedra between its facets and the site. Outside of the hull lie tetrahedra with a corner at
//! infinity, so that every facet has two sides.
//!
//! Ties are broken by the rule of [`crate::math::predicates`]: a site's height `|s|^2`, which turns the
//! spheres into planes, is lowered by an infinitesimal of its own. The result is the one triangulation
//! of those heights, the same in whatever order the sites are inserted, and none of its tetrahedra is
//! flat.

mod cavity;
mod circumsphere;
mod spatial_sort;

use super::GRID_HALF;
use crate::error::PatternError;
use crate::math::predicates;
use cavity::Cavity;
pub use circumsphere::Circumsphere;
pub use spatial_sort::hilbert_order;

/// The corner of tetrahedra outside of the hull.
const INFINITE: u32 = u32::MAX;
/// The corners of a removed tetrahedron.
const REMOVED: [u32; 4] = [INFINITE; 4];

/// Most tetrahedra for each site; sites spread evenly have seven.
const MAX_TETS_PER_SITE: usize = 128;
/// Tetrahedra that are allowed for any number of sites.
const MIN_TET_LIMIT: usize = 200_000;

/// One side of a facet: a tetrahedron and the slot of the corner opposite to the facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facet(u32);

impl Facet {
    const NONE: Self = Self(u32::MAX);

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
    sites: Vec<[i32; 3]>,
    tets: Vec<Tet>,
    /// By tetrahedron.
    centers: Vec<Circumsphere>,
    /// By tetrahedron: below `mark` if the current insertion has not reached it, `mark` if it stays,
    /// `mark + 1` if it is removed.
    marks: Vec<u32>,
    mark: u32,
    /// Indices of removed tetrahedra, to be used again.
    free: Vec<u32>,
    /// The tetrahedron where the search for the next site starts.
    last: u32,
}

impl Delaunay {
    /// Triangulates two or more different sites; `order` is that of [`hilbert_order`].
    ///
    /// # Errors
    /// [`PatternError::TooManyCorners`]: there can be as many tetrahedra as pairs of sites.
    pub fn new(given: &[[i32; 3]], order: &[u32]) -> Result<Self, PatternError> {
        let limit = MIN_TET_LIMIT + MAX_TETS_PER_SITE * given.len();
        let mut sites = given.to_vec();
        let first = spanning(&mut sites);
        let mut delaunay = Self {
            tets: Vec::with_capacity(8 * sites.len()),
            centers: Vec::with_capacity(8 * sites.len()),
            marks: Vec::with_capacity(8 * sites.len()),
            mark: 0,
            free: Vec::new(),
            last: 0,
            sites,
        };
        delaunay.start(first);
        let mut cavity = Cavity::default();
        for site in spatial_sort::brio_order(order) {
            if !first.contains(&site) {
                let conflicting = delaunay.locate(site);
                delaunay.last = cavity.insert(&mut delaunay, conflicting, site);
                if delaunay.tets.len() > limit {
                    return Err(PatternError::TooManyCorners { limit });
                }
            }
        }
        for &tet in &delaunay.free {
            delaunay.tets[tet as usize].corners = REMOVED;
        }
        Ok(delaunay)
    }

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
    fn start(&mut self, corners: [u32; 4]) {
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

    fn add(&mut self, corners: [u32; 4]) -> u32 {
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

    fn join(&mut self, one: Facet, other: Facet) {
        self.tets[one.tet() as usize].across[one.slot()] = other;
        self.tets[other.tet() as usize].across[other.slot()] = one;
    }

    /// Finds a tetrahedron whose circumsphere contains a site: walks through facets that have the site
    /// on their other side. In a Delaunay triangulation such a walk never returns (Edelsbrunner 1990).
    fn locate(&self, site: u32) -> u32 {
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
    fn conflicts(&self, tet: u32, site: u32, point: [f64; 3]) -> bool {
        let filtered = self.centers[tet as usize].contains(point);
        filtered.unwrap_or_else(|| self.conflicts_exactly(tet, site))
    }

    fn point(&self, site: u32) -> [f64; 3] {
        self.sites[site as usize].map(f64::from)
    }

    #[cold]
    fn conflicts_exactly(&self, tet: u32, site: u32) -> bool {
        let tet = &self.tets[tet as usize];
        let Some(slot) = tet.corners.iter().position(|c| *c == INFINITE) else {
            return circumsphere::contains_exactly(&self.sites, tet.corners, site);
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

fn orientation(sites: &[[i32; 3]], [a, b, c, d]: [u32; 4]) -> i64 {
    let from = |site: u32| difference(sites, site, d);
    predicates::det3(from(a), from(b), from(c))
}

fn difference(sites: &[[i32; 3]], to: u32, from: u32) -> [i64; 3] {
    let (to, from) = (sites[to as usize], sites[from as usize]);
    let along = |axis: usize| i64::from(to[axis]) - i64::from(from[axis]);
    [along(0), along(1), along(2)]
}

/// Four sites that span space, positively oriented. If all sites lie in a plane or on a line, corners of
/// a tetrahedron around them are added; cells that meet still meet, so neighbours stay the same.
fn spanning(sites: &mut Vec<[i32; 3]>) -> [u32; 4] {
    const HALF: i32 = GRID_HALF;
    const OUTER: [[i32; 3]; 4] = [
        [HALF, HALF, HALF],
        [HALF, -HALF, -HALF],
        [-HALF, HALF, -HALF],
        [-HALF, -HALF, HALF],
    ];
    let given = sites.len() as u32;
    sites.extend(OUTER);
    let all = 0..sites.len() as u32;
    let off_line = |site: &u32| {
        let (u, v) = (difference(sites, 1, 0), difference(sites, *site, 0));
        let turn = |a: usize, b: usize| u[a] * v[b] - u[b] * v[a];
        turn(1, 2) != 0 || turn(2, 0) != 0 || turn(0, 1) != 0
    };
    let third = all.clone().find(off_line).unwrap_or(given);
    let off_plane = |site: &u32| orientation(sites, [0, 1, third, *site]) != 0;
    let fourth = all.clone().find(off_plane).unwrap_or(given);
    let mut first = [0, 1, third, fourth];
    let mut count = given;
    for corner in &mut first[2..] {
        if *corner >= given {
            sites[count as usize] = sites[*corner as usize];
            *corner = count;
            count += 1;
        }
    }
    sites.truncate(count as usize);
    if orientation(sites, first) < 0 {
        first.swap(0, 1);
    }
    first
}
