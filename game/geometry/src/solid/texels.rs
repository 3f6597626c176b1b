//! How dense the texture is on a mesh, so that cut faces can match it.

use crate::mesh::Mesh;
use glam::{Vec2, Vec3};

/// Texture repeats per metre, averaged over the surface: the root of texture area over area. 1 for a
/// mesh without texture coordinates.
pub fn texel_density(mesh: &Mesh) -> f32 {
    let mut areas = [0.0f64; 2];
    for triangle in &mesh.triangles {
        let place = |v: u32| mesh.positions.get(v as usize).copied().map(Vec3::from);
        let texel = |v: u32| mesh.uvs.get(v as usize).copied().map(Vec2::from);
        let ([Some(a), Some(b), Some(c)], [Some(p), Some(q), Some(r)]) =
            (triangle.map(place), triangle.map(texel))
        else {
            continue;
        };
        let texels = f64::from((q - p).perp_dot(r - p).abs());
        if texels.is_finite() {
            areas[0] += texels;
            areas[1] += f64::from((b - a).cross(c - a).length());
        }
    }
    let density = (areas[0] / areas[1]).sqrt() as f32;
    if density.is_normal() {
        density
    } else {
        1.0
    }
}
