//! Tileable noise from an integer hash.

use crate::vector::mix;

/// A number in 0..1 from a lattice point and a seed.
pub fn hash(x: i32, y: i32, seed: u32) -> f32 {
    let mut h = (x as u32)
        .wrapping_mul(0x85eb_ca6b)
        .wrapping_add((y as u32).wrapping_mul(0xc2b2_ae35))
        .wrapping_add(seed.wrapping_mul(0x27d4_eb2f));
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    ((h ^ (h >> 15)) >> 8) as f32 / 16_777_216.0
}

/// Value noise of so many lattice points across the unit square either way; wraps.
fn value(u: f32, v: f32, [across, along]: [i32; 2], seed: u32) -> f32 {
    let (x, y) = (u * across as f32, v * along as f32);
    let (ix, iy) = (x.floor() as i32, y.floor() as i32);
    let ease = |t: f32| t * t * (3.0 - 2.0 * t);
    let (fx, fy) = (ease(x - x.floor()), ease(y - y.floor()));
    let at = |dx: i32, dy: i32| {
        hash(
            (ix + dx).rem_euclid(across),
            (iy + dy).rem_euclid(along),
            seed,
        )
    };
    let low = mix(at(0, 0), at(1, 0), fx);
    let high = mix(at(0, 1), at(1, 1), fx);
    mix(low, high, fy)
}

/// Octaves of value noise, each of twice the frequency and half the strength; in 0..1.
pub fn fractal(u: f32, v: f32, period: i32, octaves: u32, seed: u32) -> f32 {
    stretched(u, v, [period; 2], octaves, seed)
}

/// As [`fractal`], with another number of lattice points along u than along v.
pub fn stretched(u: f32, v: f32, periods: [i32; 2], octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut total, mut strength) = (0.0, 0.0, 1.0);
    for octave in 0..octaves {
        sum += strength * value(u, v, periods.map(|period| period << octave), seed + octave);
        total += strength;
        strength *= 0.5;
    }
    sum / total
}

/// The distance to the nearest of one random point a lattice cell, in cells, and that point's
/// own random number.
pub fn cells(u: f32, v: f32, period: i32, seed: u32) -> (f32, f32) {
    let (x, y) = (u * period as f32, v * period as f32);
    let (ix, iy) = (x.floor() as i32, y.floor() as i32);
    let mut best = (f32::MAX, 0.0);
    for dy in -1..=1 {
        for dx in -1..=1 {
            let (cx, cy) = (ix + dx, iy + dy);
            let (wx, wy) = (cx.rem_euclid(period), cy.rem_euclid(period));
            let px = cx as f32 + hash(wx, wy, seed) - x;
            let py = cy as f32 + hash(wx, wy, seed + 100) - y;
            let distance = (px * px + py * py).sqrt();
            if distance < best.0 {
                best = (distance, hash(wx, wy, seed + 200));
            }
        }
    }
    best
}
