//! Shape of a break: which cells around an impact belong to it.

use glam::DVec3;

/// The region around an impact whose cells break off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BreakShape {
    /// Cells whose sites lie within the radius, in object space.
    #[default]
    Ball,
    /// Cells of fibres along the pattern's y axis whose sites lie in a cylinder about it.
    Fibres(FibreShape),
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

/// A site, relative to the impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct SiteOffset {
    /// In object space, metres.
    pub object: DVec3,
    /// In pattern space.
    pub pattern: DVec3,
}

impl BreakShape {
    /// Whether a break of a radius (metres) has the cell of a site.
    pub(super) fn has(self, site: SiteOffset, radius: f64) -> bool {
        match self {
            Self::Ball => site.object.length_squared() <= radius * radius,
            Self::Fibres(shape) => shape.has(site.pattern, radius),
        }
    }
}
