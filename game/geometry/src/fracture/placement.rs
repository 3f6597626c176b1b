//! Request of a break: where the pattern lies on the solid, and which of its cells become fragments.

use crate::fracture::break_shape::BreakShape;
use crate::weakness::Weakness;
use glam::{DMat3, DQuat, DVec3};

/// The y of a unit vector below which it points down: 32 degrees from -y, off the angles that shapes have.
const DOWN: f64 = -0.85;

/// Affine map from pattern space to object space (metres): `x_object = linear * x_pattern + translation`.
///
/// For an impact it is a similarity (rotation to the contact normal, spin about it, scale); a
/// non-uniform `linear` stretches the cells (splinters), which stay convex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Linear part; its determinant must be finite and positive.
    pub linear: DMat3,
    /// Position of the pattern's origin in object space, metres.
    pub translation: DVec3,
}

impl Default for Placement {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Placement {
    /// Identity: pattern space is object space.
    pub const IDENTITY: Self = Self {
        linear: DMat3::IDENTITY,
        translation: DVec3::ZERO,
    };

    /// Places the pattern's origin at `point` and its y axis along `normal`, turns it by `spin` radians
    /// about that axis, and scales it by `scale` metres per pattern unit.
    ///
    /// The rotation is the shortest arc from +y to the normal, after the spin; for a normal that points down it is
    /// that from -y, so that normals which hardly differ turn the pattern alike. A normal of zero length counts as
    /// +y.
    pub fn at_impact(point: DVec3, normal: DVec3, spin: f64, scale: f64) -> Self {
        let normal = normal.try_normalize().unwrap_or(DVec3::Y);
        let (sin, cos) = libm::sincos(0.5 * spin);
        let turn = DQuat::from_xyzw(0.0, sin, 0.0, cos);
        let rotation = DMat3::from_quat(rotation_from_y(normal) * turn);
        Self {
            linear: rotation * scale,
            translation: point,
        }
    }

    /// Maps a point from pattern space to object space.
    pub fn point(&self, pattern: DVec3) -> DVec3 {
        self.linear * pattern + self.translation
    }
}

/// Rotation from +y to a unit vector: the shortest one, and half a turn about x after it where that points down.
///
/// The shortest rotations to vectors next to -y differ by up to half a turn. What falls onto the ground is struck
/// there: the slightest tilt would turn the pattern.
fn rotation_from_y(to: DVec3) -> DQuat {
    if to.y < DOWN {
        DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0) * arc_from_y(DVec3::new(to.x, -to.y, -to.z))
    } else {
        arc_from_y(to)
    }
}

/// Shortest rotation from +y to a unit vector that is not near -y, of basic operations only, so that every platform
/// gives the same bits.
fn arc_from_y(to: DVec3) -> DQuat {
    // Quaternion (y x to, 1 + y . to), normalised.
    let (x, y, z, w) = (to.z, 0.0, -to.x, 1.0 + to.y);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    DQuat::from_xyzw(x / length, y / length, z / length, w / length)
}

/// Request of a break.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FractureParams<'a> {
    /// Map from pattern space to object space.
    pub placement: Placement,
    /// Cells that become fragments.
    pub selection: CellSelection<'a>,
}

/// Selection of the cells that become fragments; the solid in all other cells stays merged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellSelection<'a> {
    /// Every cell.
    All,
    /// The cell that contains the point, and every cell whose site lies within the radius.
    Within {
        /// Impact point in object space, metres.
        point: DVec3,
        /// Radius in metres, above 0.
        radius: f64,
    },
    /// As [`CellSelection::Within`], for breaks of several radii by the same cells: the pieces of a
    /// smaller break are pieces of a larger one too, or parts of them are. To that end the smallest break
    /// says for all how small a part is a sliver.
    Nested {
        /// Impact point in object space, metres.
        point: DVec3,
        /// Radius in metres, above 0.
        radius: f64,
        /// Radius of the smallest break, metres.
        smallest: f64,
        /// The region that breaks off.
        shape: BreakShape,
        /// Where the radius [reaches](Weakness::reach) farther.
        weakness: Option<&'a Weakness>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pattern_turns_no_farther_than_its_normal() {
        let tilts = [
            [0.0, 0.0],
            [1e-3, 0.0],
            [0.0, 1e-3],
            [-1e-3, 0.0],
            [0.0, -1e-3],
        ];
        for axis in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE] {
            for axis in [axis.normalize(), -axis.normalize()] {
                let (side, other) = axis.any_orthonormal_pair();
                let place = |[a, b]: [f64; 2]| {
                    let normal = (axis + side * a + other * b).normalize();
                    let linear = Placement::at_impact(DVec3::ZERO, normal, 0.4, 1.0).linear;
                    assert!((linear * DVec3::Y - normal).length() < 1e-12);
                    linear
                };
                let straight = place(tilts[0]);
                for tilted in tilts.map(place) {
                    let turn = (straight - tilted).to_cols_array();
                    assert!(turn.iter().all(|x| x.abs() < 2e-3), "{axis}: {turn:?}");
                }
            }
        }
    }
}
