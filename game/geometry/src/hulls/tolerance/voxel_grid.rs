//! A grid of cubes in columns, and where a surface crosses their middles.

use crate::hulls::shape::convex_hull::bounds;
use glam::DVec3;

/// How many cubes make the allowed distance.
const FINENESS: f64 = 3.0;
/// Grids are shifted by this part of a cube, against meshes whose vertices lie on a grid, too.
const SHIFT: [f64; 2] = [0.414, 0.271];

/// Columns of cubes.
#[derive(Clone, Copy)]
pub struct VoxelGrid {
    /// Which axes columns stand side by side along, and which they go along.
    pub axes: [usize; 3],
    low: DVec3,
    step: f64,
    /// Columns along the first two axes.
    pub columns: [usize; 2],
    /// Words of 64 cubes in a column.
    pub words: usize,
}

impl VoxelGrid {
    /// Around some points, with room for what is `allowed` (metres). Columns go along the shortest axis:
    /// what is flat lies across them.
    pub fn around(points: &[DVec3], allowed: f64) -> Self {
        let [low, high] = bounds(points);
        let extent = high - low;
        let mut axes = [0, 1, 2];
        axes.sort_by(|a, b| extent[*b].total_cmp(&extent[*a]));
        let step = allowed / FINENESS;
        let shift = DVec3::new(SHIFT[0], SHIFT[1], 0.0);
        let low = DVec3::from_array(axes.map(|axis| low[axis])) - allowed - step * (1.0 + shift);
        let count = |axis: usize| (((extent[axis] + 2.0 * allowed) / step) as usize) + 4;
        Self {
            axes,
            low,
            step,
            columns: [count(axes[0]), count(axes[1])],
            words: count(axes[2]).div_ceil(64),
        }
    }

    /// The side of a cube, metres.
    pub fn step(&self) -> f64 {
        self.step
    }

    pub fn len(&self) -> usize {
        self.columns[0] * self.columns[1] * self.words
    }

    /// A place in steps: cube `k` is around `k + 0.5`.
    pub fn place(&self, point: DVec3) -> DVec3 {
        let turned = DVec3::from_array(self.axes.map(|axis| point[axis]));
        (turned - self.low) / self.step
    }

    /// Where the words of a column begin.
    pub fn column(&self, x: usize, y: usize) -> usize {
        (y * self.columns[0] + x) * self.words
    }
}

/// Where a triangle crosses the middles of columns (x, y, height), and whether it looks up there; up to
/// `size` columns. A closed surface comes out closed: a middle on an edge belongs to one of its sides.
pub fn crossings(
    [a, b, c]: [DVec3; 3],
    size: [usize; 2],
    mut found: impl FnMut(usize, usize, f64, bool),
) {
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let normal = (b - a).cross(c - a);
    let slope = -normal / normal.z;
    for y in first(low.y)..first(high.y).min(size[1]) {
        let at = y as f64 + 0.5;
        let ends = [(a, b), (b, c), (c, a)].map(|(from, to)| passed(from, to, at));
        let mut ends = ends.into_iter().flatten();
        let (Some(one), Some(other)) = (ends.next(), ends.next()) else {
            continue;
        };
        let (left, right) = if one.0 < other.0 {
            (one, other)
        } else {
            (other, one)
        };
        for x in first(left.0)..first(right.0).min(size[0]) {
            let z = a.z + slope.x * (x as f64 + 0.5 - a.x) + slope.y * (at - a.y);
            let z = if z.is_finite() { z } else { low.z };
            found(x, y, z.clamp(low.z, high.z), !left.1);
        }
    }
}

/// The first cube whose middle is beyond a place.
pub fn first(place: f64) -> usize {
    (place + 0.5) as usize
}

/// Where an edge passes a row, and whether it goes up: the same place for the opposite edge.
fn passed(from: DVec3, to: DVec3, y: f64) -> Option<(f64, bool)> {
    let up = from.y < to.y;
    let (low, high) = if up { (from, to) } else { (to, from) };
    let part = (y - low.y) / (high.y - low.y);
    (low.y <= y && y < high.y).then_some((low.x + part * (high.x - low.x), up))
}
