//! Queries of solids: samples of volume and surface, point in solid, distance from the surface.

use super::Solid;
use crate::math::triangle::triangle_distance_squared;
use crate::mesh::ray::ray_x_hit;
use glam::DVec3;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Points drawn in the box for each point wanted. More would make thin solids slow; a solid that fills
/// less than a 200th of its box gets fewer points than wanted.
const MAX_TRIES: usize = 200;

impl Solid {
    /// Points distributed evenly in the solid (object space), the same for the same seed. There are fewer
    /// than `count` if the solid fills less than a 200th of its box.
    pub fn sample_volume(&self, count: u32, seed: u64) -> Vec<DVec3> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let [low, high] = self.bounds().corners();
        let mut draw = || DVec3::from_array(std::array::from_fn(|_| random.random::<f64>()));
        let mut found = Vec::new();
        for _ in 0..(count as usize).saturating_mul(MAX_TRIES) {
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
    pub(crate) fn is_inside(&self, point: DVec3) -> bool {
        self.winding(point) > 0
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
                best = best.min(triangle_distance_squared(
                    point,
                    self.positions_of(triangle),
                ));
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
