//! A sufficient test that a hull fits its part, by how deep the part's surface is in the hull: no
//! voxels needed.
//!
//! Let the surface nowhere be deeper than `a`. The core, which is all that is deeper, has no surface in
//! it and so is inside of the part. Let the centre of the hull have depth `r`, and its farthest corner
//! a distance of `R`. Any point of the hull, moved towards the centre by `a / r` of its way, comes to
//! the core. So no point of the hull is farther from the part than `a R / r`.

use crate::hulls::params::MIN_FILL;
use crate::hulls::shape::convex_hull::ConvexHull;
use crate::hulls::shape::part::Part;
use crate::math::Plane;
use glam::DVec3;

/// Whether depth alone shows that no point of a hull is farther from its part than `tolerance`
/// (metres). The part may protrude from the hull by a rounding error.
pub fn fits_by_depth(part: &Part, hull: &ConvexHull, tolerance: f64) -> bool {
    // Cut faces need no test: nothing of the part is beyond their planes, so they are not deep.
    let triangles = part.triangles.iter().map(|t| part.corners(*t));
    fills_hull(part, hull) && is_shallow(triangles, hull, tolerance)
}

/// Whether none of some triangles is so deep below a hull that this could be farther from them than `tolerance` (metres).
pub fn is_shallow(
    triangles: impl Iterator<Item = [DVec3; 3]>,
    hull: &ConvexHull,
    tolerance: f64,
) -> bool {
    let core = HullCore::new(hull);
    let max_depth = core.max_surface_depth(tolerance);
    core.depth > 0.0 && all_near_some_plane(triangles, &hull.planes, max_depth)
}

/// Whether a part has so much of its hull that what is deeper than its surface is inside, not outside.
pub fn fills_hull(part: &Part, hull: &ConvexHull) -> bool {
    part.volume() >= MIN_FILL * hull.volume()
}

/// The centre of a hull.
pub struct HullCore {
    pub center: DVec3,
    /// Depth of the centre below the surface, metres.
    pub depth: f64,
    /// Distance of the farthest corner from the centre, metres.
    radius: f64,
}

impl HullCore {
    pub fn new(hull: &ConvexHull) -> Self {
        let center = hull.points.iter().sum::<DVec3>() / hull.points.len() as f64;
        let distances = hull.points.iter().map(|corner| corner.distance(center));
        Self {
            center,
            depth: -hull.height(center),
            radius: distances.fold(0.0, f64::max),
        }
    }

    /// Depth that a surface may have for the hull to protrude by at most `tolerance` (metres).
    pub fn max_surface_depth(&self, tolerance: f64) -> f64 {
        tolerance * self.depth / self.radius
    }
}

/// Depth of a triangle below the plane that it is least deep below.
pub fn triangle_depth(corners: &[DVec3; 3], planes: &[Plane]) -> f64 {
    let depth = |plane: &Plane| {
        let depths = corners.iter().map(|corner| -plane.height(*corner));
        depths.fold(f64::NEG_INFINITY, f64::max)
    };
    let depths = planes.iter().map(depth);
    depths.fold(f64::INFINITY, f64::min).max(0.0)
}

/// Whether each of some triangles is at most `max_depth` below one of the planes.
pub fn all_near_some_plane(
    mut triangles: impl Iterator<Item = [DVec3; 3]>,
    planes: &[Plane],
    max_depth: f64,
) -> bool {
    let mut hint = 0;
    triangles.all(|corners| is_near_some_plane(&corners, planes, max_depth, &mut hint))
}

/// Whether a triangle is at most `max_depth` below one of the planes. Neighbors are near the same
/// plane, so that of the last is tested first.
pub fn is_near_some_plane(
    corners: &[DVec3; 3],
    planes: &[Plane],
    max_depth: f64,
    hint: &mut usize,
) -> bool {
    let is_near = |index: &usize| {
        let plane = planes.get(*index);
        plane.is_some_and(|plane| corners.iter().all(|p| plane.height(*p) >= -max_depth))
    };
    find_with_hint(hint, planes.len(), is_near).is_some()
}

/// The first index below `count` that passes a test, but `hint` if that does. Sets the hint to the
/// result.
pub fn find_with_hint(
    hint: &mut usize,
    count: usize,
    test: impl Fn(&usize) -> bool,
) -> Option<usize> {
    if test(hint) {
        return Some(*hint);
    }
    let found = (0..count).find(test);
    *hint = found.unwrap_or(*hint);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hulls::shape::quickhull::convex_hull;
    use crate::Mesh;

    fn fits(mesh: &Mesh) -> bool {
        let part = Part::from_mesh(mesh);
        let hull = convex_hull(&part.points, 0.0, usize::MAX).expect("a hull");
        fits_by_depth(&part, &hull, 0.02)
    }

    /// A box with a notch or a bump in the middle of its top.
    fn dented(by: f32) -> Mesh {
        let positions = vec![
            [-0.5, 0.0, -0.5],
            [0.5, 0.0, -0.5],
            [0.5, 0.0, 0.5],
            [-0.5, 0.0, 0.5],
            [-0.5, 1.0, -0.5],
            [0.5, 1.0, -0.5],
            [0.5, 1.0, 0.5],
            [-0.5, 1.0, 0.5],
            [0.0, 1.0 - by, 0.0],
        ];
        let side = |a: u32, b: u32| [[a, b + 4, b], [a, a + 4, b + 4]];
        let sides = [(0, 1), (1, 2), (2, 3), (3, 0)];
        let walls = sides.iter().flat_map(|&(a, b)| side(a, b));
        let top = sides.iter().map(|&(a, b)| [a + 4, 8, b + 4]);
        let floor = [[0, 1, 2], [0, 2, 3]];
        Mesh::from_triangles(positions, walls.chain(top).chain(floor).collect())
    }

    #[test]
    fn what_is_convex_or_all_but_convex_fits() {
        for mesh in [
            Mesh::cuboid([1.0; 3]),
            Mesh::cuboid([1.0, 0.01, 0.2]),
            Mesh::sphere(0.5, 24, 16),
            dented(-0.3),
            dented(0.0),
            dented(0.005),
        ] {
            assert!(fits(&mesh));
        }
    }

    #[test]
    fn what_has_a_dent_a_hole_or_a_cavity_does_not_fit() {
        let mut hollow = Mesh::cuboid([1.0; 3]);
        let first = hollow.positions.len() as u32;
        let inner = Mesh::cuboid([0.98; 3]); // the wall is thinner than the tolerance
        let flipped = |t: &[u32; 3]| [t[0], t[2], t[1]].map(|corner| corner + first);
        hollow.triangles.extend(inner.triangles.iter().map(flipped));
        hollow.positions.extend(&inner.positions);
        for mesh in [dented(0.03), Mesh::torus(0.35, 0.15, 32, 16), hollow] {
            assert!(!fits(&mesh));
        }
    }
}
