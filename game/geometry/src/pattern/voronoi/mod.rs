//! Voronoi cells of sites, as the flat arrays of a [`Pattern`].

mod bounded;
mod cell_arrays;
mod convex_cell;
mod delaunay_neighbors;
mod dual_index;
mod stars;
mod unbounded;

use crate::error::PatternError;
use crate::math::Aabb;
use crate::pattern::delaunay::{hilbert_order, Delaunay};
use crate::pattern::{check_count, Pattern, GRID_HALF};
use crate::steps::pause;
use bounded::BoundedCells;
use cell_arrays::{CellArrays, CellFaces};
use dual_index::DualIndex;
use glam::DVec3;
use stars::Stars;
use unbounded::UnboundedCells;

/// Cells that are built in one step.
const CELLS_PER_STEP: u32 = 16;

/// Largest coordinate of a site in pattern units: beyond it squares of distances would lose digits.
pub const MAX_COORDINATE: f64 = 1e15;

/// Builds the cells of sites in pattern space, in steps.
pub async fn build(points: &[DVec3]) -> Result<Pattern, PatternError> {
    check_count(points.len())?;
    let is_finite = |p: &DVec3| p.abs().max_element() <= MAX_COORDINATE;
    if let Some(site) = points.iter().position(|p| p.is_nan() || !is_finite(p)) {
        return Err(PatternError::NotFinite { site });
    }
    let (center, half) = grid_frame(points);
    let snapped = points.iter().map(|p| snap((*p - center) / half));
    let sites = distinct(snapped.collect());
    if sites.len() < 2 {
        return Err(PatternError::TooFewSites {
            found: sites.len(),
            field: PatternError::CELLS,
        });
    }
    let duplicates = (points.len() - sites.len()) as u32;
    build_on_grid(center, half, duplicates, sites).await
}

/// Builds the cells of two or more different sites on a grid, in steps.
pub async fn build_on_grid(
    center: DVec3,
    half: f64,
    duplicates: u32,
    sites: Vec<[i32; 3]>,
) -> Result<Pattern, PatternError> {
    let order = hilbert_order(&sites);
    let delaunay = Delaunay::in_steps(&sites, &order).await?;
    pause().await;
    let (arrays, mut index) = all_cells(&sites, &delaunay, &order).await;
    let step = half / f64::from(GRID_HALF);
    for vertex in &mut index.vertices {
        vertex.position = vertex.position * (0.5 * step) + center;
    }
    Ok(Pattern {
        center,
        half,
        duplicates,
        edges: index.edges,
        vertices: index.vertices,
        neighbor_offsets: arrays.neighbor_offsets,
        neighbors: arrays.neighbors,
        face_edge_offsets: arrays.face_edge_offsets,
        face_edges: arrays.face_edges,
        sites,
    })
}

/// The faces of all cells. Unbounded cells are built first, because their sizes are not known before.
async fn all_cells(
    sites: &[[i32; 3]],
    delaunay: &Delaunay,
    order: &[u32],
) -> (CellArrays, DualIndex) {
    let stars = Stars::new(sites.len(), delaunay);
    let mut index = DualIndex::new(sites.len(), delaunay);
    let mut unbounded_cells = UnboundedCells::new(sites, delaunay);
    let cells = 0..sites.len() as u32;
    let mut unbounded: Vec<Option<CellFaces>> = Vec::with_capacity(sites.len());
    for cell in cells.clone() {
        index.begin_cell();
        let is_unbounded = stars.is_unbounded(cell);
        let clip = || unbounded_cells.clip(&mut index, stars.of(cell), cell);
        unbounded.push(is_unbounded.then(clip));
        end_step_after(cell).await;
    }
    let size = |cell: u32| match &unbounded[cell as usize] {
        Some(faces) => [faces.neighbors.len(), faces.edges.len()],
        None => bounded::cell_size(stars.of(cell).len()),
    };
    let mut arrays = CellArrays::new(cells.map(size));
    let mut bounded_cells = BoundedCells::new(sites, delaunay);
    for &cell in order {
        match &unbounded[cell as usize] {
            Some(faces) => arrays.place(cell, faces),
            None => arrays.place(cell, bounded_cells.read(&mut index, stars.of(cell), cell)),
        }
        end_step_after(cell).await;
    }
    (arrays, index)
}

/// Ends a step after each of some cells.
async fn end_step_after(cell: u32) {
    if cell % CELLS_PER_STEP == CELLS_PER_STEP - 1 {
        pause().await;
    }
}

/// The centre and the largest half side of the sites' box.
fn grid_frame(points: &[DVec3]) -> (DVec3, f64) {
    if points.is_empty() {
        return (DVec3::ZERO, 1.0);
    }
    let bounds = Aabb::from_points(points.iter().copied());
    let half = 0.5 * bounds.extents().max_element();
    (bounds.center(), if half > 0.0 { half } else { 1.0 })
}

/// The grid point nearest to a point of the box from -1 to 1.
fn snap(point: DVec3) -> [i32; 3] {
    let snap = |x: f64| {
        (x * f64::from(GRID_HALF))
            .round()
            .clamp(f64::from(-GRID_HALF), f64::from(GRID_HALF))
    };
    [
        snap(point.x) as i32,
        snap(point.y) as i32,
        snap(point.z) as i32,
    ]
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
