//! The sizes with which an object breaks as its fields say. Most others come of a model in another unit.

use crate::script::config::DestructibleConfig;
use fracture_geometry::{glam::DVec3, Solid};

/// Longest side of an object relative to the largest radius of its breaks. What a break takes out of a larger one
/// is too little to be cut exactly.
const LARGEST: f32 = 100.0;

/// The longest sides with which an object breaks as its fields say, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SizeRange {
    smallest: f32,
    largest: f32,
}

impl SizeRange {
    /// The range for a script's fields.
    pub fn new(config: &DestructibleConfig) -> Self {
        Self {
            smallest: config.lifespan().dust_size,
            largest: LARGEST * config.material().max_radius,
        }
    }

    /// A sentence about a solid that is too small or too large, with the remedy; `None` for others.
    pub fn advice(&self, solid: &Solid) -> Option<String> {
        let bounds = solid.bounds();
        self.advice_on(bounds.max - bounds.min)
    }

    /// The same about a box with these sides, metres.
    pub fn advice_on(&self, sides: DVec3) -> Option<String> {
        let longest = sides.max_element() as f32;
        let consequence = if longest < self.smallest {
            "all of its pieces become dust; scale its node or import the model in metres, or lower Becomes Dust Below \
             and Min Size if it is meant to be so small"
        } else if longest > self.largest {
            "breaks are lost in it; scale its node or import the model in metres, or divide it or raise Max \
             Radius if it is meant to be so large"
        } else {
            return None;
        };
        let (smallest, largest) = (self.smallest, self.largest);
        Some(format!(
            "its mesh is {} m large; objects of {smallest} m (its Becomes Dust Below) to {largest} m ({LARGEST} times its Max \
             Radius) break as they should: {consequence}",
            in_metres(sides)
        ))
    }
}

/// Writes the sides of a box with three digits each.
fn in_metres(sides: DVec3) -> String {
    let rounded = |side: f64| {
        let digits = 2.0 - side.abs().max(1e-12).log10().floor();
        let scale = 10f64.powf(digits);
        (side * scale).round() / scale
    };
    let [x, y, z] = sides.to_array().map(rounded);
    format!("{x} x {y} x {z}")
}
