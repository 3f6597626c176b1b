//! Placement of a pattern on a body for an impact.

use fracture_geometry::{BreakShape, CraterShape, Placement, Solid};
use glam::{DMat3, DVec3};

use super::pattern_scale::IMPACT_UNIT;
use super::section_fit::{Fibres, GrainBlow, LaidPattern};

/// Depth of a crater in radii, at least and at most.
const CRATER_FLATNESS: [f64; 2] = [0.15, 0.6];

/// Depth of a crater of the middle radius in thicknesses of the body: so much that the cone at the back begins within it.
const CRATER_DEPTH: f64 = 0.6;

/// How a pattern is scaled, turned and placed for an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatternFit {
    /// Position of the pattern's origin.
    pub origin: PatternOrigin,
    /// Directions of its axes.
    pub axes: PatternAxes,
    /// Length of its unit.
    pub unit: PatternUnit,
    /// Scale along the pattern's own axes, for long and flat cells.
    pub stretch: DVec3,
}

/// Position of a pattern's origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PatternOrigin {
    /// At the impact point.
    Impact,
    /// At the centre of the body's box: cells do not depend on where the impact is.
    Center,
    /// At the body's origin.
    Body,
    /// At the impact point, rounded to a whole number of these steps (in the pattern's own space) from
    /// the body's origin: joints, as of brickwork, do not depend on where the impact is.
    Lattice(DVec3),
}

/// Directions of a pattern's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PatternAxes {
    /// y along the impact normal, with a seeded spin about it: no two breaks look the same.
    Normal,
    /// The body's axes, turned so that y lies along this axis.
    Body(BodyAxis),
    /// As [`PatternAxes::Body`], with a seeded spin about the axis.
    Grain(BodyAxis),
}

impl PatternAxes {
    /// The axis of the grain; y of patterns without one.
    pub(crate) fn grain(self) -> BodyAxis {
        match self {
            Self::Grain(axis) => axis,
            Self::Normal | Self::Body(_) => BodyAxis::Y,
        }
    }
}

/// An impact on which a pattern is laid, in body space.
pub(super) struct PatternImpact {
    pub point: DVec3,
    /// Outward normal.
    pub normal: DVec3,
    /// Radians.
    pub spin: f64,
    /// Length of the unit of patterns that are laid at the impact, metres.
    pub unit: f64,
    /// The middle of the radii of breaks there, metres.
    pub middle_radius: f64,
}

/// An axis of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyAxis {
    /// The x axis.
    X,
    /// The y axis.
    #[default]
    Y,
    /// The z axis.
    Z,
    /// The direction in which the body is longest; where it is as long in several, y or else x. Pieces have that of the
    /// body, but for members with a length of their own: see [`Solid::long_frame`].
    Longest,
}

/// Length of a pattern's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PatternUnit {
    /// The largest break of the body twice over, with the cells repeated towards the impact for the smaller
    /// ones: see [`BreakRadius`](super::BreakRadius).
    Radius,
    /// Half the diagonal of the body's box: the unit ball encloses it.
    Body,
    /// Half the sides of the body's box, each axis by itself: the box from -1 to 1 becomes the body's.
    Sides,
    /// Metres.
    Metres(f64),
    /// The section of the body across the pattern's y axis at the impact, for fibres: a blow from the side breaks them
    /// across, one on their end splits the body along them. Has the height of a layer of cells, in pattern units. Goes
    /// with [`PatternAxes::Grain`]; with others it is as [`PatternUnit::Radius`].
    Section(f64),
    /// As [`PatternUnit::Radius`], for craters: flatter than wide, and the more so the thinner the body is.
    Crater,
}

impl Default for PatternFit {
    /// [`PatternFit::IMPACT`].
    fn default() -> Self {
        Self::IMPACT
    }
}

impl PatternFit {
    /// For clustered patterns: origin at the impact, and cells that are as much larger as they are
    /// farther away. The cells within the radius are bounded by others, and the rest of the body stays one
    /// piece.
    pub const IMPACT: Self = Self {
        origin: PatternOrigin::Impact,
        axes: PatternAxes::Normal,
        unit: PatternUnit::Radius,
        stretch: DVec3::ONE,
    };

    /// For uniform patterns: origin at the centre of the body's box, unit ball around the box. Cells have
    /// one size wherever the impact is.
    pub const BODY: Self = Self {
        origin: PatternOrigin::Center,
        axes: PatternAxes::Normal,
        unit: PatternUnit::Body,
        stretch: DVec3::ONE,
    };

    /// For sites in body space, metres.
    pub const IN_PLACE: Self = Self {
        origin: PatternOrigin::Body,
        axes: PatternAxes::Body(BodyAxis::Y),
        unit: PatternUnit::Metres(1.0),
        stretch: DVec3::ONE,
    };

    /// Whether cells may be made smaller. The others have a size of their own.
    pub(super) fn refines(&self) -> bool {
        self.repeats() || self.unit == PatternUnit::Body
    }

    /// Whether cells are repeated towards the impact.
    pub(super) fn repeats(&self) -> bool {
        matches!(self.unit, PatternUnit::Radius | PatternUnit::Crater)
    }

    /// The placement for an impact in body space by which the pattern has its own cells within a radius
    /// (metres), as for a radius that is given with an impact; `spin` in radians.
    pub fn placement(
        &self,
        solid: &Solid,
        point: DVec3,
        normal: DVec3,
        spin: f64,
        radius: f64,
    ) -> Placement {
        let impact = PatternImpact {
            point,
            normal,
            spin,
            unit: IMPACT_UNIT * radius,
            middle_radius: radius,
        };
        self.lay(solid, &impact).placement
    }

    /// Lays the pattern on a body for an impact.
    pub(super) fn lay(&self, solid: &Solid, impact: &PatternImpact) -> LaidPattern {
        if self.unit == PatternUnit::Crater {
            return self.crater(solid, impact);
        }
        let (PatternAxes::Grain(axis), PatternUnit::Section(layer)) = (self.axes, self.unit) else {
            return LaidPattern {
                placement: self.placement_of_unit(solid, impact),
                shape: BreakShape::Ball,
            };
        };
        let blow = GrainBlow {
            solid,
            grain: axis.rotation(solid) * DVec3::Y,
            point: impact.point,
            normal: impact.normal.normalize_or(DVec3::Y),
            spin: impact.spin,
        };
        blow.lay(&Fibres {
            stretch: self.stretch,
            layer,
        })
    }

    fn crater(&self, solid: &Solid, impact: &PatternImpact) -> LaidPattern {
        let inward = -impact.normal.normalize_or(DVec3::Y);
        let thickness = solid.way_out(impact.point, inward).unwrap_or(f64::INFINITY);
        let [flattest, roundest] = CRATER_FLATNESS;
        let flatness = CRATER_DEPTH * thickness / impact.middle_radius;
        let flatness = flatness.clamp(flattest, roundest);
        let mut placement = self.placement_of_unit(solid, impact);
        let middle = impact.point + inward * (0.5 * thickness);
        let half_width = [placement.linear.x_axis, placement.linear.z_axis].map(|axis| {
            let axis = axis.normalize_or(DVec3::X);
            let ways = [axis, -axis].map(|way| solid.way_out(middle, way).unwrap_or(f64::INFINITY));
            0.5 * (ways[0] + ways[1])
        });
        placement.linear *= DMat3::from_diagonal(DVec3::new(1.0, flatness, 1.0));
        LaidPattern {
            placement,
            shape: BreakShape::Crater(CraterShape {
                across: impact.unit,
                along: impact.unit * flatness,
                thickness,
                half_width: half_width[0].min(half_width[1]),
            }),
        }
    }

    fn placement_of_unit(&self, solid: &Solid, impact: &PatternImpact) -> Placement {
        let &PatternImpact {
            point,
            normal,
            spin,
            unit,
            ..
        } = impact;
        let [low, high] = solid.bounds().corners();
        let rotation = match self.axes {
            PatternAxes::Normal => Placement::at_impact(DVec3::ZERO, normal, spin, 1.0).linear,
            PatternAxes::Body(axis) => axis.rotation(solid),
            PatternAxes::Grain(axis) => {
                axis.rotation(solid) * Placement::at_impact(DVec3::ZERO, DVec3::Y, spin, 1.0).linear
            }
        };
        let half = 0.5 * (high - low);
        let scale = match self.unit {
            PatternUnit::Radius | PatternUnit::Section(_) | PatternUnit::Crater => {
                DVec3::splat(unit)
            }
            PatternUnit::Body => DVec3::splat(half.length()),
            PatternUnit::Sides => half,
            PatternUnit::Metres(metres) => DVec3::splat(metres),
        };
        let stretch = DMat3::from_diagonal(self.stretch);
        let linear = DMat3::from_diagonal(scale) * rotation * stretch;
        let translation = match self.origin {
            PatternOrigin::Impact => point,
            PatternOrigin::Center => low + half,
            PatternOrigin::Body => DVec3::ZERO,
            PatternOrigin::Lattice(period) => {
                linear * rounded_to_steps(linear.inverse() * point, period)
            }
        };
        Placement {
            linear,
            translation,
        }
    }
}

impl BodyAxis {
    /// The rotation from y to this axis of a body, of zeros and ones but for the longest.
    pub(super) fn rotation(self, solid: &Solid) -> DMat3 {
        match self {
            Self::X => DMat3::from_cols(DVec3::NEG_Y, DVec3::X, DVec3::Z),
            Self::Y => DMat3::IDENTITY,
            Self::Z => DMat3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y),
            Self::Longest => solid.long_frame(),
        }
    }
}

/// The nearest multiple of the period along each axis.
fn rounded_to_steps(point: DVec3, period: DVec3) -> DVec3 {
    // Adding half and flooring: no call into the system's libm.
    (point / period + 0.5).map(libm::floor) * period
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracture_geometry::Mesh;

    fn beam() -> Solid {
        Solid::new(Mesh::cuboid([4.0, 1.0, 0.5])).unwrap()
    }

    #[test]
    fn every_axis_is_a_rotation_of_y() {
        for (along, axis) in [
            (BodyAxis::X, DVec3::X),
            (BodyAxis::Y, DVec3::Y),
            (BodyAxis::Z, DVec3::Z),
            (BodyAxis::Longest, DVec3::X),
        ] {
            let turn = along.rotation(&beam());
            assert!((turn * DVec3::Y - axis).length() < 1e-9, "{along:?}");
            assert!((turn.determinant() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_grain_is_stretched_along_its_axis_whatever_the_normal() {
        let fit = PatternFit {
            axes: PatternAxes::Grain(BodyAxis::X),
            stretch: DVec3::new(1.0, 8.0, 1.0),
            ..PatternFit::IMPACT
        };
        let at = fit.placement(&beam(), DVec3::ONE, DVec3::Z, 0.7, 0.25);
        assert!((at.linear * DVec3::Y - DVec3::X * 4.0).length() < 1e-12);
        assert!(((at.linear * DVec3::X).length() - 0.5).abs() < 1e-12);
        assert_eq!(at.translation, DVec3::ONE);
    }

    #[test]
    fn a_lattice_keeps_its_joints_wherever_the_impact_is() {
        let fit = PatternFit {
            origin: PatternOrigin::Lattice(DVec3::new(0.25, 2.0, 1.5)),
            axes: PatternAxes::Body(BodyAxis::Y),
            unit: PatternUnit::Metres(0.1),
            stretch: DVec3::new(12.0, 1.0, 1.0),
        };
        for point in [DVec3::ZERO, DVec3::new(1.3, 0.41, -0.2)] {
            let at = fit.placement(&beam(), point, DVec3::Z, 0.3, 0.5);
            let whole = at.translation / DVec3::new(0.3, 0.2, 0.15);
            assert!(
                (whole - whole.round()).abs().max_element() < 1e-9,
                "{whole}"
            );
            let off = (at.translation - point).abs();
            assert!(
                off.cmple(DVec3::new(0.15, 0.1, 0.075) + 1e-9).all(),
                "{off}"
            );
        }
    }

    #[test]
    fn slabs_fill_the_box() {
        let fit = PatternFit {
            unit: PatternUnit::Sides,
            axes: PatternAxes::Body(BodyAxis::X),
            ..PatternFit::BODY
        };
        let at = fit.placement(&beam(), DVec3::ONE, DVec3::Z, 0.3, 0.5);
        assert_eq!(at.point(DVec3::Y), DVec3::new(2.0, 0.0, 0.0));
        assert_eq!(at.point(DVec3::NEG_Y), DVec3::new(-2.0, 0.0, 0.0));
    }
}
