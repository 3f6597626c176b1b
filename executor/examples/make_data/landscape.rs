//! Landscape around the scenes: hills, fields and trees, for looks only.

use crate::noise::{fractal, hash};
use crate::shape::Shape;
use crate::vector::{mix, Vec3};
use std::f32::consts::TAU;

/// Distances of the rings of the land, metres. The paved ground hides the first.
const RINGS: &[f32] = &[
    20.0, 29.0, 38.0, 46.0, 55.0, 66.0, 79.0, 95.0, 114.0, 137.0, 165.0, 198.0,
];
/// Corners of a ring.
const AROUND: usize = 120;
/// How far the land lies below the paved ground where they meet, metres.
const STEP: f32 = 0.35;
const TREES: i32 = 170;
/// Materials after that of the fields; what is far is paler.
const NEAR_LEAVES: u8 = 1;
const FAR_LEAVES: u8 = 2;
/// Where far begins, metres.
const FAR: f32 = 78.0;
/// Points of a tree around and upwards.
const TREE: [usize; 2] = [9, 7];

/// The land, with fields whose texture goes from grass to haze with the distance, and trees on it.
pub fn land() -> Shape {
    let mut shape = Shape::default();
    for (row, distance) in RINGS.iter().enumerate() {
        for k in 0..AROUND {
            let way = k as f32 / AROUND as f32;
            let (sin, cos) = (way * TAU).sin_cos();
            let height = height(way, *distance);
            shape.point([distance * cos, height, distance * sin]);
        }
        if row > 0 {
            strip(&mut shape, row);
        }
    }
    for material in [NEAR_LEAVES, FAR_LEAVES] {
        let painted = shape.triangles.len();
        for number in 0..TREES {
            tree(&mut shape, number, material);
        }
        shape.paint(painted, material);
    }
    shape
}

/// The quads between a ring and the one before it.
fn strip(shape: &mut Shape, row: usize) {
    let last = (RINGS.len() - 1) as f32;
    // Nearer rings show more of the texture.
    let far = |row: usize| 0.02 + 0.95 * (row as f32 / last).powf(0.8);
    for k in 0..AROUND {
        let id = |row: usize, k: usize| (row * AROUND + k % AROUND) as u32;
        let [left, right] = [k, k + 1].map(|k| 6.0 * k as f32 / AROUND as f32);
        let (near, next) = (far(row - 1), far(row));
        shape.quad(
            [
                id(row - 1, k),
                id(row - 1, k + 1),
                id(row, k + 1),
                id(row, k),
            ],
            [[left, near], [right, near], [right, next], [left, next]],
        );
    }
}

/// Height of the land in a direction, from 0 to 1, at a distance.
fn height(way: f32, distance: f32) -> f32 {
    let rise = ((distance - 36.0) / 120.0).clamp(0.0, 1.0);
    let hills = fractal(way, distance / 260.0, 6, 3, 131);
    let swell = 1.1 * (fractal(way, distance / 90.0, 14, 2, 132) - 0.5);
    rise * rise * (3.0 - 2.0 * rise) * (34.0 * hills - 7.0) + swell * rise.min(0.3) - STEP
}

/// Height of the land as it is drawn, between two rings.
fn ground(way: f32, distance: f32) -> f32 {
    let beyond = RINGS.partition_point(|ring| *ring < distance);
    let [near, far] = [beyond.saturating_sub(1), beyond].map(|row| RINGS[row.min(RINGS.len() - 1)]);
    let at = (distance - near) / (far - near).max(1.0);
    mix(height(way, near), height(way, far), at)
}

/// A slender cypress or a round tree, somewhere, if it is to have that material.
fn tree(shape: &mut Shape, number: i32, material: u8) {
    let chance = |what: u32| hash(number, number / 7, 140 + what);
    let distance = mix(46.0, 135.0, chance(0));
    if (distance > FAR) != (material == FAR_LEAVES) {
        return;
    }
    // They stand in groves.
    let way = (chance(1) * 9.0).floor() / 9.0 + 0.07 * chance(2);
    let way = way.fract();
    let slender = chance(3) < 0.55;
    let size = mix(0.8, 1.3, chance(4));
    let [wide, high] = if slender { [0.75, 6.5] } else { [2.3, 4.2] }.map(|side| side * size);
    let (sin, cos) = (way * TAU).sin_cos();
    let foot = [distance * cos, ground(way, distance), distance * sin];
    crown(shape, number, foot, [wide, high], slender);
}

/// A crown: rings of points around a stem, uneven as leaves are, with a point at each end.
fn crown(shape: &mut Shape, number: i32, foot: Vec3, [wide, high]: [f32; 2], slender: bool) {
    let [around, up] = TREE;
    let first = shape.points.len() as u32;
    for row in 0..=up {
        // It stands in the grass.
        let at = mix(0.12, 1.0, row as f32 / up as f32);
        let bulge = (at * std::f32::consts::PI).sin().max(0.0);
        // A cypress is widest low down.
        let bulge = if slender {
            bulge.powf(0.7) * (1.25 - 0.8 * at)
        } else {
            bulge.powf(0.6)
        };
        for k in 0..around {
            let uneven = mix(0.8, 1.12, hash(row as i32 * 31 + k as i32, number, 150));
            let (sin, cos) = (k as f32 / around as f32 * TAU).sin_cos();
            let radius = wide * bulge * uneven;
            shape.point([
                foot[0] + radius * cos,
                foot[1] + (at - 0.16) * high,
                foot[2] + radius * sin,
            ]);
        }
    }
    for row in 0..up {
        for k in 0..around {
            let id = |row: usize, k: usize| first + (row * around + k % around) as u32;
            let [u, v] = [k as f32 / 3.0, row as f32 / 3.0];
            let [u1, v1] = [u + 1.0 / 3.0, v + 1.0 / 3.0];
            shape.quad(
                [
                    id(row, k),
                    id(row + 1, k),
                    id(row + 1, k + 1),
                    id(row, k + 1),
                ],
                [[u, v], [u, v1], [u1, v1], [u1, v]],
            );
        }
    }
}

/// Fields, from near at v = 0 to far at v = 1: low colours are grass, high ones haze.
pub fn fields(u: f32, v: f32) -> f32 {
    let (edge, tone) = crate::noise::cells(u, v, 7, 161);
    let grass = 0.14 * tone + 0.16 * fractal(u, v, 24, 4, 162) + 0.07 * fractal(u, v, 128, 2, 163);
    // Hedges between fields.
    let hedge = if edge > 0.62 { 0.08 } else { 0.0 };
    let near = (grass - hedge).max(0.0);
    mix(
        near,
        0.62 + 0.38 * v,
        (v * 1.25 - 0.12).clamp(0.0, 1.0).powf(0.8),
    )
}

/// Leaves.
pub fn leaves(u: f32, v: f32) -> f32 {
    let (leaf, tone) = crate::noise::cells(u, v, 26, 171);
    0.7 * (1.0 - leaf) * (0.5 + 0.5 * tone) + 0.3 * fractal(u, v, 6, 3, 172)
}
