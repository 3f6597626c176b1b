//! Refinement of patterns: finer cells inside the cells nearest to the impact, and the same cells again,
//! each time half as large, towards it.

use super::scattered::on_sphere;
use crate::error::PatternError;
use glam::DVec3;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Points drawn for each site inside a cell. A cell fills a good part of the ball in which points are
/// drawn; only slivers would need more.
const MAX_TRIES: usize = 64;

/// Replaces each of the `cells` sites nearest to the origin by `parts` sites drawn inside its cell.
///
/// The faces of the replaced cells become rugged, because each fine cell has bisectors of its own
/// with the coarse cells around; cells that touch no replaced one stay as they were, to the bit.
///
/// # Errors
/// [`PatternError::TooManySites`].
pub fn refine_near_origin(
    sites: &[DVec3],
    cells: u32,
    parts: u32,
    seed: u64,
) -> Result<Vec<DVec3>, PatternError> {
    let cells = (cells as usize).min(sites.len());
    crate::pattern::check_count(
        sites
            .len()
            .saturating_add(cells.saturating_mul(parts as usize)),
    )?;
    if parts < 2 {
        return Ok(sites.to_vec());
    }
    let mut order: Vec<usize> = (0..sites.len()).collect();
    let distance = |i: &usize| sites[*i].length_squared();
    order.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));
    let (fine, coarse) = order.split_at(cells);
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut all: Vec<DVec3> = coarse.iter().map(|i| sites[*i]).collect();
    for &cell in fine {
        all.extend(parts_of(cell, sites, parts, &mut random));
    }
    Ok(all)
}

/// Distance from the origin up to which a pattern of the unit ball is moved inwards, and beyond which it
/// is repeated.
const CORE: f64 = 0.5;

/// Repeats a pattern of the unit ball towards the origin, each time half as large: the sites in the outer
/// half of the ball's radius come again `octaves` times, and what lies within is moved inwards as far. So
/// cells look alike at each distance, and breaks of all sizes can share one pattern: a larger one takes
/// all cells of a smaller one, and some more.
///
/// A single cut stays as it is. Where there would be more than [`MAX_CELLS`](crate::MAX_CELLS), sites
/// are left out of the repetitions.
pub fn repeat_towards_origin(sites: &[DVec3], octaves: u32) -> Vec<DVec3> {
    if sites.len() < 3 || octaves == 0 {
        return sites.to_vec();
    }
    let is_core = |site: &&DVec3| site.length_squared() <= CORE * CORE;
    let outer: Vec<DVec3> = sites
        .iter()
        .filter(|site| !is_core(site))
        .copied()
        .collect();
    let room = crate::pattern::MAX_CELLS.saturating_sub(sites.len()).max(1);
    let stride = (outer.len() * octaves as usize).div_ceil(room).max(1);
    let mut all = outer.clone();
    let mut scale = 1.0;
    for _ in 0..octaves {
        scale *= 0.5;
        all.extend(outer.iter().step_by(stride).map(|site| *site * scale));
    }
    all.extend(sites.iter().filter(is_core).map(|site| *site * scale));
    all
}

/// Points whose nearest site is the cell's, its own site first.
fn parts_of(cell: usize, sites: &[DVec3], parts: u32, random: &mut Pcg64Mcg) -> Vec<DVec3> {
    let own = sites[cell];
    let others = sites.iter().enumerate().filter(|(i, _)| *i != cell);
    let distances = others.map(|(_, site)| site.distance_squared(own));
    let reach = distances.fold(f64::INFINITY, f64::min).sqrt();
    let mut found = vec![own];
    if !reach.is_finite() {
        return found;
    }
    // A site that is nearer to a point of the ball lies within twice its radius.
    let near: Vec<DVec3> = sites
        .iter()
        .copied()
        .filter(|site| site.distance_squared(own) <= 4.0 * reach * reach)
        .collect();
    for _ in 0..MAX_TRIES * parts as usize {
        if found.len() == parts as usize {
            break;
        }
        let point = own + on_sphere(random) * reach * libm::cbrt(random.random::<f64>());
        let distance = point.distance_squared(own);
        if near
            .iter()
            .all(|site| site.distance_squared(point) >= distance)
        {
            found.push(point);
        }
    }
    found
}
