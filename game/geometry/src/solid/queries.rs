//! Questions about points: samples, point in solid, distance from the surface.

use super::Solid;
use crate::math::triangle::triangle_distance;
use crate::mesh::ray::ray_x_hit;
use glam::{DVec3, Vec3};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Points tried for each one wanted: a solid that fills less than a 200th of its box gets fewer.
const TRIES: usize = 200;

impl Solid {
    /// Points spread evenly over the inside, in object space: the same for the same seed. Fewer than
    /// asked for when the solid takes up less than a 200th of its box.
    pub fn sample_volume(&self, count: u32, seed: u64) -> Vec<DVec3> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let [low, high] = self.bounds().corners();
        let mut draw = || DVec3::from_array(std::array::from_fn(|_| random.random::<f64>()));
        let mut found = Vec::new();
        for _ in 0..(count as usize).saturating_mul(TRIES) {
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

    /// Points spread evenly over the surface, in object space: the same for the same seed.
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

    /// Whether a point (object space) is in the solid.
    pub(crate) fn is_inside(&self, point: DVec3) -> bool {
        self.winding(point) > 0
    }

    /// How often the surface goes around a point: what a line along +x leaves less what it enters.
    fn winding(&self, point: DVec3) -> i32 {
        let mut winding = 0;
        self.tree.query_ray_x(point, &mut Vec::new(), |triangle| {
            winding += ray_x_hit(self.positions_of(triangle), point).winding();
        });
        winding
    }

    /// The distance of a point (object space) from the surface, or `limit` when that is less. Costs
    /// what lies within `limit`.
    pub(crate) fn distance_within(&self, point: DVec3, limit: f64, open: &mut Vec<u32>) -> f64 {
        let mut best = limit * limit;
        open.clear();
        open.push(0);
        while let Some(index) = open.pop() {
            let node = self.tree.node(index);
            if box_distance(point, node.low, node.high) >= best {
                continue;
            }
            if node.right != 0 {
                open.extend([index + 1, node.right]);
                continue;
            }
            for triangle in node.first..node.first + node.count {
                best = best.min(triangle_distance(point, self.positions_of(triangle)));
            }
        }
        best.sqrt()
    }
}

/// Squared.
fn box_distance(point: DVec3, low: Vec3, high: Vec3) -> f64 {
    let (low, high) = (low.as_dvec3(), high.as_dvec3());
    (point - point.clamp(low, high)).length_squared()
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
