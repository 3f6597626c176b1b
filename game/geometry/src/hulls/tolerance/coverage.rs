//! Points that no hull has. A part that a plane cut off may be too flat or too small for a hull of its own;
//! what it reaches out by goes to the nearest of the others.

use crate::hulls::search::context::DecomposeContext;
use crate::hulls::search::hull_part::HullPart;
use crate::hulls::shape::convex_hull::{apart, ConvexHull};
use crate::hulls::tolerance::depth_bound::is_found;
use crate::math::triangle::with_long_base;
use glam::DVec3;

/// What hulls may leave out, as a part of the size.
const LEFT_OUT: f64 = 0.004;

/// Makes hulls close ones, and puts the points of a body that are outside of all into the nearest; tells which
/// of them that was done to.
pub fn cover(pieces: &mut [HullPart], body: &DecomposeContext) -> Vec<bool> {
    let hulls = HullSet::new(pieces, LEFT_OUT * body.size);
    let mut more: Vec<Vec<DVec3>> = vec![Vec::new(); pieces.len()];
    let mut last = 0;
    for &point in &body.whole.points {
        if hulls.home(point, &mut last).is_none() {
            if let Some(more) = hulls.nearest(point).and_then(|index| more.get_mut(index)) {
                more.push(point);
            }
        }
    }
    for (piece, more) in pieces.iter_mut().zip(&more) {
        piece.finish(more, body);
    }
    more.iter().map(|more| !more.is_empty()).collect()
}

/// Whether hulls leave out next to nothing of a body's surface. Its points alone do not tell: a large triangle may
/// lead from hull to hull past what neither has.
pub fn is_covered(pieces: &[HullPart], body: &DecomposeContext) -> bool {
    // More than the points of a surface may be out, so that it ends: what is smaller and has a corner in a hull is
    // near to that.
    let limit = 2.0 * LEFT_OUT * body.size;
    let hulls = HullSet::new(pieces, limit);
    let mut last = 0;
    let mut corner = |place: DVec3| SurfacePoint {
        place,
        home: hulls.home(place, &mut last),
    };
    let corners: Vec<SurfacePoint> = body.whole.points.iter().map(|p| corner(*p)).collect();
    let mut open = Vec::new();
    for triangle in &body.whole.triangles {
        open.push(triangle.map(|corner| corners[corner as usize]));
        while let Some(triangle) = open.pop() {
            if hulls.have(&triangle) {
                continue;
            }
            let Some([from, to, top]) = with_long_base(triangle, limit, |corner| corner.place)
            else {
                return false;
            };
            let middle = corner(0.5 * (from.place + to.place));
            open.extend([[from, middle, top], [middle, to, top]]);
        }
    }
    true
}

/// A point of a surface.
#[derive(Clone, Copy)]
struct SurfacePoint {
    place: DVec3,
    /// A hull that has it.
    home: Option<usize>,
}

/// Hulls that many points are looked for in.
struct HullSet<'a> {
    /// Each with its box.
    all: Vec<(&'a ConvexHull, [DVec3; 2])>,
    /// How far out of a hull a point may be for that to have it, metres.
    limit: f64,
}

impl<'a> HullSet<'a> {
    fn new(pieces: &'a [HullPart], limit: f64) -> Self {
        let hulls = pieces.iter().map(|piece| (&piece.hull, piece.bounds()));
        Self {
            all: hulls.collect(),
            limit,
        }
    }

    fn has(&self, hull: usize, point: DVec3) -> bool {
        let hull = self.all.get(hull);
        hull.is_some_and(|(hull, around)| {
            apart(around, &[point; 2]) <= self.limit && hull.is_near(point, self.limit)
        })
    }

    /// A hull that has a point; neighbours are in the same one, so the last is asked first.
    fn home(&self, point: DVec3, last: &mut usize) -> Option<usize> {
        is_found(last, self.all.len(), |hull| self.has(*hull, point)).then_some(*last)
    }

    /// The hull to which a point is nearest.
    fn nearest(&self, point: DVec3) -> Option<usize> {
        let mut nearest = (f64::INFINITY, None);
        for (index, (hull, around)) in self.all.iter().enumerate() {
            if apart(around, &[point; 2]) < nearest.0 {
                let distance = hull.distance(point);
                if distance < nearest.0 {
                    nearest = (distance, Some(index));
                }
            }
        }
        nearest.1
    }

    /// Whether one hull has all of a triangle.
    fn have(&self, triangle: &[SurfacePoint; 3]) -> bool {
        let [Some(a), Some(b), Some(c)] = triangle.map(|corner| corner.home) else {
            return false;
        };
        let has_all = |hull: &usize| {
            let mut elsewhere = triangle.iter().filter(|corner| corner.home != Some(*hull));
            elsewhere.all(|corner| self.has(*hull, corner.place))
        };
        [a, b, c].iter().any(has_all) || (0..self.all.len()).any(|hull| has_all(&hull))
    }
}
