//! The statue: a figure with a ring raised over its head, arms that leave holes, on a plinth.
//!
//! Its surface is the zero set of a signed distance, meshed by surface nets: one vertex per grid
//! cell that the surface crosses, one quad per grid edge that it crosses.

use crate::shape::Shape;
use crate::vector::{add, dot, length, mix, scale, sub, Vec3};
use std::collections::BTreeMap;

/// Grid step in metres; it gives a little over 20,000 triangles.
const STEP: f32 = 0.0235;
/// The box that is meshed.
const LOW: Vec3 = [-0.75, -0.05, -0.55];
const HIGH: Vec3 = [0.75, 2.45, 0.55];

/// The statue, standing on y = 0.
pub fn statue(metres_per_tile: f32) -> Shape {
    let mut grid = Grid::sample(distance);
    while grid.fill_ambiguous_faces() > 0 {}
    let mut shape = Shape::default();
    let mut vertices = BTreeMap::new();
    for cell in grid.cells() {
        if let Some(position) = grid.vertex(cell) {
            vertices.insert(cell, shape.point(position));
        }
    }
    for cell in grid.cells() {
        for axis in 0..3 {
            add_quad(&mut shape, &grid, &vertices, cell, axis, metres_per_tile);
        }
    }
    shape
}

/// The quad around the grid edge that starts at a cell's lowest corner.
fn add_quad(
    shape: &mut Shape,
    grid: &Grid,
    vertices: &BTreeMap<[usize; 3], u32>,
    cell: [usize; 3],
    axis: usize,
    metres_per_tile: f32,
) {
    let mut end = cell;
    end[axis] += 1;
    let (start_in, end_in) = (grid.at(cell) < 0.0, grid.at(end) < 0.0);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    if start_in == end_in || cell[u] == 0 || cell[v] == 0 {
        return;
    }
    let neighbour = |du: usize, dv: usize| {
        let mut other = cell;
        other[u] -= du;
        other[v] -= dv;
        vertices.get(&other).copied()
    };
    let around = [
        neighbour(1, 1),
        neighbour(0, 1),
        neighbour(0, 0),
        neighbour(1, 0),
    ];
    let [Some(a), Some(b), Some(c), Some(d)] = around else {
        return;
    };
    let [a, b, c, d] = if start_in { [a, b, c, d] } else { [d, c, b, a] };
    // Along the shorter diagonal the triangles are rounder.
    let gap = |p: u32, q: u32| length(sub(shape.points[p as usize], shape.points[q as usize]));
    let halves = if gap(a, c) <= gap(b, d) {
        [[a, b, c], [a, c, d]]
    } else {
        [[b, c, d], [b, d, a]]
    };
    for half in halves {
        shape.projected_triangle(half, metres_per_tile);
    }
}

/// Distances sampled on a grid.
struct Grid {
    size: [usize; 3],
    values: Vec<f32>,
}

impl Grid {
    fn sample(distance: impl Fn(Vec3) -> f32) -> Self {
        let size = [0, 1, 2].map(|k| ((HIGH[k] - LOW[k]) / STEP) as usize + 1);
        let mut values = Vec::with_capacity(size[0] * size[1] * size[2]);
        for z in 0..size[2] {
            for y in 0..size[1] {
                for x in 0..size[0] {
                    values.push(distance(node([x, y, z])));
                }
            }
        }
        Self { size, values }
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.size[1] + y) * self.size[0] + x
    }

    fn at(&self, cell: [usize; 3]) -> f32 {
        self.values[self.index(cell)]
    }

    /// Where only two diagonal corners of a grid face are inside, four quads would share one edge.
    /// Filling the other two corners keeps the surface a manifold. Gives how many were filled.
    fn fill_ambiguous_faces(&mut self) -> usize {
        let mut filled = 0;
        for cell in self.cells() {
            for axis in 0..3 {
                let mut corners = [cell; 4];
                for (side, corner) in corners.iter_mut().enumerate() {
                    corner[(axis + 1) % 3] += side & 1;
                    corner[(axis + 2) % 3] += side >> 1;
                }
                let inside = corners.map(|corner| self.at(corner) < 0.0);
                if inside[0] == inside[3] && inside[1] == inside[2] && inside[0] != inside[1] {
                    for corner in corners {
                        let index = self.index(corner);
                        self.values[index] = self.values[index].min(-0.2 * STEP);
                    }
                    filled += 1;
                }
            }
        }
        filled
    }

    fn cells(&self) -> impl Iterator<Item = [usize; 3]> {
        let [sx, sy, sz] = self.size.map(|side| side - 1);
        (0..sz).flat_map(move |z| (0..sy).flat_map(move |y| (0..sx).map(move |x| [x, y, z])))
    }

    /// The mean of the points where the surface crosses the cell's edges.
    fn vertex(&self, cell: [usize; 3]) -> Option<Vec3> {
        let mut sum = [0.0; 3];
        let mut count = 0.0;
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for side in 0..4 {
                let mut start = cell;
                start[u] += side & 1;
                start[v] += side >> 1;
                let mut end = start;
                end[axis] += 1;
                let (a, b) = (self.at(start), self.at(end));
                if (a < 0.0) != (b < 0.0) {
                    let mut crossing = node(start);
                    crossing[axis] += STEP * a / (a - b);
                    sum = add(sum, crossing);
                    count += 1.0;
                }
            }
        }
        (count > 0.0).then(|| scale(sum, 1.0 / count))
    }
}

fn node(index: [usize; 3]) -> Vec3 {
    [0, 1, 2].map(|k| LOW[k] + index[k] as f32 * STEP)
}

/// The signed distance to the statue, metres; negative inside.
fn distance(p: Vec3) -> f32 {
    let figure = blend(
        &[body(p), head(p), arm(p, 1.0), arm(p, -1.0), ring(p)],
        0.05,
    );
    let plinth = blend(
        &[
            cuboid(p, [0.0, 0.09, 0.0], [0.46, 0.09, 0.36], 0.025),
            cuboid(p, [0.0, 0.25, 0.0], [0.36, 0.09, 0.28], 0.025),
        ],
        0.03,
    );
    blend(&[figure, plinth], 0.04)
}

fn body(p: Vec3) -> f32 {
    let robe = cone(p, [0.0, 0.30, 0.0], [0.0, 1.05, 0.0], 0.27, 0.155);
    // Folds of the robe: a ripple around the axis that fades towards the waist.
    let fold = (p[0].atan2(p[2]) * 9.0).sin() * 0.018 * (1.1 - p[1]).clamp(0.0, 0.7);
    let chest = cone(p, [0.0, 1.08, 0.0], [0.0, 1.40, 0.0], 0.15, 0.19);
    let shoulders = cone(p, [-0.19, 1.50, 0.0], [0.19, 1.50, 0.0], 0.085, 0.085);
    let sash = cone(p, [-0.17, 1.42, 0.13], [0.16, 1.02, 0.14], 0.035, 0.045);
    blend(&[robe + fold, chest, shoulders, sash], 0.06)
}

fn head(p: Vec3) -> f32 {
    let neck = cone(p, [0.0, 1.50, 0.0], [0.0, 1.66, 0.01], 0.065, 0.06);
    let skull = ellipsoid(p, [0.0, 1.79, 0.0], [0.112, 0.145, 0.13]);
    let nose = cone(p, [0.0, 1.80, 0.118], [0.0, 1.755, 0.142], 0.012, 0.02);
    let brow = cone(p, [-0.055, 1.825, 0.108], [0.055, 1.825, 0.108], 0.02, 0.02);
    let hair = ellipsoid(p, [0.0, 1.85, -0.035], [0.128, 0.115, 0.125]);
    let bun = ellipsoid(p, [0.0, 1.86, -0.155], [0.06, 0.06, 0.055]);
    blend(&[neck, skull, nose, brow, hair, bun], 0.025)
}

/// One arm: out from the shoulder, then up to the ring. The gap to the head is a hole.
fn arm(p: Vec3, side: f32) -> f32 {
    let shoulder = [side * 0.21, 1.50, 0.0];
    let elbow = [side * 0.43, 1.66, 0.05];
    let hand = [side * 0.27, 2.03, 0.02];
    let upper = cone(p, shoulder, elbow, 0.075, 0.058);
    let fore = cone(p, elbow, hand, 0.06, 0.045);
    let palm = ellipsoid(p, hand, [0.055, 0.065, 0.055]);
    blend(&[upper, fore, palm], 0.03)
}

/// The ring the figure holds up.
fn ring(p: Vec3) -> f32 {
    let q = sub(p, [0.0, 2.13, 0.02]);
    let around = (q[0] * q[0] + q[1] * q[1]).sqrt() - 0.235;
    (around * around + q[2] * q[2]).sqrt() - 0.046
}

/// A capsule whose radius runs from `ra` at `a` to `rb` at `b`.
fn cone(p: Vec3, a: Vec3, b: Vec3, ra: f32, rb: f32) -> f32 {
    let (pa, ba) = (sub(p, a), sub(b, a));
    let t = (dot(pa, ba) / dot(ba, ba)).clamp(0.0, 1.0);
    length(sub(pa, scale(ba, t))) - mix(ra, rb, t)
}

fn ellipsoid(p: Vec3, centre: Vec3, radii: Vec3) -> f32 {
    let q = sub(p, centre);
    let k0 = length([q[0] / radii[0], q[1] / radii[1], q[2] / radii[2]]);
    let squares = radii.map(|r| r * r);
    let k1 = length([q[0] / squares[0], q[1] / squares[1], q[2] / squares[2]]);
    if k1 > 0.0 {
        k0 * (k0 - 1.0) / k1
    } else {
        -radii[0].min(radii[1]).min(radii[2])
    }
}

fn cuboid(p: Vec3, centre: Vec3, half: Vec3, rounding: f32) -> f32 {
    let q = sub(p, centre);
    let d = [0, 1, 2].map(|k| q[k].abs() - half[k] + rounding);
    let outside = length(d.map(|side| side.max(0.0)));
    let inside = d[0].max(d[1]).max(d[2]).min(0.0);
    outside + inside - rounding
}

/// The smooth minimum of several distances.
fn blend(distances: &[f32], radius: f32) -> f32 {
    let mut result = f32::MAX;
    for &distance in distances {
        let h = (0.5 + 0.5 * (distance - result) / radius).clamp(0.0, 1.0);
        result = if result == f32::MAX {
            distance
        } else {
            mix(distance, result, h) - radius * h * (1.0 - h)
        };
    }
    result
}
