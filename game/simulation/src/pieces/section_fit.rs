//! Placement of fibres: on the section of a body across its grain at an impact, or, of a blow on the end of the grain,
//! along the whole body.

use fracture_geometry::{BreakShape, FibreShape, Placement, Solid};
use glam::{DMat3, DVec3};

/// Cosine of the angle between the normal and the grain from which a blow is one on the end.
const END: f64 = 0.7;

/// Distance from the impact up to which fibres are broken, in units of the pattern: those beyond bound them.
const REACH: f64 = 0.88;
/// Unit of the pattern in widths and depths of a section, so that its farthest corner is within reach.
const UNIT: f64 = 2.2;
/// The same, of a split along the grain, which makes few and thick pieces.
const SPLIT_UNIT: f64 = 12.0;
/// Most that a fibre is wider than deep, or deeper than wide.
const MAX_FLATNESS: f64 = 3.0;

/// Half of the height within which sites are those of broken cells, in layers: that of the inner ones.
const INNER: f64 = 0.15;
/// The same for the hardest blow, which breaks some of their neighbours, too.
const OUTER: f64 = 0.45;
/// Length of a layer of a split in diagonals of the body: the inner cells reach out of it at both ends.
const SPLIT_LAYER: f64 = 40.0;

/// Share of the way through a body at which the section of its end is measured.
const END_SECTION: f64 = 0.1;

/// A pattern that is laid on a body for a break.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LaidPattern {
    /// Where it lies.
    pub placement: Placement,
    /// Which of its cells break off.
    pub shape: BreakShape,
}

/// A blow on a body with a grain.
pub(super) struct GrainBlow<'a> {
    pub solid: &'a Solid,
    /// Unit vector along the grain.
    pub grain: DVec3,
    pub point: DVec3,
    /// Outward normal, unit vector.
    pub normal: DVec3,
    /// Turn of the pattern about the grain, radians.
    pub spin: f64,
}

/// The fibres of a pattern.
pub(super) struct Fibres {
    /// Scale along the pattern's own axes.
    pub stretch: DVec3,
    /// Height of a layer of cells, pattern units.
    pub layer: f64,
}

/// Section of a body across its grain, as seen from the impact.
struct Section {
    /// Unit vectors across the grain: sideways, and into the body.
    side: DVec3,
    inward: DVec3,
    /// Distance from the impact to the farther side, metres.
    width: f64,
    /// Distance to the back, metres.
    depth: f64,
}

impl GrainBlow<'_> {
    /// The placement of fibres, and which of them break.
    pub fn lay(&self, fibres: &Fibres) -> LaidPattern {
        if self.normal.dot(self.grain).abs() > END {
            self.split(fibres)
        } else {
            self.snap(fibres)
        }
    }

    /// A blow across the grain. One that reaches through breaks the whole section, a weaker one what is before it.
    fn snap(&self, fibres: &Fibres) -> LaidPattern {
        let across = self.normal - self.grain * self.normal.dot(self.grain);
        let section = self.section(-across.normalize_or(self.grain.any_orthonormal_vector()));
        let [side, inward] = units([section.width, section.depth].map(|length| UNIT * length));
        let along = (side * inward).sqrt();
        let layer = along * fibres.stretch.y * fibres.layer;
        let shape = FibreShape {
            unit: side.max(inward),
            through: section.depth,
            section: REACH,
            heights: [INNER, OUTER].map(|layers| layers * fibres.layer),
            growth: 0.5 * fibres.layer / layer,
        };
        self.laid(&section, DVec3::new(side, along, inward), fibres, shape)
    }

    /// A blow on the end of the grain, which splits the body along it, from end to end.
    fn split(&self, fibres: &Fibres) -> LaidPattern {
        let length = self.way_out(self.point, -self.normal);
        let within = self.point - self.normal * (END_SECTION * length);
        let section = self.end_section(within);
        let [side, inward] =
            units([section.width, section.depth].map(|length| SPLIT_UNIT * length));
        let layer = fibres.stretch.y * fibres.layer;
        let along = SPLIT_LAYER * self.solid.bounds().diagonal() / layer;
        let shape = FibreShape {
            unit: side.max(inward),
            through: f64::INFINITY,
            section: REACH,
            heights: [INNER * fibres.layer; 2],
            growth: 0.0,
        };
        self.laid(&section, DVec3::new(side, along, inward), fibres, shape)
    }

    fn laid(
        &self,
        section: &Section,
        scale: DVec3,
        fibres: &Fibres,
        shape: FibreShape,
    ) -> LaidPattern {
        let axes = DMat3::from_cols(section.side, self.grain, section.inward);
        let spin = Placement::at_impact(DVec3::ZERO, DVec3::Y, self.spin, 1.0).linear;
        let stretch = DMat3::from_diagonal(fibres.stretch);
        let placement = Placement {
            linear: axes * DMat3::from_diagonal(scale) * spin * stretch,
            translation: self.point,
        };
        LaidPattern {
            placement,
            shape: BreakShape::Fibres(shape),
        }
    }

    /// The section that a blow across the grain meets.
    fn section(&self, inward: DVec3) -> Section {
        let side = self.grain.cross(inward);
        let depth = self.way_out(self.point, inward);
        let middle = self.point + inward * (0.5 * depth);
        Section {
            side,
            inward,
            width: self.farther(middle, side),
            depth,
        }
    }

    /// The section around a point near the end.
    fn end_section(&self, middle: DVec3) -> Section {
        let inward = self.grain.any_orthonormal_vector();
        let side = self.grain.cross(inward);
        Section {
            side,
            inward,
            width: self.farther(middle, side),
            depth: self.farther(middle, inward),
        }
    }

    /// The longer one of the two ways out along an axis.
    fn farther(&self, point: DVec3, axis: DVec3) -> f64 {
        self.way_out(point, axis).max(self.way_out(point, -axis))
    }

    /// Distance to where a ray leaves the body; where it does not, because its collider is off its mesh or the mesh is
    /// open, that of its box.
    fn way_out(&self, point: DVec3, direction: DVec3) -> f64 {
        let box_length = || self.solid.bounds().extents().dot(direction.abs());
        let distance = self.solid.way_out(point, direction);
        distance.unwrap_or_else(box_length).max(f64::MIN_POSITIVE)
    }
}

/// Units of a pattern across the grain, of which none is much shorter than the other.
fn units([side, inward]: [f64; 2]) -> [f64; 2] {
    [
        side.max(inward / MAX_FLATNESS),
        inward.max(side / MAX_FLATNESS),
    ]
}
