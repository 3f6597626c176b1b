//! Texture coordinates and tangents of cut faces.

use glam::{Mat3, Vec2, Vec3, Vec4};

/// Projection of a texture onto cut faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CapMapping {
    /// In the plane of each face, upright unless the face is across that; the texture is not stretched.
    #[default]
    Planar,
    /// Along that axis of the texture which is nearest to each face's normal: textures continue from face to face. Slanted faces
    /// stretch the texture by at most the square root of three.
    Box,
}

/// Texture axes rotated by an angle: texture coordinates are dot products with them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CapAxes {
    mapping: CapMapping,
    frame: Mat3,
    sin: f32,
    cos: f32,
}

/// The texture of one face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CapTexture {
    pub normal: Vec3,
    u: Vec3,
    v: Vec3,
    /// The direction in the face along which u grows and v is constant, and in `w` the sign of the
    /// bitangent `cross(normal, tangent) * w`, along which v grows.
    pub tangent: Vec4,
}

impl CapTexture {
    /// The texture coordinates, in metres, of a point of the face.
    pub fn uv(&self, point: Vec3) -> Vec2 {
        Vec2::new(self.u.dot(point), self.v.dot(point))
    }
}

impl CapAxes {
    /// Axes along those of a frame, a rotation, and rotated counter-clockwise by an angle in radians.
    pub fn new(mapping: CapMapping, frame: Mat3, angle: f32) -> Self {
        Self {
            mapping,
            frame,
            sin: libm::sinf(angle),
            cos: libm::cosf(angle),
        }
    }

    /// The texture of a face with a normal.
    pub fn texture(&self, normal: Vec3) -> CapTexture {
        let (u, v) = self.axes(normal);
        let along = |constant: Vec3, growing: Vec3| {
            let direction = constant.cross(normal);
            direction * direction.dot(growing).signum()
        };
        let tangent = along(v, u).normalize_or(Vec3::X);
        let side = normal.cross(tangent).dot(along(u, v));
        CapTexture {
            normal,
            u,
            v,
            tangent: tangent.extend(if side < 0.0 { -1.0 } else { 1.0 }),
        }
    }

    fn axes(&self, normal: Vec3) -> (Vec3, Vec3) {
        let (u, v) = self.upright(match self.mapping {
            CapMapping::Planar => normal,
            CapMapping::Box => {
                let normal = self.frame.transpose() * normal;
                let side = normal.abs().max_position();
                self.frame.col(side) * normal[side].signum()
            }
        });
        (u * self.cos + v * self.sin, v * self.cos - u * self.sin)
    }

    /// Axes perpendicular to a direction: u across the frame's y axis, v along it, or along its z axis where the direction
    /// is near the y axis.
    fn upright(&self, normal: Vec3) -> (Vec3, Vec3) {
        let Mat3 { y_axis, z_axis, .. } = self.frame;
        let up = if normal.dot(y_axis).abs() < 0.9 {
            y_axis
        } else {
            z_axis
        };
        let u = up.cross(normal).normalize_or(Vec3::X);
        (u, normal.cross(u))
    }
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
                let axes = CapAxes::new(mapping, Mat3::from_rotation_x(turn), turn);
                for normal in normals() {
                    let texture = axes.texture(normal);
                    let tangent = texture.tangent;
                    let (t, b) = (
                        tangent.truncate(),
                        normal.cross(tangent.truncate()) * tangent.w,
                    );
                    assert!(t.dot(normal).abs() < 1e-5 && (t.length() - 1.0).abs() < 1e-5);
                    let (by_t, by_b) = (texture.uv(t), texture.uv(b));
                    assert!(by_t.x > 0.5 && by_t.y.abs() < 1e-5, "{normal}: {by_t}");
                    // Only a planar texture meets the bitangent at a right angle.
                    assert!(by_b.y > 0.3, "{normal}: {by_b}");
                }
            }
        }
    }

    #[test]
    fn planar_textures_are_not_stretched_and_boxes_run_on() {
        let planar = CapAxes::new(CapMapping::Planar, Mat3::IDENTITY, 0.3);
        for normal in normals() {
            let side = normal.any_orthonormal_vector() * 2.0;
            assert!((planar.texture(normal).uv(side).length() - 2.0).abs() < 1e-4);
        }
        for frame in [Mat3::IDENTITY, Mat3::from_rotation_z(0.8)] {
            let box_mapped = CapAxes::new(CapMapping::Box, frame, 0.0);
            let at = Vec3::new(0.3, 0.8, -0.2);
            let slanted = [Vec3::new(0.1, 0.2, 0.9), Vec3::new(-0.3, 0.0, 0.8)];
            let [a, b] =
                slanted.map(|normal| box_mapped.texture(frame * normal.normalize()).uv(at));
            assert_eq!(a, b);
        }
    }

    #[test]
    fn textures_run_along_y_of_their_frame_and_along_z_on_faces_across_that() {
        for frame in [
            Mat3::IDENTITY,
            Mat3::from_rotation_z(-1.3),
            Mat3::from_rotation_x(0.4) * Mat3::from_rotation_y(2.0),
        ] {
            let axes = CapAxes::new(CapMapping::Planar, frame, 0.0);
            for normal in normals() {
                let is_across = normal.dot(frame.y_axis).abs() >= 0.9;
                let up = frame.col(1 + usize::from(is_across));
                let uv = axes.texture(normal).uv(up.reject_from(normal));
                assert!(uv.x.abs() < 1e-5 && uv.y > 0.0, "{normal}: {uv}");
            }
        }
    }
}
