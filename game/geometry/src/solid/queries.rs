//! Queries of solids: samples of volume and surface, point in solid, distance from the surface.

use super::Solid;
use crate::math::triangle::triangle_distance_squared;
use crate::math::Aabb;
use crate::mesh::ray::ray_x_hit;
use crate::steps::{finish, pause};
use glam::DVec3;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Points drawn in the box for each point wanted. More would make thin solids slow; a solid that fills
/// less than a 200th of its box gets fewer points than wanted.
const MAX_TRIES: usize = 200;

/// Points that are drawn in one step.
const TRIES_PER_STEP: usize = 256;

/// Shortest way out of a solid from a point on its surface, in diagonals of its box: less is rounding.
const MIN_WAY_OUT: f64 = 1e-5;

/// Whether a ray meets a box within a distance.
fn ray_meets_box(bounds: Aabb, point: DVec3, direction: DVec3, distance: f64) -> bool {
    let [low, high] = bounds.corners();
    let (mut near, mut far) = (0.0_f64, distance);
    for axis in 0..3 {
        let [low, high] = [low, high].map(|corner| corner[axis] - point[axis]);
        if direction[axis] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
            continue;
        }
        let (a, b) = (low / direction[axis], high / direction[axis]);
        near = near.max(a.min(b));
        far = far.min(a.max(b));
    }
    near <= far
}

/// Distance along a ray at which it comes out at the front of a triangle (Möller and Trumbore 1997).
fn leaving_distance([a, b, c]: [DVec3; 3], point: DVec3, direction: DVec3) -> Option<f64> {
    let (ab, ac) = (b - a, c - a);
    let across = direction.cross(ac);
    let volume = ab.dot(across);
    // Positive where the ray meets the front, which it enters by.
    if volume >= 0.0 {
        return None;
    }
    let from = point - a;
    let u = from.dot(across) / volume;
    let around = from.cross(ab);
    let v = direction.dot(around) / volume;
    let is_inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0;
    is_inside.then(|| ac.dot(around) / volume)
}

impl Solid {
    /// Points distributed evenly in the solid (object space), the same for the same seed. There are fewer
    /// than `count` if the solid fills less than a 200th of its box.
    pub fn sample_volume(&self, count: u32, seed: u64) -> Vec<DVec3> {
        finish(self.sample_volume_in_steps(count, seed))
    }

    /// The same in [steps](crate::steps) of some hundred points.
    pub async fn sample_volume_in_steps(&self, count: u32, seed: u64) -> Vec<DVec3> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let [low, high] = self.bounds().corners();
        let mut draw = || DVec3::from_array(std::array::from_fn(|_| random.random::<f64>()));
        let mut found = Vec::new();
        for tried in 0..(count as usize).saturating_mul(MAX_TRIES) {
            if tried % TRIES_PER_STEP == TRIES_PER_STEP - 1 {
                pause().await;
            }
            if found.len() >= count as usize {
                break;
            }
            let point = low + (high - low) * draw();
            if self.winding(point) > 0 {
                found.push(point);
            }
        }
        found
    }

    /// Points distributed evenly on the surface (object space), the same for the same seed.
    pub fn sample_surface(&self, count: u32, seed: u64) -> Vec<DVec3> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut sums = Vec::with_capacity(self.triangle_count());
        let mut total = 0.0;
        for triangle in 0..self.triangle_count() as u32 {
            let [a, b, c] = self.positions_of(triangle);
            total += (b - a).cross(c - a).length();
            sums.push(total);
        }
        let mut draw = || {
            let at = total * random.random::<f64>();
            let triangle = sums.partition_point(|sum| *sum < at);
            let triangle = triangle.min(sums.len().saturating_sub(1));
            let (mut u, mut v) = (random.random::<f64>(), random.random::<f64>());
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            let [a, b, c] = self.positions_of(triangle as u32);
            a + (b - a) * u + (c - a) * v
        };
        (0..count).map(|_| draw()).collect()
    }

    /// Whether a point (object space) lies in the solid.
    pub fn is_inside(&self, point: DVec3) -> bool {
        self.winding(point) > 0
    }

    /// Distance from a point (object space, metres) along a unit vector to the place where the ray leaves the solid
    /// for the first time; `None` if it does not. A ray from the surface does not leave at its beginning.
    pub fn way_out(&self, point: DVec3, direction: DVec3) -> Option<f64> {
        let start = MIN_WAY_OUT * self.bounds().diagonal();
        let mut nearest = f64::INFINITY;
        let mut stack = vec![0];
        while let Some(index) = stack.pop() {
            let node = self.bvh.node(index);
            if !ray_meets_box(node.bounds(), point, direction, nearest) {
                continue;
            }
            if !node.is_leaf() {
                stack.extend([index + 1, node.right]);
                continue;
            }
            for triangle in node.triangles() {
                let leaves = leaving_distance(self.positions_of(triangle), point, direction);
                nearest = leaves
                    .filter(|at| *at > start)
                    .map_or(nearest, |at| at.min(nearest));
            }
        }
        nearest.is_finite().then_some(nearest)
    }

    /// The winding number of the surface around a point: surfaces that a ray along +x leaves less those
    /// that it enters.
    fn winding(&self, point: DVec3) -> i32 {
        let mut winding = 0;
        self.bvh.query_ray_x(point, &mut Vec::new(), |triangle| {
            winding += ray_x_hit(self.positions_of(triangle), point).winding();
        });
        winding
    }

    /// The distance of a point (object space) from the surface, or `limit` if that is less. The cost
    /// depends on what lies within `limit`. `stack` is scratch.
    pub(crate) fn distance_within(&self, point: DVec3, limit: f64, stack: &mut Vec<u32>) -> f64 {
        let mut best = limit * limit;
        stack.clear();
        stack.push(0);
        while let Some(index) = stack.pop() {
            let node = self.bvh.node(index);
            if node.bounds().distance_squared(point) >= best {
                continue;
            }
            if !node.is_leaf() {
                stack.extend([index + 1, node.right]);
                continue;
            }
            for triangle in node.triangles() {
                let corners = self.positions_of(triangle);
                // Most are farther away than their boxes.
                if Aabb::from_points(corners).distance_squared(point) < best {
                    best = best.min(triangle_distance_squared(point, corners));
                }
            }
        }
        best.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;

    #[test]
    fn rays_leave_a_ring_where_they_come_out_of_it_first() {
        let ring = Solid::new(Mesh::torus(1.0, 0.25, 96, 48)).unwrap();
        let way_out = |at: [f64; 3], along: DVec3| ring.way_out(at.into(), along);
        let near = |found: Option<f64>, wanted: f64| (found.unwrap() - wanted).abs() < 5e-3;
        // From the outer surface through to the hole, and from before it.
        for start in [1.25, 1.5] {
            let found = way_out([start, 0.0, 0.0], DVec3::NEG_X);
            assert!(near(found, start - 0.75), "{found:?}");
        }
        // From the hole to the outside, on whichever way.
        assert!(near(way_out([0.0; 3], DVec3::Z), 1.25));
        assert!(near(way_out([0.0; 3], DVec3::new(0.6, 0.0, -0.8)), 1.25));
        assert_eq!(way_out([0.0; 3], DVec3::Y), None);
        assert_eq!(way_out([1.5, 0.0, 0.0], DVec3::X), None);
    }

    #[test]
    fn distances_to_a_box() {
        let solid = Solid::new(Mesh::cuboid([2.0, 2.0, 2.0])).unwrap();
        let mut open = Vec::new();
        let mut far = |at: [f64; 3]| solid.distance_within(at.into(), 10.0, &mut open);
        assert!((far([0.2, 0.0, 0.0]) - 0.8).abs() < 1e-12);
        assert!((far([3.0, 0.5, 0.5]) - 2.0).abs() < 1e-12);
        assert!((far([2.0, 2.0, 0.0]) - 2f64.sqrt()).abs() < 1e-12);
        assert!((far([2.0, 2.0, 2.0]) - 3f64.sqrt()).abs() < 1e-12);
        assert_eq!(far([0.3, 1.0, 0.2]), 0.0);
        assert_eq!(solid.distance_within(DVec3::ZERO, 0.25, &mut open), 0.25);
    }
}
