//! A vase with a wall as thin as a vase's, a crystal, and an icicle.

use crate::shape::Shape;
use crate::solids::lathe;
use crate::vector::mix;

/// Its outside from foot to rim: height and radius, metres.
const PROFILE: [[f32; 2]; 9] = [
    [0.00, 0.115],
    [0.03, 0.120],
    [0.06, 0.100],
    [0.20, 0.185],
    [0.38, 0.235],
    [0.52, 0.205],
    [0.64, 0.115],
    [0.70, 0.095],
    [0.78, 0.135],
];
const WALL: f32 = 0.014;
const SEGMENTS: u32 = 48;
/// Rows between two points of the profile.
const ROWS: usize = 5;

/// A vase, 0.78 m high, hollow and open above.
pub fn vase() -> Shape {
    let mut outside: Vec<[f32; 2]> = Vec::new();
    for step in 0..(PROFILE.len() - 1) * ROWS {
        outside.push(smooth(step as f32 / ROWS as f32));
    }
    outside.push(PROFILE[PROFILE.len() - 1]);
    let outer = outside.len();
    let inside = outside.iter().rev().filter(|[height, _]| *height > 0.05);
    let rows: Vec<[f32; 2]> = outside
        .iter()
        .copied()
        .chain(inside.map(|[height, radius]| [*height, radius - WALL]))
        .collect();
    let heights: Vec<f32> = rows.iter().map(|row| row[0]).collect();
    let mut shape = lathe(&heights, SEGMENTS, 0.8, |row, _| rows[row][1]);
    // One picture around, and one from rim to foot on either side of the wall.
    let per_row = SEGMENTS as usize * 2;
    for (index, uvs) in shape.uvs.iter_mut().enumerate() {
        let (row, segment) = (index / per_row, index % per_row / 2);
        if row + 1 >= rows.len() {
            *uvs = uvs.map(|_| [0.0, 0.9]);
            continue;
        }
        let corner = |s: usize, r: usize| {
            let shown = if r < outer {
                1.0 - heights[r] / 0.78
            } else {
                0.63
            };
            [s as f32 / SEGMENTS as f32 * 2.0, shown]
        };
        let [a, b, c, d] = [
            corner(segment, row),
            corner(segment + 1, row),
            corner(segment + 1, row + 1),
            corner(segment, row + 1),
        ];
        *uvs = if index % 2 == 0 { [a, b, c] } else { [a, c, d] };
    }
    shape
}

/// A curve through the profile (Catmull and Rom).
fn smooth(at: f32) -> [f32; 2] {
    let last = PROFILE.len() - 1;
    let k = (at as usize).min(last - 1);
    let t = at - k as f32;
    let p = |i: usize| PROFILE[i.min(last)];
    let (a, b, c, d) = (p(k.saturating_sub(1)), p(k), p(k + 1), p(k + 2));
    [0, 1].map(|i| {
        if i == 0 {
            return mix(b[0], c[0], t);
        }
        let (m, n) = ((c[i] - a[i]) * 0.5, (d[i] - b[i]) * 0.5);
        let (t2, t3) = (t * t, t * t * t);
        (2.0 * t3 - 3.0 * t2 + 1.0) * b[i]
            + (t3 - 2.0 * t2 + t) * m
            + (3.0 * t2 - 2.0 * t3) * c[i]
            + (t3 - t2) * n
    })
}

/// A six-sided crystal of 1.6 m with a slanted point.
pub fn crystal() -> Shape {
    let rows = [[0.0, 0.24], [0.25, 0.27], [1.15, 0.22], [1.52, 0.06]];
    let heights = rows.map(|row| row[0]);
    let mut shape = lathe(&heights, 6, 0.7, |row, angle| {
        rows[row][1] * (1.0 + 0.14 * (angle * 2.0 + 0.6).sin())
    });
    for point in &mut shape.points {
        if point[1] > 1.0 {
            point[1] += 0.35 * point[0];
        }
    }
    shape
}

/// An icicle, 1.3 m long, that hangs by a neck of 55 cm^2.
pub fn icicle() -> Shape {
    let rows = [
        [0.0, 0.012],
        [0.15, 0.035],
        [0.45, 0.075],
        [0.8, 0.115],
        [1.0, 0.12],
        [1.1, 0.085],
        [1.16, 0.042],
        [1.22, 0.042],
        [1.3, 0.09],
    ];
    let heights = rows.map(|row| row[0]);
    lathe(&heights, 24, 0.4, |row, _| rows[row][1])
}
