//! Handles of the impact that can be dragged: spheres at its point, at the tip of its normal and on the
//! circle of its radius.

use fracture::{in_front, Impact};
use fyrox::core::{
    algebra::Vector3,
    color::Color,
    math::{plane::Plane, ray::Ray},
};
use fyrox::scene::debug::{Line, SceneDrawingContext};

/// Segments of the circle that shows the radius.
const SEGMENTS: usize = 48;
/// Radius of a handle as a fraction of its distance from the camera.
const SIZE: f32 = 0.012;
/// Radius within which a handle can be picked, as a multiple of its sphere's.
const GRASP: f32 = 1.8;
/// Shortest arrow and smallest circle that are drawn, metres, so that they can be picked.
const SMALLEST: f32 = 0.05;

/// A handle of the impact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GizmoHandle {
    /// Position of the impact.
    #[default]
    Point,
    /// Radius of its break, metres.
    Radius,
    /// Its normal.
    Normal,
}

/// Returns the handles and their positions, world space.
pub fn handles(impact: &Impact, radius: f32) -> [(GizmoHandle, Vector3<f32>); 3] {
    let reach = radius.max(SMALLEST);
    let (side, _) = sides(impact.normal);
    [
        (GizmoHandle::Normal, impact.point + impact.normal * reach),
        (GizmoHandle::Radius, impact.point + side * reach),
        (GizmoHandle::Point, impact.point),
    ]
}

/// Returns the handle that a ray from the camera picks: of several the one closest to the ray.
pub fn grasped(impact: &Impact, radius: f32, ray: &Ray) -> Option<GizmoHandle> {
    let direction = ray.dir.try_normalize(f32::EPSILON)?;
    let miss = |at: &Vector3<f32>| {
        let to = at - ray.origin;
        let along = to.dot(&direction);
        let off = (to - direction * along).norm();
        (along > 0.0 && off < size(at, &ray.origin) * GRASP).then_some(off)
    };
    let all = handles(impact, radius).into_iter();
    let hits = all.filter_map(|(handle, at)| Some((handle, miss(&at)?)));
    let nearest = hits.min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.map(|(handle, _)| handle)
}

/// Returns the radius of the circle when it is dragged to the point where a ray meets its plane.
pub fn dragged_radius(impact: &Impact, ray: &Ray) -> Option<f32> {
    let at = on_plane(ray, impact.normal, impact.point)?;
    Some((at - impact.point).norm().max(SMALLEST))
}

/// Returns the normal when its tip is dragged in the plane through the tip that faces the camera.
pub fn dragged_normal(impact: &Impact, radius: f32, ray: &Ray) -> Option<Vector3<f32>> {
    let [(_, tip), ..] = handles(impact, radius);
    let at = on_plane(ray, ray.dir, tip)?;
    (at - impact.point).try_normalize(1e-4)
}

/// Returns the point where a ray meets a plane; a grazed plane is tilted towards the ray.
fn on_plane(ray: &Ray, normal: Vector3<f32>, point: Vector3<f32>) -> Option<Vector3<f32>> {
    let grazes = normal.dot(&ray.dir.try_normalize(f32::EPSILON)?).abs() < 0.05;
    let normal = if grazes { ray.dir } else { normal };
    let plane = Plane::from_normal_and_point(&normal, &point)?;
    ray.plane_intersection_point(&plane)
}

/// Draws the impact and its handles for a camera at `eye`.
pub fn draw(
    context: &mut SceneDrawingContext,
    impact: &Impact,
    radius: f32,
    held: Option<GizmoHandle>,
    eye: Vector3<f32>,
) {
    let (point, reach) = (impact.point, radius.max(SMALLEST));
    let (side, other) = sides(impact.normal);
    let mut line = |begin, end, color| {
        let [begin, end] = [begin, end].map(|end| in_front(end, eye));
        context.add_line(Line { begin, end, color });
    };
    line(point, point + impact.normal * reach, Color::RED);
    let at = |k: usize| {
        let (sin, cos) = (k as f32 / SEGMENTS as f32 * std::f32::consts::TAU).sin_cos();
        point + (side * cos + other * sin) * radius
    };
    for k in 0..SEGMENTS {
        line(at(k), at(k + 1), Color::RED);
    }
    for (handle, at) in handles(impact, radius) {
        let color = match held {
            Some(held) if held == handle => Color::opaque(255, 230, 90),
            _ => Color::RED,
        };
        context.draw_sphere(at, 8, 8, size(&at, &eye), color);
    }
}

fn size(at: &Vector3<f32>, eye: &Vector3<f32>) -> f32 {
    (at - eye).norm() * SIZE
}

/// Returns two unit vectors perpendicular to a normal and to each other.
fn sides(normal: Vector3<f32>) -> (Vector3<f32>, Vector3<f32>) {
    let across = if normal.x.abs() < 0.7 {
        Vector3::x()
    } else {
        Vector3::y()
    };
    // Close to x or y, where a user expects the handle.
    let other = normal.cross(&across);
    let other = other.try_normalize(f32::EPSILON).unwrap_or(Vector3::z());
    (other.cross(&normal), other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn impact() -> Impact {
        Impact::new(Vector3::new(1.0, 2.0, 0.0), -Vector3::z(), 10.0)
    }

    fn ray_to(at: Vector3<f32>) -> Ray {
        let origin = Vector3::new(0.5, 2.5, -6.0);
        Ray::new(origin, at - origin)
    }

    #[test]
    fn each_handle_is_grasped_where_it_is() {
        for (handle, at) in handles(&impact(), 0.5) {
            assert_eq!(grasped(&impact(), 0.5, &ray_to(at)), Some(handle));
            let beside = at + Vector3::new(0.0, 0.25, 0.0);
            assert_eq!(grasped(&impact(), 0.5, &ray_to(beside)), None);
            let behind = Ray::new(Vector3::new(0.5, 2.5, -6.0), ray_to(at).origin - at);
            assert_eq!(grasped(&impact(), 0.5, &behind), None);
        }
    }

    #[test]
    fn dragging_goes_where_the_cursor_is() {
        let impact = impact();
        let to = impact.point + Vector3::new(0.3, -0.4, 0.0);
        let radius = dragged_radius(&impact, &ray_to(to)).unwrap();
        assert!((radius - 0.5).abs() < 1e-4, "{radius}");
        let [(_, tip), ..] = handles(&impact, 0.5);
        let still = dragged_normal(&impact, 0.5, &ray_to(tip)).unwrap();
        assert!((still - impact.normal).norm() < 1e-4, "{still}");
        let up = dragged_normal(&impact, 0.5, &ray_to(tip + Vector3::y() * 0.5)).unwrap();
        assert!(up.y > 0.5 && up.z < -0.5, "{up}");
    }

    #[test]
    fn a_view_along_the_circle_still_drags_it() {
        let impact = impact();
        let origin = impact.point + Vector3::new(-5.0, 0.0, 0.0);
        let ray = Ray::new(origin, Vector3::new(5.0, 0.3, 0.0));
        let radius = dragged_radius(&impact, &ray).unwrap();
        assert!((radius - 0.3).abs() < 0.02, "{radius}");
    }
}
