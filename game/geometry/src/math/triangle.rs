//! Distances from points to triangles, and bisection of triangles.

use glam::{DVec3, Vec3};

/// Defines the squared distance of a point from a triangle, from its plane if the point projects into the
/// triangle, else from the nearest edge, in one precision.
macro_rules! triangle_distance_squared {
    ($(#[$doc:meta])* $name:ident, $Vector:ty, $Scalar:ty) => {
        $(#[$doc])*
        pub fn $name(point: $Vector, corners: [$Vector; 3]) -> $Scalar {
            let [a, b, c] = corners;
            let normal = (b - a).cross(c - a);
            let edges = [(a, b), (b, c), (c, a)];
            let is_inside = |&(from, to): &($Vector, $Vector)| {
                normal.cross(to - from).dot(point - from) >= 0.0
            };
            let normal_squared = normal.length_squared();
            if normal_squared > 0.0 && edges.iter().all(is_inside) {
                let height = normal.dot(point - a);
                return height * height / normal_squared;
            }
            let to_edge = |(from, to): ($Vector, $Vector)| {
                let along = to - from;
                // Smallest edges have no length in squares: their start is as near.
                let t = along.dot(point - from) / along.length_squared();
                let nearest = if t.is_finite() { from + t.clamp(0.0, 1.0) * along } else { from };
                nearest.distance_squared(point)
            };
            edges.map(to_edge).into_iter().fold(<$Scalar>::INFINITY, <$Scalar>::min)
        }
    };
}

triangle_distance_squared!(
    /// The squared distance of a point from a triangle.
    triangle_distance_squared, DVec3, f64
);
triangle_distance_squared!(
    /// The squared distance of a point from a triangle in single precision, for the simplifier's inner loop.
    triangle_distance_squared_f32, Vec3, f32
);

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
