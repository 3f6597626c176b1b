//! Values of vertices that a surface does not give.

use fyrox::core::algebra::Vector3;

/// The colour of vertices without one.
pub(super) const WHITE: [f32; 4] = [1.0; 4];

/// The vector's direction; +y for a zero vector.
pub(super) fn unit(v: Vector3<f32>) -> Vector3<f32> {
    v.try_normalize(f32::MIN_POSITIVE)
        .unwrap_or_else(Vector3::y)
}

/// A tangent perpendicular to a normal.
pub(super) fn any_tangent(normal: [f32; 3]) -> [f32; 4] {
    let normal = Vector3::from(normal);
    let aside = if normal.x.abs() < 0.9 {
        Vector3::x()
    } else {
        Vector3::y()
    };
    let tangent = unit(aside - normal * normal.dot(&aside));
    [tangent.x, tangent.y, tangent.z, 1.0]
}
