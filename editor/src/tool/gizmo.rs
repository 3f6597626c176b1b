//! Handles of the impact: spheres to be dragged, at its place, at the tip of its normal and on the
//! circle of its radius.

use fracture::Impact;
use fyrox::core::{
    algebra::Vector3,
    color::Color,
    math::{plane::Plane, ray::Ray},
};
use fyrox::scene::debug::{Line, SceneDrawingContext};

/// Segments of the circle that shows the radius.
const SEGMENTS: usize = 48;
/// Size of a handle for its distance from the camera.
const SIZE: f32 = 0.012;
/// How much farther than its sphere a handle can be grasped.
const GRASP: f32 = 1.8;
/// Shortest arrow and smallest circle that can be grasped, metres.
const SMALLEST: f32 = 0.05;

/// What dragging changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Handle {
    /// Where the impact is.
    #[default]
    Point,
    /// How far it breaks.
    Radius,
    /// Which way it comes from.
    Normal,
}

/// The handles and where they are, world space.
pub fn handles(impact: &Impact, radius: f32) -> [(Handle, Vector3<f32>); 3] {
    let reach = radius.max(SMALLEST);
    let (side, _) = sides(impact.normal);
    [
        (Handle::Normal, impact.point + impact.normal * reach),
        (Handle::Radius, impact.point + side * reach),
        (Handle::Point, impact.point),
    ]
}

/// The handle that a ray from the camera grasps: of several the one it passes closest to.
pub fn grasped(impact: &Impact, radius: f32, ray: &Ray) -> Option<Handle> {
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

/// The radius that the circle has when it is dragged to where a ray meets its plane.
pub fn dragged_radius(impact: &Impact, ray: &Ray) -> Option<f32> {
    let at = on_plane(ray, impact.normal, impact.point)?;
    Some((at - impact.point).norm().max(SMALLEST))
}

/// The normal when its tip is dragged along the plane through it that faces the camera.
pub fn dragged_normal(impact: &Impact, radius: f32, ray: &Ray) -> Option<Vector3<f32>> {
    let [(_, tip), ..] = handles(impact, radius);
    let at = on_plane(ray, ray.dir, tip)?;
    (at - impact.point).try_normalize(1e-4)
}

/// Where a ray meets a plane; one that it only grazes is turned towards it.
fn on_plane(ray: &Ray, normal: Vector3<f32>, point: Vector3<f32>) -> Option<Vector3<f32>> {
    let grazes = normal.dot(&ray.dir.try_normalize(f32::EPSILON)?).abs() < 0.05;
    let normal = if grazes { ray.dir } else { normal };
    let plane = Plane::from_normal_and_point(&normal, &point)?;
    ray.plane_intersection_point(&plane)
}

/// Draws the impact and its handles, for a camera that stands at `eye`.
pub fn draw(
    context: &mut SceneDrawingContext,
    impact: &Impact,
    radius: f32,
    held: Option<Handle>,
    eye: Vector3<f32>,
) {
    let (point, reach) = (impact.point, radius.max(SMALLEST));
    let (side, other) = sides(impact.normal);
    let mut line = |begin, end, color| context.add_line(Line { begin, end, color });
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

/// Two directions across a normal.
fn sides(normal: Vector3<f32>) -> (Vector3<f32>, Vector3<f32>) {
    let across = if normal.x.abs() < 0.7 {
        Vector3::x()
    } else {
        Vector3::y()
    };
    // Towards x or y, as far as that goes: the handle is where one looks for it.
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
