//! Sites of pictures: dark lines are cracks, or what is dark has small pieces.

use crate::stencil::line_regions::LineRegions;
use crate::stencil::picture::{nearest, Picture};
use crate::stencil::stencil_error::StencilError;
use glam::{DVec2, DVec3};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Most cells of a picture.
const MAX_CELLS: u32 = 2000;
/// Density of sites where a picture is white, in that where it is black.
const WHITE: f64 = 0.03;
/// Rounds in which sites are moved to the middle of their cells.
const ROUNDS: usize = 12;

/// Sites whose cells have borders along lines.
#[derive(Clone, Debug, PartialEq)]
pub struct LineSites {
    /// The sites, metres.
    pub sites: Vec<DVec3>,
    /// Share of the middles of the lines within 1.5 % of the picture's width of a border between cells of two regions.
    /// Lines that end within a region do not count.
    pub followed: f64,
    /// Number of regions between the lines; each has one cell or more.
    pub regions: usize,
}

impl Picture {
    /// Finds at most `cells` sites, 2,000 at most, whose cells have borders along the dark lines of the picture, which is
    /// `width` metres wide and lies in the plane y = 0, its top towards -z. Each region between lines has one cell where
    /// that will do, and more where its lines are bent. Takes a second for a picture of a hundred regions.
    ///
    /// # Errors
    /// [`StencilError`] if the lines part nothing.
    pub fn sites_of_lines(&self, width: f64, cells: u32) -> Result<LineSites, StencilError> {
        check_width(width)?;
        let most = cells.clamp(2, MAX_CELLS) as usize;
        let regions = LineRegions::new(self, most)?;
        let (sites, followed) = regions.sites(most);
        Ok(LineSites {
            sites: self.in_metres(&sites, width),
            followed,
            regions: regions.count(),
        })
    }

    /// Draws `cells` sites, 2 to 2,000, that are the denser the darker the picture is, which is `width` metres wide and
    /// lies in the plane y = 0, its top towards -z.
    ///
    /// # Errors
    /// [`StencilError::PictureWidth`].
    pub fn sites_of_darkness(
        &self,
        width: f64,
        cells: u32,
        seed: u64,
    ) -> Result<Vec<DVec3>, StencilError> {
        check_width(width)?;
        let cells = cells.clamp(2, MAX_CELLS);
        let density = |value: &f32| WHITE + (1.0 - WHITE) * (1.0 - f64::from(*value));
        let density: Vec<f64> = self.brightness.iter().map(density).collect();
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut sites = self.drawn(&density, cells, &mut random);
        // Middles by the square: cells in the middle of a gradient would else drift out of what is dark.
        let weights: Vec<f64> = density.iter().map(|value| value * value).collect();
        for _ in 0..ROUNDS {
            self.move_to_middles(&mut sites, &weights);
        }
        Ok(self.in_metres(&sites, width))
    }

    /// Draws sites by density, in pixels.
    fn drawn(&self, density: &[f64], cells: u32, random: &mut impl Rng) -> Vec<DVec2> {
        let mut sums = Vec::with_capacity(density.len());
        let mut total = 0.0;
        for value in density {
            total += value;
            sums.push(total);
        }
        // One in each equal share of the darkness: no clumps and no gaps.
        let share = total / f64::from(cells);
        let site = |cell: u32| {
            let wanted = share * (f64::from(cell) + random.random::<f64>());
            let pixel = sums
                .partition_point(|sum| *sum < wanted)
                .min(sums.len() - 1);
            let inside = DVec2::new(random.random(), random.random());
            DVec2::new((pixel % self.width) as f64, (pixel / self.width) as f64) + inside
        };
        (0..cells).map(site).collect()
    }

    fn move_to_middles(&self, sites: &mut [DVec2], weights: &[f64]) {
        let mut sums = vec![(DVec2::ZERO, 0.0); sites.len()];
        for (at, weight) in weights.iter().enumerate() {
            let pixel = self.middle_of(at);
            if let Some((sum, total)) = sums.get_mut(nearest(sites, pixel)) {
                *sum += *weight * pixel;
                *total += weight;
            }
        }
        for (site, (sum, total)) in sites.iter_mut().zip(sums) {
            if total > 0.0 {
                *site = sum / total;
            }
        }
    }
}

fn check_width(width: f64) -> Result<(), StencilError> {
    if width > 0.0 && width.is_finite() {
        Ok(())
    } else {
        Err(StencilError::PictureWidth { width })
    }
}
