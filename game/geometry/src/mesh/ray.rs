//! Exact intersection of rays along +x with triangles.

use glam::DVec3;
use robust::{orient2d, orient3d, Coord, Coord3D};

/// Intersection of the ray from a point along +x with a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RayHit {
    /// The ray misses the triangle.
    None,
    /// The ray comes out at the triangle's front and leaves the solid.
    Leaves,
    /// The ray goes in through the triangle's front and enters the solid.
    Enters,
    /// The point lies on the triangle.
    Touches,
}

impl RayHit {
    /// The contribution to the winding number of the surface around the ray's origin.
    pub fn winding(self) -> i32 {
        match self {
            Self::Leaves => 1,
            Self::Enters => -1,
            Self::None | Self::Touches => 0,
        }
    }
}

/// Intersects the ray from a point along +x with a triangle. A ray through an edge or a corner passes on
/// one side of it, the same for all triangles there, so that a closed surface is left as often as it is
/// entered.
pub fn ray_x_hit(corners: [DVec3; 3], point: DVec3) -> RayHit {
    let above = corners.map(|p| p.z > point.z);
    // Whether the edge that rises past the point, and the one that falls, are at greater y.
    let (mut up, mut down) = (false, false);
    for k in 0..3 {
        let next = (k + 1) % 3;
        match (above[k], above[next]) {
            (false, true) => up = is_beyond(corners[k], corners[next], point),
            (true, false) => down = is_beyond(corners[next], corners[k], point),
            _ => {}
        }
    }
    if up == down {
        return RayHit::None;
    }
    let behind = orient3d(
        place(corners[0]),
        place(corners[1]),
        place(corners[2]),
        place(point),
    );
    match (behind, up) {
        (0.0, _) => RayHit::Touches,
        (side, true) if side > 0.0 => RayHit::Leaves,
        (side, false) if side < 0.0 => RayHit::Enters,
        _ => RayHit::None,
    }
}

/// Whether an edge passes the ray at greater y. The edge is given from its lower to its upper end, so
/// that all its triangles get the same answer.
fn is_beyond(lower: DVec3, upper: DVec3, point: DVec3) -> bool {
    let flat = |p: DVec3| Coord { x: p.y, y: p.z };
    orient2d(flat(lower), flat(upper), flat(point)) > 0.0
}

fn place(p: DVec3) -> Coord3D<f64> {
    Coord3D {
        x: p.x,
        y: p.y,
        z: p.z,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;
    use glam::Vec3;

    fn winding(mesh: &Mesh, point: DVec3) -> i32 {
        let place = |v: u32| Vec3::from(mesh.positions[v as usize]).as_dvec3();
        let triangles = mesh.triangles.iter().map(|t| t.map(place));
        triangles.map(|t| ray_x_hit(t, point).winding()).sum()
    }

    #[test]
    fn lines_through_edges_and_corners_count_once() {
        // Lattice points of a box: lines along its edges, its diagonals and through its corners.
        let mesh = Mesh::cuboid([2.0, 2.0, 2.0]);
        for at in 0..6 * 7 * 7 {
            let [x, y, z] = [at % 6, at / 6 % 7, at / 42].map(|k| f64::from(k) - 3.0);
            let point = DVec3::new(x + 0.5, y / 2.0, z / 2.0);
            let (inside, outside) = (
                point.abs().max_element() < 1.0,
                point.abs().max_element() > 1.0,
            );
            let found = winding(&mesh, point);
            assert!(!inside || found == 1, "{point}: {found}");
            assert!(!outside || found == 0, "{point}: {found}");
        }
    }

    #[test]
    fn a_point_on_a_triangle_touches_it() {
        let corners = [DVec3::ZERO, DVec3::Y, DVec3::Z];
        let on = DVec3::new(0.0, 0.25, 0.25);
        assert_eq!(ray_x_hit(corners, on), RayHit::Touches);
        assert_eq!(ray_x_hit(corners, on - DVec3::X), RayHit::Leaves);
        assert_eq!(ray_x_hit(corners, on + DVec3::X), RayHit::None);
        let [a, b, c] = corners;
        assert_eq!(ray_x_hit([a, c, b], on - DVec3::X), RayHit::Enters);
    }
}
