//! How sites are drawn: seeded, and the same on every platform.

use crate::error::PatternError;
use glam::DVec3;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A way to draw sites in pattern space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recipe {
    /// Evenly spread over the box from -1 to 1.
    Uniform {
        /// How many cells.
        cells: u32,
    },
    /// Around the origin, which comes to lie on the impact: distances are `u^falloff` of a uniform
    /// `u`, so that the density of cells falls with distance; the ball of radius 1.
    Clustered {
        /// How many cells.
        cells: u32,
        /// Exponent of the radial fall-off: 1/3 is uniform in the ball, 1 falls with the square of
        /// the distance, larger packs the cells closer around the impact. From 0.1 to 8.
        falloff: f64,
    },
}

impl Recipe {
    /// The number of cells asked for.
    pub fn cells(&self) -> u32 {
        match *self {
            Self::Uniform { cells } | Self::Clustered { cells, .. } => cells,
        }
    }

    /// Draws the sites.
    ///
    /// # Errors
    /// [`PatternError::TooManySites`] and [`PatternError::Parameter`] when a parameter is out of
    /// its range; too few cells are found when the pattern is built.
    pub fn sites(&self, seed: u64) -> Result<Vec<DVec3>, PatternError> {
        super::check_count(self.cells() as usize)?;
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        match *self {
            Self::Uniform { cells } => Ok((0..cells).map(|_| in_box(&mut random)).collect()),
            Self::Clustered { cells, falloff } => {
                if !(0.1..=8.0).contains(&falloff) {
                    return Err(PatternError::Parameter {
                        parameter: "falloff",
                        value: falloff,
                        range: "from 0.1 to 8",
                    });
                }
                let draw = |random: &mut Pcg64Mcg| {
                    let radius = libm::pow(random.random::<f64>(), falloff);
                    on_sphere(random) * radius
                };
                Ok((0..cells).map(|_| draw(&mut random)).collect())
            }
        }
    }
}

fn in_box(random: &mut Pcg64Mcg) -> DVec3 {
    let mut next = || random.random_range(-1.0..1.0);
    DVec3::new(next(), next(), next())
}

/// A direction without sine or cosine: a point of the ball, drawn by rejection, pushed out.
fn on_sphere(random: &mut Pcg64Mcg) -> DVec3 {
    loop {
        let p = in_box(random);
        let square = p.length_squared();
        if square > 1e-6 && square <= 1.0 {
            return p / square.sqrt();
        }
    }
}
