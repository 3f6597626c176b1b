//! Whether a point is inside of a part.

use crate::hulls::search::context::DecomposeContext;
use crate::hulls::tolerance::voxel_grid::crossings;
use glam::{DVec3, Vec3Swizzles};

/// Whether the surface of a body goes around a point once or more often.
pub fn is_inside(body: &DecomposeContext, point: DVec3) -> bool {
    // The middle of the only column of a grid.
    let shift = DVec3::new(0.5, 0.5, 0.0) - point;
    let mut windings = 0;
    let is_above = |[low, high]: &[DVec3; 2]| {
        let beside = point.xy().cmplt(low.xy()) | point.xy().cmpgt(high.xy());
        !beside.any() && high.z >= point.z
    };
    for triangle in body.runs().triangles(&body.whole, is_above) {
        let corners = body.whole.place(*triangle).map(|corner| corner + shift);
        crossings(corners, [1, 1], |_, _, height, is_up| {
            if height > 0.0 {
                windings += if is_up { 1 } else { -1 };
            }
        });
    }
    windings > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;

    #[test]
    fn a_ring_is_inside_where_it_is_and_not_in_its_hole() {
        let ring = DecomposeContext::new(&Mesh::torus(0.35, 0.15, 32, 16), 0.0185);
        for step in 0..50 {
            let (sin, cos) = libm::sincos(0.1 + f64::from(step));
            let at = |r: f64, y: f64| DVec3::new(r * cos, y, r * sin);
            assert!(is_inside(&ring, at(0.35, 0.1)) && is_inside(&ring, at(0.45, 0.02)));
            assert!(!is_inside(&ring, at(0.15, 0.0)) && !is_inside(&ring, at(0.35, 0.2)));
            assert!(!is_inside(&ring, at(0.6, 0.0)) && !is_inside(&ring, at(0.35, -0.2)));
        }
    }
}
