//! A convex polyhedron by its points, faces and planes.

use crate::math::triangle::triangle_distance;
use glam::DVec3;

/// A plane with a unit normal: `height` is 0 on it and more above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    pub normal: DVec3,
    pub offset: f64,
}

impl Plane {
    pub fn through(normal: DVec3, point: DVec3) -> Self {
        Self {
            normal,
            offset: normal.dot(point),
        }
    }

    pub fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// How far points reach below and above it.
    pub fn reach(&self, points: &[DVec3]) -> [f64; 2] {
        let heights = points.iter().map(|point| self.height(*point));
        let far = [f64::INFINITY, f64::NEG_INFINITY];
        heights.fold(far, |[low, high], height| {
            [low.min(height), high.max(height)]
        })
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
    /// How far a point is above the highest of the planes; less than 0 inside.
    pub fn height(&self, point: DVec3) -> f64 {
        let heights = self.planes.iter().map(|plane| plane.height(point));
        heights.fold(f64::NEG_INFINITY, f64::max)
    }

    /// How far a point outside is from the surface; 0 inside.
    pub fn distance(&self, point: DVec3) -> f64 {
        if self.height(point) <= 0.0 {
            return 0.0;
        }
        let triangles = self.triangles.iter();
        let squares = triangles.map(|corners| {
            let corners = corners.map(|corner| self.points[corner as usize]);
            triangle_distance(point, corners)
        });
        squares.fold(f64::INFINITY, f64::min).sqrt()
    }

    /// Whether a point is inside, or outside by `limit` at most (metres).
    pub fn is_near(&self, point: DVec3, limit: f64) -> bool {
        let mut highest = (0.0, None);
        for (plane, corners) in self.planes.iter().zip(&self.triangles) {
            let height = plane.height(point);
            if height > limit {
                return false;
            }
            if height > highest.0 {
                highest = (height, Some(corners));
            }
        }
        let has = |corners: &[u32; 3]| {
            let corners = corners.map(|corner| self.points[corner as usize]);
            triangle_distance(point, corners) <= limit * limit
        };
        // The face that it is above most is mostly the nearest.
        highest
            .1
            .is_none_or(|nearest| has(nearest) || self.triangles.iter().any(has))
    }

    /// How far it is from a point inside along a unit direction to the surface.
    pub fn way_out(&self, from: DVec3, direction: DVec3) -> f64 {
        let mut way = f64::INFINITY;
        for plane in &self.planes {
            let speed = plane.normal.dot(direction);
            let height = plane.height(from);
            if speed > 0.0 {
                way = way.min(-height / speed);
            } else if height > 0.0 {
                return 0.0;
            }
        }
        way
    }

    pub fn volume(&self) -> f64 {
        let Some(&origin) = self.points.first() else {
            return 0.0;
        };
        let six = self.triangles.iter().map(|corners| {
            let [a, b, c] = corners.map(|corner| self.points[corner as usize] - origin);
            a.dot(b.cross(c))
        });
        six.sum::<f64>() / 6.0
    }

    pub fn bounds(&self) -> [DVec3; 2] {
        bounds(&self.points)
    }
}

/// The box of some points; of none it is inside out.
pub fn bounds(points: &[DVec3]) -> [DVec3; 2] {
    let far = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    points.iter().fold(far, |[low, high], point| {
        [low.min(*point), high.max(*point)]
    })
}

/// Whether two boxes have a point in common.
pub fn meet([low, high]: &[DVec3; 2], [l, h]: &[DVec3; 2]) -> bool {
    low.cmple(*h).all() && l.cmple(*high).all()
}

/// How far boxes are apart, along the axis along which they are most; below 0 where they meet.
pub fn apart([low, high]: &[DVec3; 2], [l, h]: &[DVec3; 2]) -> f64 {
    (*low - *h).max(*l - *high).max_element()
}

/// The sides of a triangle, in its order.
pub fn sides<T: Copy>([a, b, c]: [T; 3]) -> [[T; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}
