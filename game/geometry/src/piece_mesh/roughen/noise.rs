//! Seeded vector noise: a smooth displacement for every point of space.

use crate::math::split_mix_64;
use glam::DVec3;

/// A displacement field of two octaves of value noise.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    seed: u64,
    /// Distance between bumps, metres.
    grain: f64,
}

impl Noise {
    /// Noise with bumps at a distance in metres.
    pub fn new(seed: u64, grain: f64) -> Self {
        Self { seed, grain }
    }

    /// The displacement at a point, of length 1 at most: bumps, and on them bumps of half the size.
    pub fn at(&self, point: DVec3) -> DVec3 {
        let coarse = self.octave(point / self.grain, 0);
        let fine = self.octave(point / (0.5 * self.grain), 1);
        let sum = coarse + 0.5 * fine;
        sum / sum.length().max(1.0)
    }

    /// Random vectors at the corners of a unit lattice, interpolated smoothly.
    fn octave(&self, point: DVec3, octave: u64) -> DVec3 {
        let corner = point.floor();
        let inside = point - corner;
        let blend = inside * inside * (3.0 - 2.0 * inside);
        let mut sum = DVec3::ZERO;
        for k in 0..8u32 {
            let step = DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2));
            let factors = step * blend + (1.0 - step) * (1.0 - blend);
            let weight = factors.x * factors.y * factors.z;
            sum += self.vector(corner + step, octave) * weight;
        }
        sum
    }

    /// The vector at a corner of the lattice, in the box from -1 to 1.
    fn vector(&self, corner: DVec3, octave: u64) -> DVec3 {
        let mut state = split_mix_64(self.seed ^ octave.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for side in corner.to_array() {
            state = split_mix_64(state ^ side as i64 as u64);
        }
        let mut next = || {
            state = split_mix_64(state);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        DVec3::new(next(), next(), next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_bounded_smooth_and_seeded() {
        let noise = Noise::new(7, 0.1);
        let mut mean = DVec3::ZERO;
        for k in 0..1000 {
            let at = DVec3::new(f64::from(k) * 0.013, f64::from(k % 37) * 0.02, -0.4);
            let here = noise.at(at);
            assert!(here.length() <= 1.0 + 1e-12);
            let near = noise.at(at + DVec3::splat(1e-6));
            assert!((near - here).length() < 1e-3, "{at}");
            mean += here / 1000.0;
        }
        assert!(mean.length() < 0.2, "{mean}");
        let at = DVec3::new(0.03, 0.04, 0.05);
        assert_eq!(noise.at(at), Noise::new(7, 0.1).at(at));
        assert_ne!(noise.at(at), Noise::new(8, 0.1).at(at));
    }
}
