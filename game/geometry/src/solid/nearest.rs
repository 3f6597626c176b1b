//! How far a point is from the surface.

use super::Solid;
use glam::{DVec3, Vec3};

impl Solid {
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

/// Squared: to the inside where the point is above it, else to the nearest edge.
pub fn triangle_distance(point: DVec3, corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let edges = [(a, b), (b, c), (c, a)];
    let is_inside =
        |(from, to): &(DVec3, DVec3)| (*to - *from).cross(point - *from).dot(normal) >= 0.0;
    let square = normal.length_squared();
    if square > 0.0 && edges.iter().all(is_inside) {
        let height = normal.dot(point - a);
        return height * height / square;
    }
    let to_edge = |(from, to): (DVec3, DVec3)| {
        let along = to - from;
        let length = along.length_squared().max(f64::MIN_POSITIVE);
        let share = (along.dot(point - from) / length).clamp(0.0, 1.0);
        (from + along * share - point).length_squared()
    };
    edges.map(to_edge).into_iter().fold(f64::INFINITY, f64::min)
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
