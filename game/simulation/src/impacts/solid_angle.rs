//! Solid angles of boxes, and points spread evenly over them.

use glam::DVec3;
use rapier3d::geometry::Aabb;

/// A face of a box as seen from a point: a spherical rectangle.
///
/// Solid angle and points after Ureña, Fajardo and King, "An area-preserving parametrization for
/// spherical rectangles" (2013).
pub(super) struct BoxFace {
    /// Steradians.
    pub solid_angle: f64,
    eye: DVec3,
    /// Two axes along the face and one across.
    axes: [usize; 3],
    /// Extent along the first two axes relative to the eye, metres.
    x: [f64; 2],
    y: [f64; 2],
    /// Distance of the face along the third axis with its sign, metres.
    z: f64,
    b0: f64,
    b1: f64,
    k: f64,
}

/// The faces of a box that a point sees: from outside those that face it, from inside all.
pub(super) fn box_faces(bounds: &Aabb, eye: DVec3) -> Vec<BoxFace> {
    let min = (bounds.mins.as_dvec3() - eye).to_array();
    let max = (bounds.maxs.as_dvec3() - eye).to_array();
    let is_inside = (0..3).all(|axis| min[axis] < 0.0 && max[axis] > 0.0);
    let mut faces = Vec::new();
    for axes in [[1, 2, 0], [2, 0, 1], [0, 1, 2]] {
        let [x, y, across] = axes;
        let sides = [
            (min[across], is_inside || min[across] > 0.0),
            (max[across], is_inside || max[across] < 0.0),
        ];
        for (z, is_seen) in sides {
            if is_seen {
                faces.extend(BoxFace::new(
                    eye,
                    axes,
                    [min[x], max[x]],
                    [min[y], max[y]],
                    z,
                ));
            }
        }
    }
    faces
}

impl BoxFace {
    /// `None` for a face without a solid angle.
    fn new(eye: DVec3, axes: [usize; 3], x: [f64; 2], y: [f64; 2], z: f64) -> Option<Self> {
        let depth = -z.abs();
        let corner = |i: usize, j: usize| DVec3::new(x[i], y[j], depth);
        let corners = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
        let normal = |i: usize| corners[i].cross(corners[(i + 1) % 4]).normalize_or_zero();
        let normals = [0, 1, 2, 3].map(normal);
        let angle = |i: usize| libm::acos((-normals[i].dot(normals[(i + 1) % 4])).clamp(-1.0, 1.0));
        let k = std::f64::consts::TAU - angle(2) - angle(3);
        let solid_angle = angle(0) + angle(1) - k;
        // Below this, rounding is a part of it.
        (solid_angle > 1e-9).then_some(Self {
            solid_angle,
            eye,
            axes,
            x,
            y,
            z,
            b0: normals[0].z,
            b1: normals[2].z,
            k,
        })
    }

    /// Points that are spread evenly over the solid angle, the first in the middle: the additive recurrence
    /// of the plastic number (Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018).
    pub fn points(&self, count: u32) -> impl Iterator<Item = DVec3> + '_ {
        let coordinate = |i: u32, step: f64| (0.5 + f64::from(i) * step).fract();
        let plastic = 1.324_717_957_244_746;
        let steps = [1.0 / plastic, 1.0 / (plastic * plastic)];
        (0..count).map(move |i| self.point(coordinate(i, steps[0]), coordinate(i, steps[1])))
    }

    /// The point at two coordinates in 0..1, in world space.
    fn point(&self, u: f64, v: f64) -> DVec3 {
        let depth = -self.z.abs();
        let angle = u * self.solid_angle + self.k;
        let fu = (libm::cos(angle) * self.b0 - self.b1) / libm::sin(angle);
        let cu = (1.0 / (fu * fu + self.b0 * self.b0).sqrt()).copysign(fu);
        let cu = cu.clamp(-1.0, 1.0);
        let x = -cu * depth / (1.0 - cu * cu).sqrt().max(1e-9);
        let x = x.clamp(self.x[0], self.x[1]);
        let d2 = x * x + depth * depth;
        let height = |y: f64| y / (d2 + y * y).sqrt();
        let [low, high] = self.y.map(height);
        let h = low + v * (high - low);
        let y = h * (d2 / (1.0 - h * h).max(1e-12)).sqrt();
        let y = y.clamp(self.y[0], self.y[1]);
        let mut point = self.eye;
        point[self.axes[0]] += x;
        point[self.axes[1]] += y;
        point[self.axes[2]] += self.z;
        point
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use std::f64::consts::PI;

    fn faces(min: [f32; 3], max: [f32; 3], eye: [f64; 3]) -> Vec<BoxFace> {
        box_faces(&Aabb::new(Vec3::from(min), Vec3::from(max)), eye.into())
    }

    #[test]
    fn a_box_fills_the_sphere_from_inside_and_a_face_of_a_cube_a_sixth() {
        let inside = faces([-1.0; 3], [1.0; 3], [0.0; 3]);
        assert_eq!(inside.len(), 6);
        for face in &inside {
            assert!((face.solid_angle - 4.0 * PI / 6.0).abs() < 1e-12);
        }
        let aside = faces([-1.0, -3.0, -0.5], [2.0, 1.0, 4.0], [1.5, 0.5, 2.0]);
        let sum: f64 = aside.iter().map(|face| face.solid_angle).sum();
        assert!((sum - 4.0 * PI).abs() < 1e-9);
    }

    #[test]
    fn a_distant_box_has_its_area_over_the_square_of_the_distance() {
        let [face] = &faces([-1.0, -2.0, 1000.0], [1.0, 2.0, 1001.0], [0.0; 3])[..] else {
            panic!("one face is seen");
        };
        assert!((face.solid_angle - 8e-6).abs() < 1e-10);
        // Two faces of equal share from a corner's direction, three from its diagonal.
        assert_eq!(faces([1.0; 3], [2.0; 3], [0.0; 3]).len(), 3);
        assert_eq!(faces([1.0, 1.0, -1.0], [2.0, 2.0, 1.0], [0.0; 3]).len(), 2);
    }

    #[test]
    fn points_are_on_the_face_and_spread_evenly_over_the_directions() {
        for eye in [[0.2, -0.3, 0.0], [5.0, 4.0, -0.01], [-3.0, 0.0, -6.0]] {
            for face in faces([-1.0, -2.0, 0.5], [1.0, 2.0, 1.5], eye) {
                let points: Vec<DVec3> = face.points(1600).collect();
                let on_box = |p: &DVec3| {
                    p.x.abs() < 1.0 + 1e-6
                        && p.y.abs() < 2.0 + 1e-6
                        && (p.z - 1.0).abs() < 0.5 + 1e-6
                };
                assert!(points.iter().all(on_box));
                // The half of smaller x has a solid angle of its own, which counts of points must match.
                let [x, y, across] = face.axes;
                let middle = 0.5 * (face.x[0] + face.x[1]);
                let half = BoxFace::new(
                    face.eye,
                    [x, y, across],
                    [face.x[0], middle],
                    face.y,
                    face.z,
                );
                let Some(half) = half else { continue };
                let below = |p: &&DVec3| p[x] - face.eye[x] < middle;
                let share = points.iter().filter(below).count() as f64 / points.len() as f64;
                let expected = half.solid_angle / face.solid_angle;
                assert!((share - expected).abs() < 0.03, "{share} {expected}");
            }
        }
    }
}
