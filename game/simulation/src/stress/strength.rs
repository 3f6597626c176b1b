//! Stress in a face between two nodes, and how much of its strength that is.

use fracture_geometry::support::AreaProperties;
use glam::DVec3;

/// Compressive strength of a brittle material, in tensile strengths: concrete and stone crush at about ten
/// times the stress at which they tear.
const COMPRESSIVE_STRENGTH: f64 = 10.0;

/// Coefficient of friction by which pressure adds to the shear strength of a face.
const FRICTION: f64 = 1.0;

/// Displacement of one side of a face relative to the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// Displacement at the face's centre, by the length of the spring: with a modulus of one, the
    /// traction there, Pa.
    pub open: DVec3,
    /// Rotation, by the length of the spring, Pa/m.
    pub turn: DVec3,
}

/// The stress at the worst place of a face.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Stress {
    /// Largest stress across the face, Pa; above zero it pulls.
    pub tension: f64,
    /// Largest shear stress, Pa.
    pub shear: f64,
    /// Utilisation for a tensile strength of one pascal.
    pub unit_utilisation: f64,
}

/// The stress in a face. The traction is linear over the face, `open + turn x r`. The largest is searched
/// for on the border of an ellipse that stands for the face. In its principal directions the ellipse
/// reaches as far as a rectangle of the same area and moments, so that a rectangular beam bent about one
/// axis has its exact edge stress.
pub(super) fn stress(face: &AreaProperties, gap: &Gap) -> Stress {
    let reach = half_axes(face);
    let at = |r: DVec3| Traction::new(gap.open + gap.turn.cross(r), face.normal);
    // How the stress across the face grows along each half axis.
    let middle = at(DVec3::ZERO);
    let slopes = reach.map(|r| at(r).across - middle.across);
    let steepest = (reach[0] * slopes[0] + reach[1] * slopes[1])
        / (slopes[0] * slopes[0] + slopes[1] * slopes[1])
            .sqrt()
            .max(f64::MIN_POSITIVE);
    let edges = [steepest, reach[0], reach[1]].into_iter();
    let places = edges.flat_map(|r| [at(r), at(-r)]);
    places.chain([middle]).fold(Stress::NONE, Stress::worst)
}

impl Stress {
    const NONE: Self = Self {
        tension: f64::NEG_INFINITY,
        shear: 0.0,
        unit_utilisation: 0.0,
    };

    fn worst(self, traction: Traction) -> Self {
        Self {
            tension: self.tension.max(traction.across),
            shear: self.shear.max(traction.along),
            unit_utilisation: self.unit_utilisation.max(traction.unit_utilisation()),
        }
    }
}

/// The stress at a point of a face, Pa.
struct Traction {
    across: f64,
    along: f64,
}

impl Traction {
    fn new(traction: DVec3, normal: DVec3) -> Self {
        let across = traction.dot(normal);
        Self {
            across,
            along: (traction - across * normal).length(),
        }
    }

    /// Under tension: the largest principal stress of tension and shear (Rankine; Mohr's circle without
    /// stress along the face), which in plain tension hardly depends on the direction of the face. Under
    /// pressure: friction (Mohr and Coulomb), up to crushing.
    fn unit_utilisation(&self) -> f64 {
        let half = 0.5 * self.across;
        if half >= 0.0 {
            return half + (half * half + self.along * self.along).sqrt();
        }
        let pressure = -self.across;
        let slip = (self.along - FRICTION * pressure).max(0.0);
        slip.max(pressure / COMPRESSIVE_STRENGTH)
    }
}

/// Half axes of the ellipse that stands for a face.
pub(crate) fn half_axes(face: &AreaProperties) -> [DVec3; 2] {
    let (u, v) = match face.normal.try_normalize() {
        Some(normal) => normal.any_orthonormal_pair(),
        None => (DVec3::X, DVec3::Z),
    };
    let about = |a: DVec3, b: DVec3| a.dot(face.moments * b) / face.area;
    let (uu, uv, vv) = (about(u, u), about(u, v), about(v, v));
    let (mean, half) = (0.5 * (uu + vv), 0.5 * (uu - vv));
    let radius = (half * half + uv * uv).sqrt();
    let first = (u * uv + v * (mean + radius - uu)).try_normalize();
    let first = first.unwrap_or(if uu >= vv { u } else { v });
    let second = first.cross(face.normal);
    let length = |mean_square: f64| (3.0 * mean_square.max(0.0)).sqrt();
    [
        first * length(mean + radius),
        second * length(mean - radius),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DMat3;

    /// A rectangle of 0.2 x 0.4 m across x, turned about x.
    fn rectangle(turn: f64) -> AreaProperties {
        let moments = DMat3::from_diagonal(DVec3::new(
            0.0,
            0.2 * 0.4 * 0.4 * 0.4 / 12.0,
            0.4 * 0.2 * 0.2 * 0.2 / 12.0,
        ));
        let turn = DMat3::from_rotation_x(turn);
        AreaProperties {
            area: 0.08,
            center: DVec3::ZERO,
            normal: DVec3::X,
            moments: turn * moments * turn.transpose(),
        }
    }

    #[test]
    fn bending_pulls_at_the_edge() {
        // A turn about z bends over the height (y): the edge is 0.2 m away.
        let gap = Gap {
            open: DVec3::X * 5.0,
            turn: DVec3::Z * -100.0,
        };
        let found = stress(&rectangle(0.0), &gap);
        assert!((found.tension - 25.0).abs() < 1e-9, "{found:?}");
        assert!((found.unit_utilisation - 25.0).abs() < 1e-9);
        assert!(found.shear < 1e-9);
    }

    #[test]
    fn it_does_not_matter_how_the_face_lies() {
        let turn = 0.7;
        let axis = DMat3::from_rotation_x(turn) * DVec3::Z;
        let gap = Gap {
            open: DVec3::ZERO,
            turn: axis * 30.0,
        };
        let found = stress(&rectangle(turn), &gap);
        assert!((found.tension - 6.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn pressure_helps_against_shear_up_to_crushing() {
        let uses = |across: f64, along: f64| {
            let gap = Gap {
                open: DVec3::new(across, along, 0.0),
                turn: DVec3::ZERO,
            };
            stress(&rectangle(0.0), &gap).unit_utilisation
        };
        assert_eq!(uses(1.0, 0.0), 1.0);
        assert_eq!(uses(0.0, 1.0), 1.0);
        assert_eq!(uses(-1.0, 0.0), 0.1);
        assert!((uses(-1.0, 1.5) - 0.5).abs() < 1e-12);
        assert!((uses(3.0, 2.0) - 4.0).abs() < 1e-12);
    }

    #[test]
    fn a_pull_counts_the_same_on_faces_that_lean() {
        for lean in [0.1, 0.3, 0.5_f64] {
            let (sin, cos) = (libm::sin(lean), libm::cos(lean));
            let traction = Traction {
                across: cos * cos,
                along: sin * cos,
            };
            let found = traction.unit_utilisation();
            assert!((0.95..=1.0).contains(&found), "{lean}: {found}");
        }
    }

    #[test]
    fn twisting_shears() {
        let gap = Gap {
            open: DVec3::ZERO,
            turn: DVec3::X * 10.0,
        };
        let found = stress(&rectangle(0.3), &gap);
        assert!((found.shear - 2.0).abs() < 1e-9, "{found:?}");
    }
}
