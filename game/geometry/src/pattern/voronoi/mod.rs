//! Sites to the flat arrays of a [`Pattern`].

mod bounded;
mod cell_arrays;
mod convex_cell;
mod delaunay_neighbors;
mod dual_index;
mod soa_vertices;
mod stars;
mod unbounded;

use crate::error::PatternError;
use crate::math::Aabb;
use crate::pattern::delaunay::{along_curve, Delaunay};
use crate::pattern::{check_count, Pattern, GRID_HALF};
use bounded::Inner;
use cell_arrays::Arrays;
use cell_arrays::Outline;
use dual_index::Numbers;
use glam::DVec3;
use stars::Stars;
use unbounded::Outer;

/// Farther sites than this are refused.
pub const MAX_COORDINATE: f64 = 1e15;

pub fn build(points: &[DVec3]) -> Result<Pattern, PatternError> {
    check_count(points.len())?;
    let finite = |p: &DVec3| p.abs().max_element() <= MAX_COORDINATE;
    if let Some(site) = points.iter().position(|p| p.is_nan() || !finite(p)) {
        return Err(PatternError::NotFinite { site });
    }
    let (center, half) = frame(points);
    let sites = distinct(points.iter().map(|p| snap((*p - center) / half)).collect());
    if sites.len() < 2 {
        return Err(PatternError::TooFewSites {
            found: sites.len(),
            field: PatternError::CELLS,
        });
    }
    let duplicates = (points.len() - sites.len()) as u32;
    of_grid(center, half, duplicates, sites)
}

/// The cells of two or more different sites on the grid of a frame.
pub fn of_grid(
    center: DVec3,
    half: f64,
    duplicates: u32,
    sites: Vec<[i32; 3]>,
) -> Result<Pattern, PatternError> {
    let curve = along_curve(&sites);
    let delaunay = Delaunay::new(&sites, &curve)?;
    let (arrays, mut numbers) = outlines(&sites, &delaunay, &curve);
    let step = half / GRID_HALF as f64;
    for vertex in &mut numbers.vertices {
        vertex.at = vertex.at * (0.5 * step) + center;
    }
    Ok(Pattern {
        center,
        half,
        duplicates,
        edges: numbers.edges,
        vertices: numbers.vertices,
        neighbor_offsets: arrays.neighbor_offsets,
        neighbors: arrays.neighbors,
        side_offsets: arrays.side_offsets,
        sides: arrays.sides,
        sites,
    })
}

/// The outlines of all cells; of outer ones first, whose size only their outline tells.
fn outlines(sites: &[[i32; 3]], delaunay: &Delaunay, curve: &[u32]) -> (Arrays, Numbers) {
    let stars = Stars::new(sites.len(), delaunay);
    let mut numbers = Numbers::new(sites.len(), delaunay);
    let mut outer = Outer::new(sites, delaunay);
    let ids = 0..sites.len() as u32;
    let outlines: Vec<Option<Outline>> = ids
        .clone()
        .map(|id| {
            numbers.next_cell();
            let is_outer = stars.is_outer(id);
            is_outer.then(|| outer.carve(&mut numbers, stars.of(id), id))
        })
        .collect();
    let mut arrays = Arrays::new(ids.map(|id| match &outlines[id as usize] {
        Some(outline) => [outline.neighbors.len(), outline.sides.len()],
        None => bounded::size(stars.of(id).len()),
    }));
    let mut inner = Inner::new(sites, delaunay);
    for &id in curve {
        match &outlines[id as usize] {
            Some(outline) => arrays.place(id, outline),
            None => arrays.place(id, inner.read(&mut numbers, stars.of(id), id)),
        }
    }
    (arrays, numbers)
}

/// The middle and the largest half side of the sites' box.
fn frame(points: &[DVec3]) -> (DVec3, f64) {
    if points.is_empty() {
        return (DVec3::ZERO, 1.0);
    }
    let bounds = Aabb::from_points(points.iter().copied());
    let half = 0.5 * bounds.extents().max_element();
    (bounds.center(), if half > 0.0 { half } else { 1.0 })
}

fn snap(unit: DVec3) -> [i32; 3] {
    let at = |x: f64| {
        (x * GRID_HALF as f64)
            .round()
            .clamp(-GRID_HALF as f64, GRID_HALF as f64)
    };
    [at(unit.x) as i32, at(unit.y) as i32, at(unit.z) as i32]
}

/// The first of each set of equal sites, in the given order.
pub fn distinct(sites: Vec<[i32; 3]>) -> Vec<[i32; 3]> {
    let mut order: Vec<u32> = (0..sites.len() as u32).collect();
    order.sort_unstable_by_key(|&i| (sites[i as usize], i));
    order.dedup_by_key(|i| sites[*i as usize]);
    order.sort_unstable();
    order.into_iter().map(|i| sites[i as usize]).collect()
}

#[cfg(test)]
mod tests;
