//! Distances of points from triangles, and triangles cut in halves.

use glam::{DVec3, Vec3};

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

/// Squared distance of a point from a triangle.
pub fn triangle_distance_squared(triangle: [Vec3; 3], point: Vec3) -> f32 {
    let [a, b, c] = triangle;
    let normal = (b - a).cross(c - a);
    let inside = |a: Vec3, b: Vec3| normal.cross(b - a).dot(point - a) >= 0.0;
    let area = normal.length_squared();
    if area > 0.0 && inside(a, b) && inside(b, c) && inside(c, a) {
        let height = normal.dot(point - a);
        return height * height / area;
    }
    let edges = [(a, b), (b, c), (c, a)];
    let distances = edges.map(|(a, b)| stretch_distance_squared(a, b, point));
    distances.into_iter().fold(f32::INFINITY, f32::min)
}

/// Squared distance of a point from the stretch between two others.
fn stretch_distance_squared(a: Vec3, b: Vec3, point: Vec3) -> f32 {
    let along = b - a;
    let share = along.dot(point - a) / along.length_squared();
    let nearest = match share.is_finite() {
        true => a + share.clamp(0.0, 1.0) * along,
        false => a,
    };
    nearest.distance_squared(point)
}

/// Both halves, when the longest edge is longer than a step.
pub fn halved(corners: &[DVec3; 3], step: f64) -> Option<[[DVec3; 3]; 2]> {
    let [from, to, top] = with_long_base(*corners, step, |corner| *corner)?;
    let middle = 0.5 * (from + to);
    Some([[from, middle, top], [middle, to, top]])
}

/// A triangle whose corners are turned so that the longest edge is that from the first to the second, when it is
/// longer than a step.
pub fn with_long_base<T: Copy>(
    [a, b, c]: [T; 3],
    step: f64,
    place: impl Fn(&T) -> DVec3,
) -> Option<[T; 3]> {
    let square = |[from, to, _]: &[T; 3]| place(from).distance_squared(place(to));
    let longer = |x, y| if square(&y) > square(&x) { y } else { x };
    let turned = [[a, b, c], [b, c, a], [c, a, b]];
    let longest = turned.into_iter().reduce(longer)?;
    (square(&longest) > step * step).then_some(longest)
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
            let found = triangle_distance_squared(triangle, point);
            assert!((found - wanted).abs() < 1e-5, "{point}: {found}");
        }
        let flat = [Vec3::ZERO, Vec3::X, Vec3::X];
        assert_eq!(
            triangle_distance_squared(flat, Vec3::new(3.0, 0.0, 0.0)),
            4.0
        );
        assert_eq!(triangle_distance_squared([Vec3::ZERO; 3], Vec3::Y), 1.0);
    }
}
