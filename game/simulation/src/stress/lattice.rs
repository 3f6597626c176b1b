//! The stress lattice: even cells, made once from the intact body and inherited by all that remains of it.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use fracture_geometry::byte_io::{write_f64s, ByteReader, Malformed};
use fracture_geometry::steps::{finish, pause};
use fracture_geometry::{Pattern, PatternError, Solid};
use glam::DVec3;

use crate::stepped_lazy::SteppedLazy;

/// Number of cells of a lattice. More cells find cracks more exactly, and solving takes longer.
const CELLS: usize = 200;

/// Sample points per cell, in the inside of the body.
const POINTS_PER_CELL: usize = 24;

/// Rounds of Lloyd's method: sites move to the centroids of their points.
const LLOYD_ROUNDS: usize = 10;

/// Points for which the nearest site is found in one step.
const POINTS_PER_STEP: usize = 512;

/// Seed of the sample points.
const SEED: u64 = 0x5717;

/// Even cells in body space. A site is the centroid of its cell's part of the body, so that the faces of
/// neighbours lie across slender members.
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
    /// Makes the lattice of a solid.
    pub fn new(solid: &Solid) -> Result<Self, PatternError> {
        finish(Self::in_steps(solid))
    }

    /// The same in steps.
    pub async fn in_steps(solid: &Solid) -> Result<Self, PatternError> {
        let count = (CELLS * POINTS_PER_CELL) as u32;
        let mut points = solid.sample_volume_in_steps(count, SEED).await;
        if points.len() < CELLS * POINTS_PER_CELL / 4 {
            // The body is so thin that its surface is as good.
            points = solid.sample_surface(count, SEED);
        }
        let sites = centroidal_sites(&points).await;
        Ok(Self {
            pattern: Pattern::from_sites_in_steps(&sites).await?,
            spacing: libm::cbrt(solid.mass().volume / sites.len() as f64),
        })
    }

    /// Writes the lattice as all the bytes that remain.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_f64s(out, &[self.spacing]);
        out.extend(self.pattern.to_bytes());
    }

    /// Reads a lattice from all the bytes that remain.
    pub fn read(reader: &mut ByteReader) -> Result<Self, Malformed> {
        let spacing = reader.f64()?;
        let rest = reader.take(reader.0.len())?;
        let pattern = Pattern::from_bytes(rest).map_err(|_| Malformed)?;
        let is_lattice = spacing > 0.0 && spacing.is_finite() && pattern.cell_count() <= CELLS;
        is_lattice
            .then_some(Self { pattern, spacing })
            .ok_or(Malformed)
    }
}

/// Sites at the centroids of the points nearest to them.
async fn centroidal_sites(points: &[DVec3]) -> Vec<DVec3> {
    let mut sites: Vec<DVec3> = points.iter().take(CELLS).copied().collect();
    let mut sums = vec![(DVec3::ZERO, 0.0); sites.len()];
    // By point: the site that was nearest in the round before.
    let mut nearest = vec![0; points.len()];
    for _ in 0..LLOYD_ROUNDS {
        sums.fill((DVec3::ZERO, 0.0));
        let sorted = SortedSites::new(&sites);
        for (at, (point, nearest)) in points.iter().zip(&mut nearest).enumerate() {
            if at % POINTS_PER_STEP == POINTS_PER_STEP - 1 {
                pause().await;
            }
            *nearest = sorted.nearest(*point, *nearest);
            if let Some(sum) = sums.get_mut(*nearest) {
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

/// Sites in the order of their coordinates along the longest side of their box.
struct SortedSites<'a> {
    sites: &'a [DVec3],
    axis: usize,
    order: Vec<usize>,
}

impl<'a> SortedSites<'a> {
    fn new(sites: &'a [DVec3]) -> Self {
        let low = sites.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = sites.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let axis = (high - low).max_position();
        let mut order: Vec<usize> = (0..sites.len()).collect();
        order.sort_by(|a, b| sites[*a][axis].total_cmp(&sites[*b][axis]));
        Self { sites, axis, order }
    }

    /// The site nearest to a point, the first of those at the same distance, from one that may be near it. Sites that are
    /// farther away along the axis alone are left out.
    fn nearest(&self, point: DVec3, guess: usize) -> usize {
        let along = |index: &usize| self.sites[*index][self.axis] - point[self.axis];
        let distance = |index: usize| self.sites[index].distance_squared(point);
        let mut best = (distance(guess), guess);
        let middle = self.order.partition_point(|index| along(index) < 0.0);
        let (before, after) = self.order.split_at(middle);
        let mut search = |index: &usize| {
            let found = (distance(*index), *index);
            if found < best {
                best = found;
            }
            along(index).powi(2) <= best.0
        };
        let _ = after.iter().all(&mut search);
        let _ = before.iter().rev().all(&mut search);
        best.1
    }
}

/// Finds a lattice that was made before.
type FindLattice = Arc<dyn Fn(&Solid) -> Option<Lattice> + Send + Sync>;

/// A lattice that is made on the worker, at most once, from any of the bodies that share it.
pub(crate) struct LazyLattice {
    find: FindLattice,
    /// Of which it is to be made, where that is known before.
    source: Mutex<Option<Arc<Solid>>>,
    /// Present once making it has begun.
    lattice: OnceLock<SteppedLazy<Result<Arc<Lattice>, PatternError>>>,
}

impl LazyLattice {
    /// A lattice that is made where a function finds none.
    pub fn new(find: impl Fn(&Solid) -> Option<Lattice> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            find: Arc::new(find),
            source: Mutex::default(),
            lattice: OnceLock::new(),
        })
    }

    /// Sees to it that it is made of this solid, unless it was made or is to be made of one already.
    pub fn make_of(&self, solid: &Arc<Solid>) {
        if self.lattice.get().is_none() {
            self.source().get_or_insert_with(|| solid.clone());
        }
    }

    /// The lattice, made in steps if need be, of this solid if it is not to be of another: some ten milliseconds.
    pub async fn get_or_make(&self, solid: &Arc<Solid>) -> Result<Arc<Lattice>, PatternError> {
        let begin = || {
            let find = self.find.clone();
            let solid = self.source().take().unwrap_or_else(|| solid.clone());
            SteppedLazy::new(after_panic, async move {
                let lattice = match find(&solid) {
                    Some(lattice) => lattice,
                    None => Lattice::in_steps(&solid).await?,
                };
                Ok(Arc::new(lattice))
            })
        };
        let lattice = self.lattice.get_or_init(begin);
        lattice.get_in_steps().await.clone()
    }

    fn source(&self) -> MutexGuard<'_, Option<Arc<Solid>>> {
        // A panic elsewhere leaves it whole.
        self.source.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// In place of a lattice whose making panicked.
fn after_panic() -> Result<Arc<Lattice>, PatternError> {
    let reason = "making the lattice of strength panicked";
    Err(PatternError::Corrupt { reason })
}

impl fmt::Debug for LazyLattice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let made = self.lattice.get().and_then(SteppedLazy::get);
        let made = made.map(Result::is_ok);
        f.debug_struct("LazyLattice").field("made", &made).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracture_geometry::Mesh;

    #[test]
    fn the_nearest_site_is_the_first_of_the_nearest_from_any_guess() {
        // Points and sites of a grid, of which many have the same distances.
        let place = |k: usize| DVec3::new((k * 7 % 5) as f64, (k * 11 % 3) as f64, (k % 4) as f64);
        let sites: Vec<DVec3> = (0..40).map(place).collect();
        let sorted = SortedSites::new(&sites);
        for k in 0..200 {
            let point = 0.5 * place(k + 3) + DVec3::splat(0.5 * (k % 2) as f64);
            let distances = sites.iter().map(|site| site.distance_squared(point));
            let wanted = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
            let found = sorted.nearest(point, k % sites.len());
            assert_eq!(Some(found), wanted.map(|(index, _)| index));
        }
    }

    #[test]
    fn a_lattice_is_made_of_the_first_solid_that_it_is_to_be_made_of() {
        let solid = |side| Arc::new(Solid::new(Mesh::cuboid([side; 3])).unwrap());
        let [whole, piece] = [solid(1.0), solid(0.5)];
        let spacing = |solid: &Solid| Lattice::new(solid).unwrap().spacing;
        let lazy = LazyLattice::new(|_| None);
        lazy.make_of(&whole);
        lazy.make_of(&piece);
        let made = finish(lazy.get_or_make(&piece)).unwrap();
        assert_eq!(made.spacing, spacing(&whole));
        assert_ne!(made.spacing, spacing(&piece));
        assert_eq!(Arc::strong_count(&whole), 1, "it is kept no longer");
        lazy.make_of(&piece);
        assert_eq!(Arc::strong_count(&piece), 1, "nothing is to be made");
    }
}
