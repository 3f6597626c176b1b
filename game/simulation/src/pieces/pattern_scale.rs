//! Scale of a pattern for a break: the same for all breaks that an object may take at a place, so that a
//! harder blow opens all the cracks of a weaker one.

use fracture_geometry::Aabb;
use glam::DVec3;

/// Unit of a pattern fitted to an impact, in radii of the largest break: large enough that cells within the
/// radius have neighbours beyond it, small enough that cells are small.
pub(super) const IMPACT_UNIT: f64 = 2.0;

/// Most octaves that a pattern is repeated: cells at the impact are then a few hundred grid steps large.
pub(super) const MAX_OCTAVES: u8 = 8;

/// Most times that cells are halved by energy beyond that which breaks the whole body.
pub(super) const MAX_HALVINGS: u8 = 3;

/// Radius of a break, and the range in which it lies for blows of any energy, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BreakRadius {
    /// The radius of this break.
    pub metres: f64,
    /// The radius of the weakest blow.
    pub smallest: f64,
    /// The radius of the hardest blow.
    pub largest: f64,
}

impl BreakRadius {
    /// A radius that somebody has typed: it does not depend on the energy.
    pub fn typed(metres: f64) -> Self {
        Self {
            metres,
            smallest: metres,
            largest: metres,
        }
    }
}

/// Scale of a pattern for the breaks of a body at a place.
///
/// The cells lie where they lie for blows of any energy. A break of some middle radius has as many cells as
/// the pattern says; smaller ones have fewer, and larger ones have more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PatternScale {
    /// Length of the pattern's unit, metres.
    pub unit: f64,
    /// How many times the pattern is repeated towards the impact.
    pub octaves: u8,
    /// How many times cells may be halved: once for each time that the radius is twice what there is of the
    /// body.
    pub halvings: u8,
}

impl PatternScale {
    /// The radius of a break that has as many cells as the pattern says, metres.
    pub fn middle_radius(self) -> f64 {
        self.unit / IMPACT_UNIT / f64::from(1_u32 << self.octaves)
    }

    /// The scale for a break of a body that extends so far from the impact, metres.
    pub fn new(radius: BreakRadius, extent: f64) -> Self {
        let smallest = radius.smallest.min(extent);
        let largest = radius.largest.min(extent).max(smallest);
        let mut core = core_radius(smallest, largest);
        let mut octaves = 0;
        // A little less, so that rounding does not add an octave.
        while core < 0.999 * largest && octaves < MAX_OCTAVES {
            core *= 2.0;
            octaves += 1;
        }
        let mut beyond = 2.0 * extent.max(radius.smallest);
        let mut halvings = 0;
        while beyond <= radius.metres && halvings < MAX_HALVINGS {
            beyond *= 2.0;
            halvings += 1;
        }
        Self {
            unit: IMPACT_UNIT * core,
            octaves,
            halvings,
        }
    }
}

/// Radius of the break that has as many cells as the pattern says: the mean of the smallest and the
/// largest, by factors. Nearer to the smallest would make many pieces of all but weak blows, nearer to
/// the largest few.
fn core_radius(smallest: f64, largest: f64) -> f64 {
    if smallest < largest {
        (smallest * largest).sqrt()
    } else {
        smallest // exactly as it was typed
    }
}

/// Distance from a point to the farthest corner of a box.
pub(super) fn extent_from(point: DVec3, bounds: Aabb) -> f64 {
    let [low, high] = bounds.corners();
    let farthest = (point - low).abs().max((high - point).abs());
    farthest.length().max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A radius between a tenth of a metre and two metres.
    fn usual(metres: f64) -> BreakRadius {
        BreakRadius {
            metres,
            smallest: 0.1,
            largest: 2.0,
        }
    }

    #[test]
    fn a_typed_radius_scales_the_pattern_up_to_the_body() {
        for radius in [0.05, 0.3, 1.0] {
            let scale = PatternScale::new(BreakRadius::typed(radius), 1.0);
            assert_eq!((scale.unit, scale.octaves), (2.0 * radius, 0));
        }
        let past = PatternScale::new(BreakRadius::typed(30.0), 1.0);
        assert_eq!((past.unit, past.octaves, past.halvings), (2.0, 0, 0));
    }

    #[test]
    fn all_energies_share_a_scale() {
        for extent in [0.02, 0.3, 1.0, 50.0] {
            let first = PatternScale::new(usual(0.1), extent);
            assert!(first.unit >= 1.99 * extent.min(2.0));
            for metres in [0.2, 0.7, 2.0] {
                let scale = PatternScale::new(usual(metres), extent);
                assert_eq!((scale.unit, scale.octaves), (first.unit, first.octaves));
            }
        }
    }

    #[test]
    fn cells_are_halved_beyond_the_body() {
        let halvings = |metres, extent| PatternScale::new(usual(metres), extent).halvings;
        assert_eq!(halvings(0.5, 0.3), 0);
        assert_eq!(halvings(0.6, 0.3), 1);
        assert_eq!(halvings(2.0, 0.3), 2);
        assert_eq!(halvings(2.0, 0.001), 3);
        assert_eq!(halvings(2.0, 5.0), 0);
    }
}
