//! Texture coordinates of cut faces: which way they run, and the tangents that belong to them.

use glam::{Vec2, Vec3, Vec4};

/// How a texture is laid onto cut faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CapMapping {
    /// In the plane of each face, up where the face has an up: nothing is stretched.
    #[default]
    Planar,
    /// From the side of the object's box that each face looks at most: patterns run on from face to
    /// face. Slanted faces stretch it, by the square root of three at most.
    Box,
}

/// Texture axes turned by an angle: coordinates are the products of a position with them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CapAxes {
    mapping: CapMapping,
    sin: f32,
    cos: f32,
}

impl CapAxes {
    /// `turn` is in radians, counter-clockwise.
    pub fn new(mapping: CapMapping, turn: f32) -> Self {
        Self {
            mapping,
            sin: libm::sinf(turn),
            cos: libm::cosf(turn),
        }
    }

    /// Texture coordinates in metres of a point of a face.
    pub fn uv(&self, at: Vec3, normal: Vec3) -> Vec2 {
        let (u, v) = self.axes(normal);
        Vec2::new(u.dot(at), v.dot(at))
    }

    /// The direction in a face along which u grows and v stays, and the side of the bitangent
    /// `cross(normal, tangent) * w`, along which v grows.
    pub fn tangent(&self, normal: Vec3) -> Vec4 {
        let (u, v) = self.axes(normal);
        let along = |stays: Vec3, grows: Vec3| {
            let way = stays.cross(normal);
            way * way.dot(grows).signum()
        };
        let tangent = along(v, u).normalize_or(Vec3::X);
        let side = normal.cross(tangent).dot(along(u, v));
        tangent.extend(if side < 0.0 { -1.0 } else { 1.0 })
    }

    fn axes(&self, normal: Vec3) -> (Vec3, Vec3) {
        let (u, v) = upright(match self.mapping {
            CapMapping::Planar => normal,
            CapMapping::Box => {
                let side = normal.abs().max_position();
                Vec3::AXES[side] * normal[side].signum()
            }
        });
        (u * self.cos + v * self.sin, v * self.cos - u * self.sin)
    }
}

/// Axes across a direction: u across, v up where there is an up.
fn upright(normal: Vec3) -> (Vec3, Vec3) {
    let up = if normal.y.abs() < 0.9 {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let u = up.cross(normal).normalize_or(Vec3::X);
    (u, normal.cross(u))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normals() -> impl Iterator<Item = Vec3> {
        (0..200).map(|k| {
            let k = k as f32;
            Vec3::new((k * 1.3).sin(), (k * 0.7).cos(), (k * 2.1).sin() + 0.01).normalize()
        })
    }

    #[test]
    fn tangents_follow_the_texture() {
        for mapping in [CapMapping::Planar, CapMapping::Box] {
            for turn in [0.0, 0.5, -2.0] {
                let axes = CapAxes::new(mapping, turn);
                for normal in normals() {
                    let tangent = axes.tangent(normal);
                    let (t, b) = (
                        tangent.truncate(),
                        normal.cross(tangent.truncate()) * tangent.w,
                    );
                    assert!(t.dot(normal).abs() < 1e-5 && (t.length() - 1.0).abs() < 1e-5);
                    let (by_t, by_b) = (axes.uv(t, normal), axes.uv(b, normal));
                    assert!(by_t.x > 0.5 && by_t.y.abs() < 1e-5, "{normal}: {by_t}");
                    // Only a planar texture meets the bitangent at a right angle.
                    assert!(by_b.y > 0.3, "{normal}: {by_b}");
                }
            }
        }
    }

    #[test]
    fn planar_textures_are_not_stretched_and_boxes_run_on() {
        let planar = CapAxes::new(CapMapping::Planar, 0.3);
        for normal in normals() {
            let side = normal.any_orthonormal_vector() * 2.0;
            assert!((planar.uv(side, normal).length() - 2.0).abs() < 1e-4);
        }
        let box_mapped = CapAxes::new(CapMapping::Box, 0.0);
        let at = Vec3::new(0.3, 0.8, -0.2);
        let slanted = [Vec3::new(0.1, 0.2, 0.9), Vec3::new(-0.3, 0.0, 0.8)];
        let [a, b] = slanted.map(|normal| box_mapped.uv(at, normal.normalize()));
        assert_eq!(a, b);
    }
}
