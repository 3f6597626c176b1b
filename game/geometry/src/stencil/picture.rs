//! Pictures in grey.

use crate::stencil::stencil_error::StencilError;
use glam::{DVec2, DVec3};

/// Longest side that is looked at, pixels; larger pictures are made smaller. It trades how well lines are followed for time.
const MAX_SIDE: usize = 200;
/// Shortest side, pixels.
const MIN_SIDE: usize = 8;
/// Least difference between the darkest and the brightest pixel.
const CONTRAST: f32 = 0.05;

/// Picture in grey.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub(super) width: usize,
    pub(super) height: usize,
    /// By pixel, row by row from the top: 0 is the darkest, 1 the brightest of the picture.
    pub(super) brightness: Vec<f32>,
}

impl Picture {
    /// Makes a picture of brightnesses from 0 to 1, row by row from the top.
    ///
    /// # Errors
    /// [`StencilError::PictureSize`] or [`StencilError::OneColour`].
    pub fn new(width: usize, height: usize, brightness: &[f32]) -> Result<Self, StencilError> {
        let is_whole = width.checked_mul(height) == Some(brightness.len());
        if width.min(height) < MIN_SIDE || !is_whole {
            return Err(StencilError::PictureSize { width, height });
        }
        // A strip stays as high as it must be.
        let step = width.max(height).div_ceil(MAX_SIDE);
        let step = step.min(width.min(height) / MIN_SIDE);
        let (small_width, small_height) = (width / step, height / step);
        let mean = |at: usize| {
            let (x, y) = (at % small_width * step, at / small_width * step);
            let rows = (y..y + step).map(|y| y * width + x);
            let values = rows.flat_map(|from| brightness.get(from..from + step));
            let sum: f32 = values.flatten().sum();
            sum / (step * step) as f32
        };
        let small: Vec<f32> = (0..small_width * small_height).map(mean).collect();
        let darkest = small.iter().copied().fold(f32::INFINITY, f32::min);
        let brightest = small.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let contrast = brightest - darkest;
        if !(contrast.is_finite() && contrast >= CONTRAST) {
            return Err(StencilError::OneColour);
        }
        Ok(Self {
            width: small_width,
            height: small_height,
            brightness: small
                .iter()
                .map(|value| (value - darkest) / contrast)
                .collect(),
        })
    }

    /// The middle of a pixel.
    pub(super) fn middle_of(&self, pixel: usize) -> DVec2 {
        DVec2::new((pixel % self.width) as f64, (pixel / self.width) as f64) + 0.5
    }

    /// Maps sites from pixels to the plane y = 0.
    pub(super) fn in_metres(&self, sites: &[DVec2], width: f64) -> Vec<DVec3> {
        let size = DVec2::new(self.width as f64, self.height as f64);
        let pixel = width / size.x;
        let place = |site: &DVec2| (*site - 0.5 * size) * pixel;
        let sites = sites.iter().map(place);
        sites.map(|site| DVec3::new(site.x, 0.0, site.y)).collect()
    }
}

/// The number of the site nearest to a point; of equal ones the first.
pub(super) fn nearest(sites: &[DVec2], point: DVec2) -> usize {
    let mut best = (f64::INFINITY, 0);
    for (at, site) in sites.iter().enumerate() {
        let distance = site.distance_squared(point);
        if distance < best.0 {
            best = (distance, at);
        }
    }
    best.1
}
