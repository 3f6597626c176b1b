//! Distances from triangles and stretches.

use glam::Vec3;

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
