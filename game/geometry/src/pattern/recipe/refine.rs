//! Refinement of the cells nearest to the impact by finer cells inside them.

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
