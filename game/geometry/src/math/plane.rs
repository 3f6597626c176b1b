//! Planes.

use glam::DVec3;

/// A plane with a unit normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    pub normal: DVec3,
    /// Signed distance of the plane from the origin.
    pub offset: f64,
}

impl Plane {
    pub fn through(normal: DVec3, point: DVec3) -> Self {
        Self {
            normal,
            offset: normal.dot(point),
        }
    }

    /// Signed distance of a point, positive on the side of the normal.
    pub fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// The least and the greatest height of points.
    pub fn height_range(&self, points: &[DVec3]) -> [f64; 2] {
        let heights = points.iter().map(|point| self.height(*point));
        let empty = [f64::INFINITY, f64::NEG_INFINITY];
        heights.fold(empty, |[low, high], height| {
            [low.min(height), high.max(height)]
        })
    }
}
