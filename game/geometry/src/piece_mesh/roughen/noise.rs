//! Seeded vector noise: a smooth displacement for every point of space.

use crate::math::split_mix_64;
use glam::DVec3;

/// A displacement field of two octaves of value noise.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    /// By octave.
    seeds: [u64; 2],
    /// Distance between bumps, metres.
    grain: f64,
}

impl Noise {
    /// Noise with bumps at a distance in metres.
    pub fn new(seed: u64, grain: f64) -> Self {
        let seeds = [0, 0x9e37_79b9_7f4a_7c15].map(|octave| split_mix_64(seed ^ octave));
        Self { seeds, grain }
    }

    /// The displacement at a point, of length 1 at most: bumps, and on them bumps of half the size.
    pub fn at(&self, point: DVec3) -> DVec3 {
        let [coarse, fine] = self.corners(point).map(|corners| {
            let vectors = corners.map(|(state, weight)| vector(state) * weight);
            vectors.into_iter().sum::<DVec3>()
        });
        let sum = coarse + 0.5 * fine;
        sum / sum.length().max(1.0)
    }

    /// A height at a point, from -1 to 1: bumps of the same sizes, by one random number a corner in place of three.
    pub fn height_at(&self, point: DVec3) -> f64 {
        let [coarse, fine] = self.corners(point).map(|corners| {
            let numbers = corners.map(|(mut state, weight)| random(&mut state) * weight);
            numbers.into_iter().sum::<f64>()
        });
        (coarse + 0.5 * fine).clamp(-1.0, 1.0)
    }

    /// The corners around a point in the lattices of both octaves.
    fn corners(&self, point: DVec3) -> [[LatticeCorner; 8]; 2] {
        let [coarse, fine] = self.seeds;
        [
            corners(point / self.grain, coarse),
            corners(point / (0.5 * self.grain), fine),
        ]
    }
}

/// State of the random numbers at a corner of a lattice, and its share in a smooth interpolation.
type LatticeCorner = (u64, f64);

/// The corners around a point in a unit lattice.
fn corners(point: DVec3, seed: u64) -> [LatticeCorner; 8] {
    let corner = point.to_array().map(floor);
    let inside = point - DVec3::from_array(corner);
    let blend = inside * inside * (3.0 - 2.0 * inside);
    let weights = [1.0 - blend, blend];
    let mixed = |state: u64, axis: usize, step: usize| {
        split_mix_64(state ^ (corner[axis] + step as f64) as i64 as u64)
    };
    let along_x = [0, 1].map(|x| mixed(seed, 0, x));
    let along_y = [0, 1, 2, 3].map(|k| mixed(along_x[k & 1], 1, k >> 1));
    std::array::from_fn(|k| {
        let weight = weights[k & 1].x * weights[k >> 1 & 1].y * weights[k >> 2].z;
        (mixed(along_y[k & 3], 2, k >> 2), weight)
    })
}

/// A random vector in the box from -1 to 1.
fn vector(mut state: u64) -> DVec3 {
    let mut next = || random(&mut state);
    DVec3::new(next(), next(), next())
}

/// A random number from -1 to 1.
fn random(state: &mut u64) -> f64 {
    *state = split_mix_64(*state);
    (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// The largest whole number that is no larger: not that of the system, which is called as a function. What is too large for an
/// integer of 64 bits has no fraction.
fn floor(x: f64) -> f64 {
    if x.abs() >= 1e18 {
        return x;
    }
    let whole = x as i64 as f64;
    if whole > x {
        whole - 1.0
    } else {
        whole
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

    #[test]
    fn heights_are_the_vectors_first_numbers_before_these_are_brought_to_length_1() {
        let noise = Noise::new(7, 0.1);
        let mut shortened = 0;
        for k in 0..1000 {
            let at = DVec3::new(f64::from(k) * 0.013, f64::from(k % 37) * 0.02, -0.4);
            let (vector, height) = (noise.at(at), noise.height_at(at));
            if vector.length() < 1.0 - 1e-9 {
                assert!((height - vector.x).abs() < 1e-12, "{at}");
            } else {
                shortened += 1;
                assert!(height.abs() >= vector.x.abs() - 1e-12, "{at}");
                assert!(height * vector.x >= 0.0 && height.abs() <= 1.0, "{at}");
            }
        }
        assert!((1..500).contains(&shortened), "{shortened}");
    }
}
