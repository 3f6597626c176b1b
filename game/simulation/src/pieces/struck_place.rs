//! The place on a mesh that a blow on its coarser collider strikes.
//!
//! A box around a statue is struck where nothing of the statue is, and the break would not reach it.

use fracture_geometry::Solid;
use glam::{DVec3, Vec3};
use rapier3d::parry::query::{PointQuery, Ray, RayCast};
use rapier3d::parry::shape::Triangle;

/// Distance from the mesh up to which a point on its collider belongs to it, in diagonals of its box: the corner of a
/// box is a fifth of the diagonal away from the ball in it.
const MAX_DISTANCE: f64 = 0.25;

/// Distance by which a collider may reach out of the box of its mesh, in diagonals.
const MAX_PROTRUSION: f64 = 0.02;

/// The place of a solid's surface that a blow at a point near it strikes, in body space: where the line against the
/// normal meets it, or where it is nearest. `None` for a point outside its box, or too far away. It looks at all
/// triangles.
pub(crate) fn struck_place(solid: &Solid, point: DVec3, normal: DVec3) -> Option<DVec3> {
    let bounds = solid.bounds();
    let reach = MAX_DISTANCE * bounds.diagonal();
    let outside = bounds.distance_squared(point).sqrt();
    if outside.is_nan() || outside > MAX_PROTRUSION * bounds.diagonal() {
        return None;
    }
    let origin = point.as_vec3();
    let ray = Ray::new(origin, -normal.as_vec3().normalize_or(Vec3::Y));
    let mesh = solid.mesh();
    let corner = |index: u32| mesh.positions.get(index as usize).copied().map(Vec3::from);
    let triangles = mesh
        .triangles
        .iter()
        .filter_map(|[a, b, c]| Some(Triangle::new(corner(*a)?, corner(*b)?, corner(*c)?)));
    let reach = reach as f32;
    let (mut met, mut nearest) = (None, None);
    let [mut to_met, mut to_nearest] = [reach; 2];
    for triangle in triangles {
        if let Some(distance) = triangle.cast_local_ray(&ray, to_met, true) {
            to_met = distance;
            met = Some(ray.point_at(distance));
        }
        let place = triangle.project_local_point(origin, false).point;
        if place.distance(origin) < to_nearest {
            to_nearest = place.distance(origin);
            nearest = Some(place);
        }
    }
    met.or(nearest).map(|place| place.as_dvec3())
}

#[cfg(test)]
mod tests {
    use fracture_geometry::Mesh;

    use super::*;

    #[test]
    fn a_blow_on_the_box_around_a_ball_strikes_the_ball_before_it_or_the_nearest_place() {
        let solid = Solid::new(Mesh::sphere(1.0, 64, 32)).unwrap();
        let struck = |point| struck_place(&solid, point, DVec3::Z);
        let place = struck(DVec3::new(0.3, -0.4, 1.0)).unwrap();
        assert!((place - DVec3::new(0.3, -0.4, 0.75_f64.sqrt())).length() < 0.01);
        // The line from the corner passes it.
        let place = struck(DVec3::ONE).unwrap();
        assert!((place.length() - 1.0).abs() < 0.01 && place.normalize().dot(DVec3::ONE) > 1.72);
        for far in [DVec3::splat(1.2), DVec3::Z * 3.0, DVec3::ZERO, DVec3::NAN] {
            assert_eq!(struck(far), None, "{far}");
        }
    }
}
