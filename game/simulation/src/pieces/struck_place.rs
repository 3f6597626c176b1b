//! The place on a mesh that a blow strikes whose point is not on it.
//!
//! A box around a statue is struck where nothing of the statue is, and the break would not reach it. A break deep inside
//! a solid would take nothing off.

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
    first_met(solid, point, -normal, reach).or_else(|| {
        let origin = point.as_vec3();
        let places = triangles(solid).map(|own| own.project_local_point(origin, false).point);
        let nearest = places.min_by(|a, b| {
            let distance = |place: &Vec3| place.distance_squared(origin);
            distance(a).total_cmp(&distance(b))
        });
        let nearest = nearest.map(|place| place.as_dvec3());
        nearest.filter(|place| place.distance(point) < reach)
    })
}

/// The place of a solid's surface at which a blow came in whose point is inside, in body space: where its normal leads out.
/// It looks at all triangles.
pub(crate) fn entry_place(solid: &Solid, point: DVec3, normal: DVec3) -> Option<DVec3> {
    first_met(solid, point, normal, solid.bounds().diagonal())
}

/// Where a ray first meets a solid's surface.
fn first_met(solid: &Solid, from: DVec3, direction: DVec3, reach: f64) -> Option<DVec3> {
    let ray = Ray::new(from.as_vec3(), direction.as_vec3().normalize_or(Vec3::Y));
    let met = triangles(solid).filter_map(|own| own.cast_local_ray(&ray, reach as f32, true));
    let first = met.min_by(f32::total_cmp)?;
    Some(ray.point_at(first).as_dvec3())
}

fn triangles(solid: &Solid) -> impl Iterator<Item = Triangle> + '_ {
    let mesh = solid.mesh();
    let corner = |index: u32| mesh.positions.get(index as usize).copied().map(Vec3::from);
    let triangles = mesh.triangles.iter();
    triangles
        .filter_map(move |[a, b, c]| Some(Triangle::new(corner(*a)?, corner(*b)?, corner(*c)?)))
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

    #[test]
    fn a_blow_inside_came_in_where_its_normal_leads_out() {
        let solid = Solid::new(Mesh::cuboid([2.0, 1.0, 1.0])).unwrap();
        let inside = DVec3::new(0.2, 0.1, 0.0);
        let entry = |point, normal| entry_place(&solid, point, normal);
        let place = entry(inside, DVec3::X).unwrap();
        assert!(place.distance(DVec3::new(1.0, 0.1, 0.0)) < 1e-6, "{place}");
        let place = entry(inside, -DVec3::Y).unwrap();
        assert!(place.distance(DVec3::new(0.2, -0.5, 0.0)) < 1e-6, "{place}");
        assert_eq!(entry(DVec3::X * 1.5, DVec3::X), None);
        assert_eq!(entry(DVec3::NAN, DVec3::X), None);
    }
}
