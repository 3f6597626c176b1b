//! Tests of whether hulls together cover a solid: its points, and its surface.

use super::depth_bound::find_with_hint;
use crate::hulls::shape::convex_hull::ConvexHull;
use crate::hulls::shape::part::Part;
use crate::math::triangle::longest_edge_first;
use crate::math::Aabb;
use glam::DVec3;

/// By hull, the points that are farther than `slack` (metres) outside of all hulls and nearest to this
/// one. `stop` is asked before each, with its index.
pub fn points_outside<'a>(
    hulls: impl Iterator<Item = &'a ConvexHull>,
    points: &[DVec3],
    slack: f64,
    stop: impl Fn(usize) -> bool,
) -> Vec<Vec<DVec3>> {
    let hulls = HullSet::new(hulls, slack);
    let mut outside: Vec<Vec<DVec3>> = vec![Vec::new(); hulls.hulls.len()];
    let mut hint = 0;
    for (index, &point) in points.iter().enumerate() {
        if stop(index) {
            break;
        }
        if hulls.containing(point, &mut hint).is_none() {
            let nearest = hulls.nearest(point);
            if let Some(points) = nearest.and_then(|hull| outside.get_mut(hull)) {
                points.push(point);
            }
        }
    }
    outside
}

/// Whether each piece of a solid's surface is at most `slack` (metres) outside of one hull. That its
/// points are is not enough: a large triangle may lead from hull to hull through space that neither
/// has.
pub fn covers_surface<'a>(
    hulls: impl Iterator<Item = &'a ConvexHull>,
    solid: &Part,
    slack: f64,
) -> bool {
    let hulls = HullSet::new(hulls, slack);
    let mut hint = 0;
    let mut surface_point = |position: DVec3| SurfacePoint {
        position,
        hull: hulls.containing(position, &mut hint),
    };
    let points = solid.points.iter();
    let points: Vec<SurfacePoint> = points.map(|p| surface_point(*p)).collect();
    let mut open = Vec::new();
    for triangle in &solid.triangles {
        open.push(triangle.map(|corner| points[corner as usize]));
        while let Some(triangle) = open.pop() {
            if hulls.any_contains(&triangle) {
                continue;
            }
            // A triangle shorter than the slack is not halved any more.
            let longest = longest_edge_first(triangle, slack, |corner| corner.position);
            let Some([from, to, top]) = longest else {
                return false;
            };
            let middle = surface_point(0.5 * (from.position + to.position));
            open.extend([[from, middle, top], [middle, to, top]]);
        }
    }
    true
}

/// A point of a surface.
#[derive(Clone, Copy)]
struct SurfacePoint {
    position: DVec3,
    /// A hull that contains it.
    hull: Option<usize>,
}

/// Hulls that many points are looked up in.
struct HullSet<'a> {
    /// Each with its bounding box.
    hulls: Vec<(&'a ConvexHull, Aabb)>,
    /// Distance outside of a hull up to which it contains a point, metres.
    slack: f64,
}

impl<'a> HullSet<'a> {
    fn new(hulls: impl Iterator<Item = &'a ConvexHull>, slack: f64) -> Self {
        Self {
            hulls: hulls.map(|hull| (hull, hull.bounds())).collect(),
            slack,
        }
    }

    fn contains(&self, hull: usize, point: DVec3) -> bool {
        let own = Aabb::from_points([point]);
        let hull = self.hulls.get(hull);
        hull.is_some_and(|(hull, bounds)| {
            bounds.axis_distance(&own) <= self.slack && hull.is_near(point, self.slack)
        })
    }

    /// A hull that contains a point, first of all the one that contained the last.
    fn containing(&self, point: DVec3, hint: &mut usize) -> Option<usize> {
        find_with_hint(hint, self.hulls.len(), |hull| self.contains(*hull, point))
    }

    /// The hull nearest to a point.
    fn nearest(&self, point: DVec3) -> Option<usize> {
        let own = Aabb::from_points([point]);
        let mut nearest = (f64::INFINITY, None);
        for (index, (hull, bounds)) in self.hulls.iter().enumerate() {
            if bounds.axis_distance(&own) < nearest.0 {
                let distance = hull.distance(point);
                if distance < nearest.0 {
                    nearest = (distance, Some(index));
                }
            }
        }
        nearest.1
    }

    /// Whether one hull contains all corners of a triangle.
    fn any_contains(&self, triangle: &[SurfacePoint; 3]) -> bool {
        let [Some(a), Some(b), Some(c)] = triangle.map(|corner| corner.hull) else {
            return false;
        };
        let contains_all = |hull: &usize| {
            let mut others = triangle.iter().filter(|corner| corner.hull != Some(*hull));
            others.all(|corner| self.contains(*hull, corner.position))
        };
        [a, b, c].iter().any(contains_all) || (0..self.hulls.len()).any(|hull| contains_all(&hull))
    }
}
