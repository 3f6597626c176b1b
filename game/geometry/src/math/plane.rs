//! Planes.

use crate::byte_io::{write_f64s, ByteReader, Malformed};
use glam::DVec3;

/// Largest difference of the square of a normal's length from 1 that rounding leaves.
const NORMAL_ROUNDING: f64 = 1e-9;

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

    /// Appends the plane to bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_f64s(out, &self.normal.to_array());
        write_f64s(out, &[self.offset]);
    }

    /// Reads a plane.
    pub fn read(reader: &mut ByteReader) -> Result<Self, Malformed> {
        let plane = Self {
            normal: DVec3::from_array(reader.f64s()?),
            offset: reader.f64()?,
        };
        let is_unit = (plane.normal.length_squared() - 1.0).abs() < NORMAL_ROUNDING;
        let is_plane = is_unit && plane.offset.is_finite();
        is_plane.then_some(plane).ok_or(Malformed)
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
