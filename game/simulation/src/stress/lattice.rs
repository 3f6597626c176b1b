//! The cells in which a body's weight is carried: made once from the whole body, inherited by all
//! that remains of it.

use std::fmt;
use std::sync::{Arc, OnceLock};

use fracture_geometry::{Pattern, PatternError, Solid};
use glam::DVec3;

/// How many cells a body has.
const CELLS: usize = 200;

/// Points of the inside that each cell gathers.
const POINTS: usize = 24;

/// Rounds of moving sites to the middle of what they gather.
const ROUNDS: usize = 10;

/// Where the drawing of points starts.
const SEED: u64 = 0x5717;

/// Even cells, placed in body space. A site is the middle of its cell's part of the body, so that the
/// faces of neighbours lie across slender members.
///
/// Method: Lloyd's, on points drawn in the body (Du, Faber and Gunzburger 1999).
#[derive(Debug)]
pub(crate) struct Lattice {
    /// In body space.
    pub pattern: Pattern,
    /// The side of a cube of a cell's volume, metres.
    pub spacing: f64,
}

impl Lattice {
    fn of(solid: &Solid) -> Result<Self, PatternError> {
        let mut points = solid.sample_volume((CELLS * POINTS) as u32, SEED);
        if points.len() < CELLS * POINTS / 4 {
            // So thin that its surface is as good.
            points = solid.sample_surface((CELLS * POINTS) as u32, SEED);
        }
        let sites = middles(&points);
        Ok(Self {
            pattern: Pattern::from_sites(&sites)?,
            spacing: libm::cbrt(solid.mass().volume / sites.len() as f64),
        })
    }
}

/// Sites that lie in the middle of the points nearest to them.
fn middles(points: &[DVec3]) -> Vec<DVec3> {
    let mut sites: Vec<DVec3> = points.iter().take(CELLS).copied().collect();
    let mut sums = vec![(DVec3::ZERO, 0.0); sites.len()];
    for _ in 0..ROUNDS {
        sums.fill((DVec3::ZERO, 0.0));
        for point in points {
            if let Some(sum) = nearest(&sites, *point).and_then(|at| sums.get_mut(at)) {
                sum.0 += *point;
                sum.1 += 1.0;
            }
        }
        for (site, (sum, count)) in sites.iter_mut().zip(&sums) {
            if *count > 0.0 {
                *site = *sum / *count;
            }
        }
    }
    sites
}

fn nearest(sites: &[DVec3], point: DVec3) -> Option<usize> {
    let mut best = (f64::INFINITY, None);
    for (index, site) in sites.iter().enumerate() {
        let distance = site.distance_squared(point);
        if distance < best.0 {
            best = (distance, Some(index));
        }
    }
    best.1
}

/// A lattice that is made on the worker, at most once.
#[derive(Default)]
pub(crate) struct LazyLattice(OnceLock<Result<Arc<Lattice>, PatternError>>);

impl LazyLattice {
    /// The lattice, made from this solid when it is not there yet: some ten milliseconds.
    pub fn get_or_make(&self, solid: &Solid) -> Result<Arc<Lattice>, PatternError> {
        let make = || Lattice::of(solid).map(Arc::new);
        self.0.get_or_init(make).clone()
    }
}

impl fmt::Debug for LazyLattice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let made = self.0.get().map(Result::is_ok);
        f.debug_struct("LazyLattice").field("made", &made).finish()
    }
}
