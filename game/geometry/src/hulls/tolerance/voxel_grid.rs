//! A voxel grid in columns of bits, and the rasterization of triangles into its columns.

use crate::hulls::params::{GRID_SHIFT, VOXELS_PER_TOLERANCE};
use crate::math::Aabb;
use glam::DVec3;

/// The layout of a voxel grid. A column of voxels is a row of bits in words of 64.
#[derive(Clone, Copy)]
pub struct VoxelGrid {
    /// The axes of space along the grid's x, y and z. Columns go along z.
    pub axes: [usize; 3],
    low: DVec3,
    step: f64,
    /// Columns along x and y.
    pub columns: [usize; 2],
    /// Words of a column.
    pub words: usize,
}

impl VoxelGrid {
    /// A grid around points and all within `tolerance` (metres) of them. Columns go along the shortest
    /// axis, so that flat things lie across them.
    pub fn around(points: &[DVec3], tolerance: f64) -> Self {
        let bounds = Aabb::from_points(points.iter().copied());
        let extent = bounds.extents();
        let mut axes = [0, 1, 2];
        axes.sort_by(|a, b| extent[*b].total_cmp(&extent[*a]));
        let step = tolerance / VOXELS_PER_TOLERANCE;
        let shift = DVec3::new(GRID_SHIFT[0], GRID_SHIFT[1], 0.0);
        let low =
            DVec3::from_array(axes.map(|axis| bounds.min[axis])) - tolerance - step * (1.0 + shift);
        let count = |axis: usize| (((extent[axis] + 2.0 * tolerance) / step) as usize) + 4;
        Self {
            axes,
            low,
            step,
            columns: [count(axes[0]), count(axes[1])],
            words: count(axes[2]).div_ceil(64),
        }
    }

    /// Side of a voxel, metres.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Words of all columns.
    pub fn len(&self) -> usize {
        self.columns[0] * self.columns[1] * self.words
    }

    /// Whether the grid's axes are a mirror image of space.
    pub fn is_mirrored(&self) -> bool {
        matches!(self.axes, [1, 0, 2] | [0, 2, 1] | [2, 1, 0])
    }

    /// A point in grid coordinates: voxel `k` has its centre at `k + 0.5`.
    pub fn grid_point(&self, point: DVec3) -> DVec3 {
        let permuted = DVec3::from_array(self.axes.map(|axis| point[axis]));
        (permuted - self.low) / self.step
    }

    /// The first word of a column.
    pub fn column(&self, x: usize, y: usize) -> usize {
        (y * self.columns[0] + x) * self.words
    }
}

/// Calls `visit` with (x, y, z, whether the triangle faces up) where a triangle, in grid coordinates,
/// crosses the centre lines of the first `size` columns.
///
/// A closed surface has closed crossings: a centre line through an edge crosses exactly one of its two
/// triangles.
pub fn column_crossings(
    [a, b, c]: [DVec3; 3],
    size: [usize; 2],
    mut visit: impl FnMut(usize, usize, f64, bool),
) {
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let normal = (b - a).cross(c - a);
    let slope = -normal / normal.z;
    for y in first_center(low.y)..first_center(high.y).min(size[1]) {
        let center = y as f64 + 0.5;
        let ends = [(a, b), (b, c), (c, a)].map(|(from, to)| row_crossing(from, to, center));
        let mut ends = ends.into_iter().flatten();
        let (Some(one), Some(other)) = (ends.next(), ends.next()) else {
            continue;
        };
        let (left, right) = if one.0 < other.0 {
            (one, other)
        } else {
            (other, one)
        };
        for x in first_center(left.0)..first_center(right.0).min(size[0]) {
            let z = a.z + slope.x * (x as f64 + 0.5 - a.x) + slope.y * (center - a.y);
            let z = if z.is_finite() { z } else { low.z };
            visit(x, y, z.clamp(low.z, high.z), !left.1);
        }
    }
}

/// The first voxel whose centre is at or beyond a coordinate.
pub fn first_center(coordinate: f64) -> usize {
    let near = (coordinate + 0.5) as usize;
    // The sum is rounded, and a centre at the coordinate counts.
    let is_before_too = near as f64 - 0.5 >= coordinate;
    near.saturating_sub(usize::from(is_before_too))
}

/// The x at which an edge crosses a row, and whether the edge goes up. The reversed edge crosses at the
/// same x.
fn row_crossing(from: DVec3, to: DVec3, y: f64) -> Option<(f64, bool)> {
    let is_up = from.y < to.y;
    let (low, high) = if is_up { (from, to) } else { (to, from) };
    let share = (y - low.y) / (high.y - low.y);
    (low.y <= y && y < high.y).then_some((low.x + share * (high.x - low.x), is_up))
}
