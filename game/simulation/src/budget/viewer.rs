//! Viewers: what is in view goes last.

use glam::{Mat4, Vec3, Vec4};
use rapier3d::geometry::Aabb;
use rapier3d::math::Pose;

/// A camera of the host, see [`Simulation::set_viewers`](crate::Simulation::set_viewers).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    /// Position, metres.
    pub position: Vec3,
    /// The planes around what it sees: a point is in view where `plane.xyz() . point + plane.w` is 0 or more for all
    /// of them. All zero: all around is in view.
    pub planes: [Vec4; 6],
}

impl Viewer {
    /// A viewer that sees all around.
    pub fn around(position: Vec3) -> Self {
        Self {
            position,
            planes: [Vec4::ZERO; 6],
        }
    }

    /// A camera with the matrix that takes world space to clip space, where all coordinates are -1 to 1.
    pub fn through(position: Vec3, view_projection: Mat4) -> Self {
        let rows = view_projection.transpose();
        let w = rows.w_axis;
        let [x, y, z] = [rows.x_axis, rows.y_axis, rows.z_axis];
        Self {
            position,
            planes: [w + x, w - x, w + y, w - y, w + z, w - z],
        }
    }

    /// Whether all numbers are finite.
    pub(crate) fn is_finite(&self) -> bool {
        self.position.is_finite() && self.planes.iter().all(|plane| plane.is_finite())
    }

    /// Whether a box in a pose is in view, or partly so.
    pub(crate) fn sees(&self, bounds: &Aabb, pose: &Pose) -> bool {
        let (center, half) = (pose.transform_point(bounds.center()), bounds.half_extents());
        self.planes.iter().all(|plane| {
            let normal = plane.truncate();
            let reach = (pose.rotation.inverse() * normal).abs().dot(half);
            normal.dot(center) + plane.w + reach >= 0.0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn a_camera_sees_what_is_within_its_frame() {
        let eye = Vec3::new(1.0, 2.0, 3.0);
        let look = Mat4::look_to_rh(eye, Vec3::NEG_Z, Vec3::Y);
        // One metre up and two metres to the side at a distance of one.
        let frame = Mat4::perspective_rh_gl(std::f32::consts::FRAC_PI_2, 2.0, 0.1, 50.0);
        let viewer = Viewer::through(eye, frame * look);
        let sees = |x: f32, y: f32, z: f32, size: f32| {
            let pose = Pose::from_translation(eye + Vec3::new(x, y, z));
            viewer.sees(
                &Aabb::from_half_extents(Vec3::ZERO, Vec3::splat(0.5 * size)),
                &pose,
            )
        };
        assert!(sees(0.0, 0.0, -9.0, 0.1));
        assert!(sees(0.0, 0.9, -1.0, 0.01) && !sees(0.0, 1.1, -1.0, 0.01));
        assert!(sees(1.9, 0.0, -1.0, 0.01) && !sees(2.1, 0.0, -1.0, 0.01));
        assert!(sees(0.0, 1.1, -1.0, 0.3), "partly in view");
        assert!(!sees(0.0, 0.0, 9.0, 1.0) && sees(0.0, 0.0, 0.5, 2.0));
        assert!(sees(0.0, 0.0, -49.0, 0.1) && !sees(0.0, 0.0, -51.0, 0.1));
        // A long box counts as it lies.
        let long = Aabb::from_half_extents(Vec3::ZERO, Vec3::new(1.0, 0.01, 0.01));
        let at = |turn: Quat| Pose::from_parts(eye + Vec3::new(0.0, 1.5, -1.0), turn);
        assert!(!viewer.sees(&long, &at(Quat::IDENTITY)));
        assert!(viewer.sees(&long, &at(Quat::from_rotation_z(1.5))));
        let around = Viewer::around(eye);
        assert!(around.sees(&long, &Pose::from_translation(Vec3::splat(1e6))));
    }
}
