//! What a ray meets, for picking a point of a surface.

use fracture_geometry::{glam::DVec3, Mesh};

/// The nearest triangle that faces the ray: the point and the outward normal. By Möller and Trumbore.
pub fn first_hit(mesh: &Mesh, origin: DVec3, way: DVec3) -> Option<(DVec3, DVec3)> {
    let place = |vertex: u32| {
        let at = mesh.positions.get(vertex as usize)?;
        Some(DVec3::from_array(at.map(f64::from)))
    };
    let hit = |triangle: &[u32; 3]| {
        let [a, b, c] = *triangle;
        let (a, b, c) = (place(a)?, place(b)?, place(c)?);
        let (along, across) = (b - a, c - a);
        let normal = along.cross(across);
        let facing = -normal.dot(way);
        // Also when it is not a number.
        if facing.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            return None;
        }
        let from = origin - a;
        let turned = from.cross(way);
        let (u, v) = (across.dot(turned), -along.dot(turned));
        let distance = from.dot(normal) / facing;
        let inside = u >= 0.0 && v >= 0.0 && u + v <= facing && distance >= 0.0;
        inside.then_some((distance, normal))
    };
    let hits = mesh.triangles.iter().filter_map(hit);
    let (distance, normal) = hits.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some((origin + way * distance, normal.try_normalize()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_meets_the_near_face_of_a_box() {
        let mesh = Mesh::cuboid([2.0, 4.0, 6.0]);
        for (x, y) in [(0.3, 1.1), (-0.9, -1.9), (0.99, 0.0)] {
            let (point, normal) =
                first_hit(&mesh, DVec3::new(x, y, 10.0), DVec3::NEG_Z * 0.5).unwrap();
            assert!((point - DVec3::new(x, y, 3.0)).length() < 1e-9, "{point}");
            assert!((normal - DVec3::Z).length() < 1e-9);
        }
        assert!(first_hit(&mesh, DVec3::new(1.1, 0.0, 10.0), DVec3::NEG_Z).is_none());
        assert!(first_hit(&mesh, DVec3::new(0.0, 0.0, 10.0), DVec3::Z).is_none());
        assert!(first_hit(&mesh, DVec3::ZERO, DVec3::ZERO).is_none());
    }
}
