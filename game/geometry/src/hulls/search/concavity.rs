//! Where a hull reaches too far from its body: in front of which places of the surface.

use crate::hulls::search::context::DecomposeContext;
use crate::hulls::shape::convex_hull::ConvexHull;
use crate::hulls::shape::part::Part;
use crate::math::triangle::halved;
use glam::DVec3;

/// Large triangles are looked at in pieces of this many times the allowed distance.
const STEP: f64 = 2.0;
/// How far in front of the surface is looked, in allowed distances: beyond what rounding to cubes may
/// take for near.
const AHEAD: f64 = 1.3;

/// A place of the surface in front of which a hull leaves too much.
#[derive(Clone, Copy, Debug)]
pub struct ConcavitySample {
    pub at: DVec3,
    pub normal: DVec3,
    pub area: f64,
    /// How deep in the hull it is.
    pub depth: f64,
}

/// The gaps of a part's hull. Between needles that spread out nothing is in front of their sides; then
/// they are places of the hull itself.
pub fn gaps(part: &Part, hull: &ConvexHull, body: &DecomposeContext) -> Vec<ConcavitySample> {
    let mut gaps = Vec::new();
    search(part, hull, body, &mut gaps);
    if gaps.is_empty() {
        search_faces(hull, body, &mut gaps);
    }
    gaps
}

fn search(
    part: &Part,
    hull: &ConvexHull,
    body: &DecomposeContext,
    gaps: &mut Vec<ConcavitySample>,
) {
    let far = AHEAD * body.allowed;
    let mut last = 0;
    let mut open = Vec::new();
    for corners in &part.triangles {
        let [a, b, c] = part.place(*corners);
        let Some(normal) = (b - a).cross(c - a).try_normalize() else {
            continue;
        };
        let ahead = normal * far;
        open.push([a + ahead, b + ahead, c + ahead]);
        while let Some(corners) = open.pop() {
            if is_outside(&corners, hull, &mut last) {
                continue;
            }
            if let Some(halves) = halved(&corners, STEP * body.allowed) {
                open.extend(halves);
                continue;
            }
            let [a, b, c] = corners;
            let point = (a + b + c) / 3.0;
            let height = hull.height(point);
            if height < 0.0 && !body.room().has(point) {
                gaps.push(ConcavitySample {
                    at: point - ahead,
                    normal,
                    area: 0.5 * (b - a).cross(c - a).length(),
                    depth: far - height,
                });
            }
        }
    }
}

fn search_faces(hull: &ConvexHull, body: &DecomposeContext, gaps: &mut Vec<ConcavitySample>) {
    let mut open = Vec::new();
    for (corners, plane) in hull.triangles.iter().zip(&hull.planes) {
        open.push(corners.map(|corner| hull.points[corner as usize]));
        while let Some(corners) = open.pop() {
            if let Some(halves) = halved(&corners, STEP * body.allowed) {
                open.extend(halves);
                continue;
            }
            let at = corners.iter().sum::<DVec3>() / 3.0;
            if !body.room().has(at) {
                gaps.push(ConcavitySample {
                    at,
                    normal: plane.normal,
                    area: 0.0,
                    depth: 0.0,
                });
            }
        }
    }
}

/// Whether a single plane tells that a triangle is outside of the hull; the last that did is asked first.
fn is_outside(corners: &[DVec3; 3], hull: &ConvexHull, last: &mut usize) -> bool {
    let tells = |index: &usize| {
        let plane = hull.planes.get(*index);
        plane.is_some_and(|plane| corners.iter().all(|corner| plane.height(*corner) >= 0.0))
    };
    if tells(last) {
        return true;
    }
    let found = (0..hull.planes.len()).find(tells);
    *last = found.unwrap_or(*last);
    found.is_some()
}
