//! Shape of a break: which cells around an impact belong to it.

use crate::pattern::between_shells;
use glam::DVec3;

/// The region around an impact whose cells break off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BreakShape {
    /// Cells whose sites lie within the radius, in object space.
    #[default]
    Ball,
    /// Cells of fibres along the pattern's y axis whose sites lie in a cylinder about it.
    Fibres(FibreShape),
    /// A crater about the pattern's y axis.
    Crater(CraterShape),
}

/// A cylinder of broken fibres. What has no other unit is in units of the pattern.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FibreShape {
    /// Metres of a unit of the pattern across the fibres.
    pub unit: f64,
    /// Radius of a break that takes the whole section, metres; a smaller one takes as much of it as its radius says.
    pub through: f64,
    /// Radius of the section.
    pub section: f64,
    /// Half of the height within which fibres break, at least and at most.
    pub heights: [f64; 2],
    /// How much that grows for each metre by which a break is larger than one that goes through.
    pub growth: f64,
}

impl FibreShape {
    fn has(&self, site: DVec3, radius: f64) -> bool {
        let DVec3 { x, y, z } = site;
        let across = if radius >= self.through {
            self.section
        } else {
            self.section.min(radius / self.unit)
        };
        let [least, most] = self.heights;
        let beyond = (radius - self.through).max(0.0);
        let along = (least + self.growth * beyond).min(most);
        x * x + z * z <= across * across && y.abs() <= along
    }
}

/// A crater: a bowl about the pattern's y axis of whole shells of cells, and in a body that it goes through a cone that widens
/// from the impact towards the back. So the hole is narrowest where they meet. A body that is narrower than the crater, as a
/// column is, breaks through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CraterShape {
    /// Metres of a unit of the pattern across the axis.
    pub across: f64,
    /// Metres of a unit of the pattern along it.
    pub along: f64,
    /// From the impact to the back of the body, metres; may be infinite.
    pub thickness: f64,
    /// Half of the width of the body across the axis where it is narrowest, metres; may be infinite.
    pub half_width: f64,
}

/// Radius of the sites of a bowl in radii of the break: faces between shells lean outwards to the whole of it.
const BOWL: f64 = 0.75;
/// The thickest body that a break goes through, in its radii.
const THROUGH: f64 = 0.5;
/// Radius of the cone, at the depth of the back, in radii of the break. A body whose half width is less is narrow, and breaks
/// as far on all sides.
const SCAB: f64 = 0.8;
/// Depth from which on the cone is no wider, in thicknesses of the body. Cells that are as far out and deeper have the back of
/// the body in their corners only, and would leave holes beside the crater.
const WIDEST: f64 = 0.7;
/// How far sites of the cone lie behind the impact at most, in thicknesses of the body: what is behind the body stays.
const BEHIND: f64 = 1.6;

impl CraterShape {
    fn has(&self, site: DVec3, radius: f64) -> bool {
        if site.length() <= between_shells(BOWL * radius / self.across) {
            return true;
        }
        let is_narrow = self.half_width <= SCAB * radius && self.thickness <= radius;
        let goes_through = is_narrow || self.thickness <= THROUGH * radius;
        let from_axis = (site.x * site.x + site.z * site.z).sqrt() * self.across;
        let depth = -site.y * self.along / self.thickness;
        let is_before_back = depth > 0.0 && depth <= BEHIND;
        let widening = if is_narrow { 1.0 } else { depth.min(WIDEST) };
        goes_through && is_before_back && from_axis <= SCAB * radius * widening
    }
}

/// A site, relative to the impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct SiteOffset {
    /// In object space, metres.
    pub object: DVec3,
    /// In pattern space.
    pub pattern: DVec3,
}

impl BreakShape {
    /// Whether all figures are in their ranges, as those of a file may not be.
    pub fn is_valid(&self) -> bool {
        let is_scale = |figure: f64| figure > 0.0 && figure.is_finite();
        match *self {
            Self::Ball => true,
            Self::Fibres(shape) => {
                let [least, most] = shape.heights;
                let others = [shape.through, shape.section, least, most, shape.growth];
                is_scale(shape.unit) && others.into_iter().all(|figure| figure >= 0.0)
            }
            Self::Crater(shape) => {
                let are_scales = is_scale(shape.across) && is_scale(shape.along);
                are_scales && shape.thickness >= 0.0 && shape.half_width >= 0.0
            }
        }
    }

    /// Whether a break of a radius (metres) has the cell of a site.
    pub(super) fn has(self, site: SiteOffset, radius: f64) -> bool {
        match self {
            Self::Ball => site.object.length_squared() <= radius * radius,
            Self::Fibres(shape) => shape.has(site.pattern, radius),
            Self::Crater(shape) => shape.has(site.pattern, radius),
        }
    }
}
