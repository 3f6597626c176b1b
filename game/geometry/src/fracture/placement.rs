//! How a cached pattern is laid onto an object: an affine map from pattern space to object space.

use glam::{DMat3, DQuat, DVec3};

/// An affine map from pattern space to object space (metres): `x_object = linear * x_pattern + translation`.
///
/// For an impact it is a similarity (rotation to the contact normal, spin about it, scale); a
/// non-uniform `linear` stretches the cells (splinters), which stay convex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Linear part; its determinant must be finite and not zero.
    pub linear: DMat3,
    /// Where the pattern's origin lands, in object space, metres.
    pub translation: DVec3,
}

impl Default for Placement {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Placement {
    /// Pattern space is object space.
    pub const IDENTITY: Self = Self {
        linear: DMat3::IDENTITY,
        translation: DVec3::ZERO,
    };

    /// The pattern's origin at `point`, its y axis along `normal`, turned by `spin` radians about
    /// it, and scaled by `scale` metres per pattern unit.
    ///
    /// The rotation is the shortest arc from +y to the normal, after the spin. A normal of no
    /// length counts as +y.
    pub fn at_impact(point: DVec3, normal: DVec3, spin: f64, scale: f64) -> Self {
        let normal = normal.try_normalize().unwrap_or(DVec3::Y);
        let (sin, cos) = libm::sincos(0.5 * spin);
        let turn = DQuat::from_xyzw(0.0, sin, 0.0, cos);
        let rotation = DMat3::from_quat(arc_from_y(normal) * turn);
        Self {
            linear: rotation * scale,
            translation: point,
        }
    }

    /// Pattern space to object space.
    pub fn point(&self, pattern: DVec3) -> DVec3 {
        self.linear * pattern + self.translation
    }
}

/// The shortest rotation that takes +y to a unit vector, from basic operations only, so that every
/// platform gives the same bits.
fn arc_from_y(to: DVec3) -> DQuat {
    let half = 1.0 + to.y;
    if half < 1e-12 {
        return DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0); // half a turn about x
    }
    // Quaternion (y x to, 1 + y . to), normalised.
    let (x, y, z, w) = (to.z, 0.0, -to.x, half);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    DQuat::from_xyzw(x / length, y / length, z / length, w / length)
}

/// Where the pattern lies and which of its cells break off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FractureParams {
    /// Pattern space to object space.
    pub placement: Placement,
    /// The cells that become fragments.
    pub selection: CellSelection,
}

/// Which cells become fragments; everything in the others stays merged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellSelection {
    /// Every cell.
    All,
    /// The cell that holds the point, and every cell whose site lies within the radius.
    Within {
        /// The impact in object space, metres.
        point: DVec3,
        /// Metres, above 0.
        radius: f64,
    },
}
