//! Viewers: what is in view goes last.

use glam::Vec3;

/// A camera of the host, see [`Simulation::set_viewers`](crate::Simulation::set_viewers).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    /// Position, metres.
    pub position: Vec3,
    /// Direction of view; any length. Zero: all around is in view.
    pub direction: Vec3,
    /// Half of the angle from corner to corner of the view, radians.
    pub half_angle: f32,
}

impl Viewer {
    /// Whether all numbers are finite.
    pub(crate) fn is_finite(&self) -> bool {
        self.position.is_finite() && self.direction.is_finite() && self.half_angle.is_finite()
    }

    /// Whether a ball is in view, or partly so.
    pub(crate) fn sees(&self, center: Vec3, radius: f32) -> bool {
        let to = center - self.position;
        let distance = to.length();
        let Some(direction) = self.direction.try_normalize() else {
            return true;
        };
        if distance <= radius {
            return true;
        }
        let angle = direction.angle_between(to);
        angle <= self.half_angle + (radius / distance).asin()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_viewer_sees_what_is_within_its_angle() {
        let viewer = Viewer {
            position: Vec3::new(1.0, 2.0, 3.0),
            direction: Vec3::new(0.0, 0.0, -2.0),
            half_angle: 0.5,
        };
        let at = |x: f32, z: f32| viewer.position + Vec3::new(x, 0.0, z);
        assert!(viewer.sees(at(0.0, -9.0), 0.1));
        assert!(viewer.sees(at(0.4, -1.0), 0.0) && !viewer.sees(at(0.7, -1.0), 0.0));
        assert!(viewer.sees(at(0.7, -1.0), 0.3));
        assert!(!viewer.sees(at(0.0, 9.0), 1.0) && viewer.sees(at(0.0, 0.5), 1.0));
        let around = Viewer {
            direction: Vec3::ZERO,
            ..viewer
        };
        assert!(around.sees(at(0.0, 9.0), 0.1));
    }
}
