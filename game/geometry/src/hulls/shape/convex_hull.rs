//! Convex polyhedra as points, triangles and planes: [`ConvexHull`] for the search, [`Hull`] for
//! callers.

use crate::math::triangle::triangle_distance_squared;
use crate::math::{Aabb, Plane};
use glam::DVec3;

/// A convex polyhedron, metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// Corners, at most 128 of a hull of a piece.
    pub points: Vec<[f32; 3]>,
    /// Surface, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// m^3
    pub volume: f64,
}

impl From<&ConvexHull> for Hull {
    fn from(hull: &ConvexHull) -> Self {
        let points = hull.points.iter();
        Self {
            points: points.map(|point| point.as_vec3().to_array()).collect(),
            triangles: hull.triangles.clone(),
            volume: hull.volume(),
        }
    }
}

/// A convex polyhedron with outward planes, one for each triangle.
#[derive(Clone, Debug)]
pub struct ConvexHull {
    pub points: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    pub planes: Vec<Plane>,
}

impl ConvexHull {
    fn corners(&self, triangle: &[u32; 3]) -> [DVec3; 3] {
        triangle.map(|corner| self.points[corner as usize])
    }

    /// The greatest height of a point above a plane: negative inside.
    pub fn height(&self, point: DVec3) -> f64 {
        let heights = self.planes.iter().map(|plane| plane.height(point));
        heights.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Distance of a point from the surface; 0 inside.
    pub fn distance(&self, point: DVec3) -> f64 {
        if self.height(point) <= 0.0 {
            return 0.0;
        }
        let triangles = self.triangles.iter();
        let squares =
            triangles.map(|triangle| triangle_distance_squared(point, self.corners(triangle)));
        squares.fold(f64::INFINITY, f64::min).sqrt()
    }

    /// Whether a point is inside, or outside by at most `limit` (metres).
    pub fn is_near(&self, point: DVec3, limit: f64) -> bool {
        let mut highest = (0.0, None);
        for (plane, triangle) in self.planes.iter().zip(&self.triangles) {
            let height = plane.height(point);
            if height > limit {
                return false;
            }
            if height > highest.0 {
                highest = (height, Some(triangle));
            }
        }
        let is_near_triangle = |triangle: &[u32; 3]| {
            triangle_distance_squared(point, self.corners(triangle)) <= limit * limit
        };
        // The triangle with the highest plane is mostly the nearest.
        highest.1.is_none_or(|nearest| {
            is_near_triangle(nearest) || self.triangles.iter().any(is_near_triangle)
        })
    }

    /// Distance from a point inside to the surface along a unit direction; not above 0 from a point
    /// outside.
    pub fn exit_distance(&self, from: DVec3, direction: DVec3) -> f64 {
        let mut distance = f64::INFINITY;
        for plane in &self.planes {
            let slope = plane.normal.dot(direction);
            let height = plane.height(from);
            if slope > 0.0 {
                distance = distance.min(-height / slope);
            } else if height > 0.0 {
                return 0.0;
            }
        }
        distance
    }

    /// m^3
    pub fn volume(&self) -> f64 {
        enclosed_volume(&self.points, self.triangles.iter().copied())
    }

    pub fn bounds(&self) -> Aabb {
        Aabb::from_points(self.points.iter().copied())
    }
}

/// The volume inside of a closed surface, m^3.
pub fn enclosed_volume(points: &[DVec3], triangles: impl Iterator<Item = [u32; 3]>) -> f64 {
    let Some(&origin) = points.first() else {
        return 0.0;
    };
    let six_volumes = triangles.map(|triangle| {
        let [a, b, c] = triangle.map(|corner| points[corner as usize] - origin);
        a.dot(b.cross(c))
    });
    six_volumes.sum::<f64>() / 6.0
}

/// The directed edges of a triangle, in its order.
pub fn triangle_edges<T: Copy>([a, b, c]: [T; 3]) -> [[T; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}
