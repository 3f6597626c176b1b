//! Distances from points to triangles, bisection of triangles, and corners that coincide.

use glam::{DVec3, Vec3};

/// Whether no two corners of a triangle are the same.
pub fn are_distinct<T: PartialEq>([a, b, c]: &[T; 3]) -> bool {
    a != b && b != c && c != a
}

/// A triangle that is ready for the squared distances of many points: from its plane if a point projects into the
/// triangle, else from the nearest edge.
pub struct MeasuredTriangle<Vector, Scalar> {
    corners: [Vector; 3],
    normal: Vector,
    normal_squared: Scalar,
    /// By edge: in the triangle's plane, to its inner side.
    inward: [Vector; 3],
}

/// Defines the methods of a triangle in one precision.
macro_rules! measured_triangle {
    ($Vector:ty, $Scalar:ty) => {
        impl MeasuredTriangle<$Vector, $Scalar> {
            /// Measures a triangle.
            #[inline]
            pub fn new([a, b, c]: [$Vector; 3]) -> Self {
                let normal = (b - a).cross(c - a);
                Self {
                    corners: [a, b, c],
                    normal,
                    normal_squared: normal.length_squared(),
                    inward: [b - a, c - b, a - c].map(|along| normal.cross(along)),
                }
            }

            /// The squared distance of a point.
            #[inline]
            pub fn distance_squared(&self, point: $Vector) -> $Scalar {
                let [a, b, c] = self.corners;
                let from = [a, b, c].map(|corner| point - corner);
                let is_inside = |k: usize| self.inward[k].dot(from[k]) >= 0.0;
                if self.normal_squared > 0.0 && is_inside(0) && is_inside(1) && is_inside(2) {
                    let height = self.normal.dot(from[0]);
                    return height * height / self.normal_squared;
                }
                let to_edge = |from: $Vector, to: $Vector| {
                    let along = to - from;
                    // Smallest edges have no length in squares: their start is as near.
                    let t = along.dot(point - from) / along.length_squared();
                    let nearest = if t.is_finite() {
                        from + t.clamp(0.0, 1.0) * along
                    } else {
                        from
                    };
                    nearest.distance_squared(point)
                };
                to_edge(a, b).min(to_edge(b, c)).min(to_edge(c, a))
            }
        }
    };
}

measured_triangle!(DVec3, f64);
measured_triangle!(Vec3, f32);

/// The squared distance of a point from a triangle.
#[inline]
pub fn triangle_distance_squared(point: DVec3, corners: [DVec3; 3]) -> f64 {
    MeasuredTriangle::<DVec3, f64>::new(corners).distance_squared(point)
}

/// The point of a triangle that is nearest to another point.
pub fn closest_point(point: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let normal = (b - a).cross(c - a);
    let edges = [[a, b], [b, c], [c, a]];
    let is_inside = |[from, to]: [DVec3; 2]| normal.cross(to - from).dot(point - from) >= 0.0;
    let normal_squared = normal.length_squared();
    if normal_squared > 0.0 && edges.into_iter().all(is_inside) {
        let height = normal.dot(point - a) / normal_squared;
        return point - normal * height;
    }
    let on_edge = edges.map(|[from, to]| {
        let along = to - from;
        let share = along.dot(point - from) / along.length_squared();
        // An edge may have no length.
        from + along * share.clamp(0.0, 1.0).max(0.0)
    });
    let distance = |at: &DVec3| at.distance_squared(point);
    let nearest = on_edge
        .into_iter()
        .min_by(|x, y| distance(x).total_cmp(&distance(y)));
    nearest.unwrap_or(a)
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
    fn closest_points_are_as_far_as_the_distance_says() {
        let triangle = [
            DVec3::ZERO,
            DVec3::new(1.0, 0.2, 0.0),
            DVec3::new(0.1, 1.0, 0.4),
        ];
        let mut inside = 0;
        for step in 0..200 {
            let [x, y, z] = [0.7, 1.3, 2.9].map(|factor| libm::sin(factor * f64::from(step)));
            let point = DVec3::new(0.4 + 0.8 * x, 0.4 + 0.8 * y, z);
            let nearest = closest_point(point, triangle);
            let distance = triangle_distance_squared(point, triangle).sqrt();
            assert!((nearest.distance(point) - distance).abs() < 1e-12);
            assert!(triangle_distance_squared(nearest, triangle) < 1e-24);
            let to_edges = [[0, 1], [1, 2], [2, 0]].map(|[a, b]| {
                triangle_distance_squared(nearest, [triangle[a], triangle[b], triangle[b]])
            });
            inside += i32::from(to_edges.iter().all(|squared| *squared > 1e-12));
        }
        assert!((10..190).contains(&inside), "{inside}");
        assert_eq!(closest_point(DVec3::Y, [DVec3::X; 3]), DVec3::X);
        // Its normal is not zero, and has no length in squares.
        let tiny = triangle.map(|corner| 1e-90 * corner);
        assert!(closest_point(DVec3::Y, tiny).length() < 1e-89);
    }

    #[test]
    fn faces_edges_and_corners_are_nearest_in_turn() {
        let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
        for (point, wanted) in [
            (Vec3::new(0.25, 0.25, 2.0), 4.0),
            (Vec3::new(0.5, -3.0, 0.0), 9.0),
            (Vec3::new(1.0, 1.0, 0.0), 0.5),
            (Vec3::new(-3.0, -4.0, 0.0), 25.0),
        ] {
            let found = MeasuredTriangle::<Vec3, f32>::new(triangle).distance_squared(point);
            assert!((found - wanted).abs() < 1e-5, "{point}: {found}");
        }
        let flat = [Vec3::ZERO, Vec3::X, Vec3::X];
        let distance_squared =
            |point| MeasuredTriangle::<Vec3, f32>::new(flat).distance_squared(point);
        assert_eq!(distance_squared(Vec3::new(3.0, 0.0, 0.0)), 4.0);
        let point = MeasuredTriangle::<Vec3, f32>::new([Vec3::ZERO; 3]);
        assert_eq!(point.distance_squared(Vec3::Y), 1.0);
    }
}
