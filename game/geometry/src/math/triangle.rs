//! Distances from points to triangles, and bisection of triangles.

use glam::{DVec3, Vec3};

/// The squared distance of a point from a triangle: from its plane if the point projects into the
/// triangle, else from the nearest edge.
pub fn triangle_distance_squared(point: DVec3, corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let edges = [(a, b), (b, c), (c, a)];
    let is_inside =
        |(from, to): &(DVec3, DVec3)| (*to - *from).cross(point - *from).dot(normal) >= 0.0;
    let normal_squared = normal.length_squared();
    if normal_squared > 0.0 && edges.iter().all(is_inside) {
        let height = normal.dot(point - a);
        return height * height / normal_squared;
    }
    let to_edge = |(from, to): (DVec3, DVec3)| {
        let along = to - from;
        let length = along.length_squared().max(f64::MIN_POSITIVE);
        let t = (along.dot(point - from) / length).clamp(0.0, 1.0);
        (from + along * t - point).length_squared()
    };
    edges.map(to_edge).into_iter().fold(f64::INFINITY, f64::min)
}

/// [`triangle_distance_squared`] in single precision, for the simplifier's inner loop.
pub fn triangle_distance_squared_f32(point: Vec3, corners: [Vec3; 3]) -> f32 {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let is_inside = |a: Vec3, b: Vec3| normal.cross(b - a).dot(point - a) >= 0.0;
    let normal_squared = normal.length_squared();
    if normal_squared > 0.0 && is_inside(a, b) && is_inside(b, c) && is_inside(c, a) {
        let height = normal.dot(point - a);
        return height * height / normal_squared;
    }
    let to_edge = |(a, b): (Vec3, Vec3)| {
        let along = b - a;
        let t = along.dot(point - a) / along.length_squared();
        let nearest = if t.is_finite() {
            a + t.clamp(0.0, 1.0) * along
        } else {
            a
        };
        nearest.distance_squared(point)
    };
    let distances = [(a, b), (b, c), (c, a)].map(to_edge);
    distances.into_iter().fold(f32::INFINITY, f32::min)
}

/// Both halves of a triangle, bisected across its longest edge; `None` if that is no longer than
/// `max_edge`.
pub fn bisect(corners: &[DVec3; 3], max_edge: f64) -> Option<[[DVec3; 3]; 2]> {
    let [from, to, top] = longest_edge_first(*corners, max_edge, |corner| *corner)?;
    let middle = 0.5 * (from + to);
    Some([[from, middle, top], [middle, to, top]])
}

/// The corners of a triangle, rotated to begin with its longest edge; `None` if that is no longer than
/// `max_edge`.
pub fn longest_edge_first<T: Copy>(
    [a, b, c]: [T; 3],
    max_edge: f64,
    position: impl Fn(&T) -> DVec3,
) -> Option<[T; 3]> {
    let squared = |[from, to, _]: &[T; 3]| position(from).distance_squared(position(to));
    let longer = |x, y| if squared(&y) > squared(&x) { y } else { x };
    let rotations = [[a, b, c], [b, c, a], [c, a, b]];
    let longest = rotations.into_iter().reduce(longer)?;
    (squared(&longest) > max_edge * max_edge).then_some(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_edges_and_corners_are_nearest_in_turn() {
        let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
        for (point, wanted) in [
            (Vec3::new(0.25, 0.25, 2.0), 4.0),
            (Vec3::new(0.5, -3.0, 0.0), 9.0),
            (Vec3::new(1.0, 1.0, 0.0), 0.5),
            (Vec3::new(-3.0, -4.0, 0.0), 25.0),
        ] {
            let found = triangle_distance_squared_f32(point, triangle);
            assert!((found - wanted).abs() < 1e-5, "{point}: {found}");
        }
        let flat = [Vec3::ZERO, Vec3::X, Vec3::X];
        assert_eq!(
            triangle_distance_squared_f32(Vec3::new(3.0, 0.0, 0.0), flat),
            4.0
        );
        assert_eq!(triangle_distance_squared_f32(Vec3::Y, [Vec3::ZERO; 3]), 1.0);
    }
}
