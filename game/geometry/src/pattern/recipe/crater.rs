//! Sites of a crater: shells around the impact, every other one twice as large.
//!
//! The sites of a shell lie within a cone about the axis into the body. So where a shell comes to the surface its faces lean
//! outwards, and what breaks out is wider in front than inside; faces between neighbours of a shell point at the impact, and
//! what breaks out at the back is a part of a cone.

use super::scattered::{in_box, GOLDEN_ANGLE};
use glam::DVec3;
use rand::Rng;
use rand_pcg::Pcg64Mcg;
use std::f64::consts::TAU;

/// Shells around the cell at the impact. The outermost lies where patterns are repeated for larger breaks, so that
/// repetitions continue the shells.
pub const SHELLS: u32 = 6;
/// How much larger a shell is than the next one, as a power of two. A whole number of shells doubles the radius.
const STEP: f64 = 0.5;
/// Cosine of the angle between the axis and the sites of a shell, at most.
const CONE: f64 = 0.42;
/// Sites in the body for each outside, which keep cells from reaching on into what is before the surface.
const INSIDE: u32 = 3;
/// Largest jitter along a shell and across it, in distances of its sites and of shells.
const JITTER: [f64; 2] = [0.35, 0.7];

/// Number of cells of a shell.
pub fn per_shell(cells: u32) -> u32 {
    (cells.saturating_sub(1) / SHELLS).max(INSIDE + 1)
}

/// The radius between two shells that is nearest to a radius, by factors. A break whose bowl ends there takes whole
/// shells: in the middle of a shell it would take every other of its cells, and its rim would be a star.
pub fn between_shells(radius: f64) -> f64 {
    libm::exp2(STEP * libm::round(libm::log2(radius) / STEP))
}

/// The sites: one at the impact and those of the shells, whose radii are powers of a half.
pub fn sites(cells: u32, jitter: f64, random: &mut Pcg64Mcg) -> Vec<DVec3> {
    let count = per_shell(cells);
    let outside = count / (INSIDE + 1);
    let mut sites = vec![DVec3::ZERO];
    for shell in 0..SHELLS {
        for (count, side) in [(count - outside, -1.0), (outside, 1.0)] {
            let start = random.random_range(0.0..TAU);
            // Both caps have an area of pi in the unit sphere.
            let stray = JITTER[0] * jitter * (0.5 * TAU / f64::from(count)).sqrt();
            for site in 0..count {
                let height = 1.0 - (1.0 - CONE) * (f64::from(site) + 0.5) / f64::from(count);
                let (sin, cos) = libm::sincos(start + GOLDEN_ANGLE * f64::from(site));
                let across = (1.0 - height * height).sqrt();
                let even = DVec3::new(across * cos, side * height, across * sin);
                let direction = (even + in_box(random) * stray).normalize_or(even);
                let stray = JITTER[1] * jitter * random.random_range(-0.5..0.5);
                let steps = f64::from(shell) + 0.5 + stray;
                sites.push(direction * libm::exp2(-STEP * steps));
            }
        }
    }
    sites
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn between_shells_all_cells_of_a_shell_are_on_one_side() {
        let cells = 60;
        for seed in 0..12 {
            let sites = sites(cells, 1.0, &mut Pcg64Mcg::seed_from_u64(seed));
            for radius in [0.13, 0.2, 0.3, 0.55, 0.7, 0.9] {
                let border = between_shells(radius);
                assert!((0.84..1.19).contains(&(border / radius)), "{radius}");
                let within = sites.iter().filter(|site| site.length() < border).count();
                assert_eq!(within as u32 % per_shell(cells), 1, "seed {seed}, {radius}");
            }
        }
    }
}
