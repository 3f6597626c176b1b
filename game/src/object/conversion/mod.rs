//! Converts engine surfaces to meshes and back. All of it is meant for the worker.

mod reading;
mod writing;

pub(crate) use reading::has_positions;
pub use reading::{read_surfaces, ConversionError, SourceSurface};
pub use writing::write_surfaces;

use fyrox::core::algebra::Vector3;

const WHITE: [f32; 4] = [1.0; 4];

/// The vector's direction; +y for a zero vector.
fn unit(v: Vector3<f32>) -> Vector3<f32> {
    v.try_normalize(f32::MIN_POSITIVE)
        .unwrap_or_else(Vector3::y)
}

/// A tangent perpendicular to a normal.
fn any_tangent(normal: [f32; 3]) -> [f32; 4] {
    let normal = Vector3::from(normal);
    let aside = if normal.x.abs() < 0.9 {
        Vector3::x()
    } else {
        Vector3::y()
    };
    let tangent = unit(aside - normal * normal.dot(&aside));
    [tangent.x, tangent.y, tangent.z, 1.0]
}
