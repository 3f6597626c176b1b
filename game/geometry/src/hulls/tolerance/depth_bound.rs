//! Parts whose surface is nowhere deep in their hull: they fit, and no grid needs to tell.
//!
//! Of a hull take what is deeper than `a`. No surface is there, so all of that core is inside of the part.
//! Drawn on from a point at depth `r` by `a / r` of its way, any point of the hull comes to the core; so none is
//! farther from the part than `a R / r`, where `R` is the way to the farthest corner.

use crate::hulls::shape::convex_hull::{ConvexHull, Plane};
use crate::hulls::shape::part::Part;
use glam::DVec3;

/// A part with less than this share of its hull may be all shell; the shell has a tenth at most.
const FULL: f64 = 0.5;

/// Whether this tells that no point of a hull is farther from its part than `allowed` (metres). The part
/// itself reaches out of the hull by next to nothing.
pub fn is_shallow(part: &Part, hull: &ConvexHull, allowed: f64) -> bool {
    if !is_full(part, hull) {
        return false;
    }
    let core = HullCore::of(hull);
    // Cut faces lie in planes that nothing of the part is beyond: they are not deep.
    let deepest = core.deepest(allowed);
    core.depth > 0.0 && are_near(part, part.triangles.iter(), &hull.planes, deepest)
}

/// Whether a part has so much of its hull that what is deeper than its surface is inside.
pub fn is_full(part: &Part, hull: &ConvexHull) -> bool {
    part.volume() >= FULL * hull.volume()
}

/// The middle of a hull.
pub struct HullCore {
    pub middle: DVec3,
    /// How deep that is,
    pub depth: f64,
    /// and how far the farthest corner is from there.
    farthest: f64,
}

impl HullCore {
    pub fn of(hull: &ConvexHull) -> Self {
        let middle = hull.points.iter().sum::<DVec3>() / hull.points.len() as f64;
        let ways = hull.points.iter().map(|corner| corner.distance(middle));
        Self {
            middle,
            depth: -hull.height(middle),
            farthest: ways.fold(0.0, f64::max),
        }
    }

    /// How deep a surface may be for the hull to reach out by what is allowed (metres).
    pub fn deepest(&self, allowed: f64) -> f64 {
        allowed * self.depth / self.farthest
    }
}

/// How deep a triangle is below that of some planes which it is least deep below.
pub fn triangle_depth(corners: &[DVec3; 3], planes: &[Plane]) -> f64 {
    let below = |plane: &Plane| {
        let depths = corners.iter().map(|corner| -plane.height(*corner));
        depths.fold(f64::NEG_INFINITY, f64::max)
    };
    planes
        .iter()
        .map(below)
        .fold(f64::INFINITY, f64::min)
        .max(0.0)
}

/// Whether each of some triangles of a part is below one of the planes by `deepest` at most.
pub fn are_near<'a>(
    part: &Part,
    mut triangles: impl Iterator<Item = &'a [u32; 3]>,
    planes: &[Plane],
    deepest: f64,
) -> bool {
    let mut last = 0;
    triangles.all(|triangle| is_told(&part.place(*triangle), planes, deepest, &mut last))
}

/// The same of one triangle; neighbours are near the same plane, so the last that told is asked first.
pub fn is_told(corners: &[DVec3; 3], planes: &[Plane], deepest: f64, last: &mut usize) -> bool {
    let tells = |index: &usize| {
        let plane = planes.get(*index);
        plane.is_some_and(|plane| corners.iter().all(|p| plane.height(*p) >= -deepest))
    };
    is_found(last, planes.len(), tells)
}

/// Whether one of so many tells; the last that did is asked first.
pub fn is_found(last: &mut usize, count: usize, tells: impl Fn(&usize) -> bool) -> bool {
    if tells(last) {
        return true;
    }
    let found = (0..count).find(tells);
    *last = found.unwrap_or(*last);
    found.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hulls::shape::quickhull::hull;
    use crate::Mesh;

    fn is_told(mesh: &Mesh) -> bool {
        let part = Part::of(mesh);
        let hull = hull(&part.points, 0.0, usize::MAX).expect("a hull");
        is_shallow(&part, &hull, 0.02)
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
    fn what_is_convex_or_all_but_convex_is_told() {
        for mesh in [
            Mesh::cuboid([1.0; 3]),
            Mesh::cuboid([1.0, 0.01, 0.2]),
            Mesh::sphere(0.5, 24, 16),
            dented(-0.3),
            dented(0.0),
            dented(0.005),
        ] {
            assert!(is_told(&mesh));
        }
    }

    #[test]
    fn what_has_a_dent_a_hole_or_a_cavity_is_not() {
        let mut hollow = Mesh::cuboid([1.0; 3]);
        let first = hollow.positions.len() as u32;
        let inner = Mesh::cuboid([0.98; 3]); // in no wall as thick as what is allowed
        let turned = |t: &[u32; 3]| [t[0], t[2], t[1]].map(|corner| corner + first);
        hollow.triangles.extend(inner.triangles.iter().map(turned));
        hollow.positions.extend(&inner.positions);
        for mesh in [dented(0.03), Mesh::torus(0.35, 0.15, 32, 16), hollow] {
            assert!(!is_told(&mesh));
        }
    }
}
