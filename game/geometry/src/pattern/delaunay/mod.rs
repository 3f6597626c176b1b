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
mod triangulation;

use super::GRID_HALF;
use crate::error::PatternError;
use crate::steps::pause;
use cavity::Cavity;
use circumsphere::{difference, orientation};
pub use spatial_sort::hilbert_order;
use triangulation::REMOVED;
pub use triangulation::{Delaunay, Facet};

/// Most tetrahedra for each site; sites spread evenly have seven.
const MAX_TETS_PER_SITE: usize = 128;
/// Sites that are inserted in one step.
const SITES_PER_STEP: usize = 64;
/// Tetrahedra that are allowed for any number of sites.
const MIN_TET_LIMIT: usize = 200_000;

impl Delaunay {
    /// Triangulates two or more different sites, in steps; `order` is that of [`hilbert_order`].
    ///
    /// # Errors
    /// [`PatternError::TooManyCorners`]: there can be as many tetrahedra as pairs of sites.
    pub async fn in_steps(given: &[[i32; 3]], order: &[u32]) -> Result<Self, PatternError> {
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
        for (at, site) in spatial_sort::brio_order(order).enumerate() {
            if at % SITES_PER_STEP == SITES_PER_STEP - 1 {
                pause().await;
            }
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
