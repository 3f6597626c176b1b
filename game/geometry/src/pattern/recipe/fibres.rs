//! Sites of fibres: columns of cells along y, each of them broken across at a height of its own.

use super::scattered::GOLDEN_ANGLE;
use glam::DVec3;
use rand::Rng;
use rand_pcg::Pcg64Mcg;
use std::f64::consts::PI;

/// Cells of a fibre: the inner one, and two on both sides.
pub const LAYERS: u32 = 5;
/// How far the site of an inner cell is from the plane y = 0, at most, in spacings.
const STRAY: f64 = 0.12;
/// Distance between neighbouring sites of a fibre, in spacings. The least is more than twice the stray: so any point of
/// the plane is nearer to the inner site of its own fibre than to a site beyond it of any other.
const STEPS: [f64; 2] = [0.3, 2.5];
/// How far a fibre is shifted at random, in spacings.
const JITTER: f64 = 0.7;

/// Number of fibres.
pub fn columns(cells: u32) -> u32 {
    (cells / LAYERS).max(1)
}

/// Mean distance between fibres in the unit disc.
pub fn spacing(cells: u32) -> f64 {
    (PI / f64::from(columns(cells))).sqrt()
}

/// The sites of fibres in the unit disc.
pub fn sites(cells: u32, falloff: f64, random: &mut Pcg64Mcg) -> Vec<DVec3> {
    let (columns, spacing) = (columns(cells), spacing(cells));
    let mut sites = Vec::new();
    for column in 0..columns {
        let share = (f64::from(column) + 0.5) / f64::from(columns);
        let radius = libm::pow(share, falloff);
        let (sin, cos) = libm::sincos(GOLDEN_ANGLE * f64::from(column));
        let mut between = |low: f64, high: f64| spacing * random.random_range(low..high);
        let x = radius * cos + between(-0.5, 0.5) * JITTER * radius;
        let z = radius * sin + between(-0.5, 0.5) * JITTER * radius;
        let inner = between(-STRAY, STRAY);
        sites.push(DVec3::new(x, inner, z));
        for side in [-1.0, 1.0] {
            let mut y = inner;
            for _ in 0..LAYERS / 2 {
                y += side * between(STEPS[0], STEPS[1]);
                sites.push(DVec3::new(x, y, z));
            }
        }
    }
    sites
}
