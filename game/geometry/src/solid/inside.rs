//! Points drawn inside a solid.

use super::Solid;
use glam::{DVec3, Vec3};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Points tried for each one wanted: a solid that fills less than a 200th of its box gets fewer.
const TRIES: usize = 200;

impl Solid {
    /// Points spread evenly over the inside, in object space: the same for the same seed. Fewer than
    /// asked for when the solid takes up less than a 200th of its box.
    ///
    /// A point counts as inside by the crossings of one line, in floating point: close to the
    /// surface it may be wrong, which a site does not mind.
    pub fn points_inside(&self, count: u32, seed: u64) -> Vec<DVec3> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let [low, high] = self.bounds();
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

    /// How often the surface goes around a point: what a line along +x leaves less what it enters.
    fn winding(&self, point: DVec3) -> i32 {
        let flat = point.as_vec3();
        let misses = |low: Vec3, high: Vec3| {
            let beside = flat.y < low.y || flat.y > high.y || flat.z < low.z || flat.z > high.z;
            beside || flat.x > high.x
        };
        let mut open = vec![0];
        let mut winding = 0;
        while let Some(index) = open.pop() {
            let node = self.tree.node(index);
            if misses(node.low, node.high) {
                continue;
            }
            if node.right != 0 {
                open.extend([index + 1, node.right]);
                continue;
            }
            let triangles = node.first..node.first + node.count;
            winding += triangles.map(|t| self.crossing(t, point)).sum::<i32>();
        }
        winding
    }

    /// +1 when the line along +x leaves the solid through a triangle, -1 when it enters.
    fn crossing(&self, triangle: u32, point: DVec3) -> i32 {
        let corners = self.positions_of(triangle).map(|p| p - point);
        // Half-open intervals: an edge between two triangles is crossed once.
        let above = corners.map(|p| p.z > 0.0);
        let mut sides = [0; 2];
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            if above[k] != above[(k + 1) % 3] {
                let y = a.y - a.z * (b.y - a.y) / (b.z - a.z);
                sides[usize::from(above[k])] = if y > 0.0 { 1 } else { -1 };
            }
        }
        // The two crossed edges lie on both sides of the line, or the triangle does beside it.
        if sides[0] * sides[1] >= 0 {
            return 0;
        }
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let ahead = normal.dot(corners[0]) / normal.x;
        if ahead > 0.0 {
            normal.x.signum() as i32
        } else {
            0
        }
    }
}
