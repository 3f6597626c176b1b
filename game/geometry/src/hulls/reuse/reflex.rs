//! Where a part is hollow: planes along edges whose triangles see each other.

use crate::hulls::shape::convex_hull::{ConvexHull, Plane};
use crate::hulls::shape::part::Part;
use crate::hulls::tolerance::depth_bound::triangle_depth;
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Sines of angles that count as flat.
const FLAT: f64 = 1e-3;
/// How far above a face its plane is put, for its depth, so that rounding leaves none of it on the other side.
const ABOVE: f64 = 1e-5;

/// The plane that halves the angle at the hollow edge that is deepest in a hull; what counts is also how
/// sharp it is. `None` when none is deeper than `allowed` (metres).
pub fn deepest_edge(part: &Part, hull: &ConvexHull, allowed: f64) -> Option<Plane> {
    // By edge, the normal of the triangle that runs along it. Only looked up, never iterated.
    let mut sides: FxHashMap<[u32; 2], DVec3> = FxHashMap::default();
    let mut best = BestPlane::default();
    for (&[i, j, k], normal) in part.triangles.iter().zip(normals(part)) {
        let edges = [[i, j], [j, k], [k, i]];
        for ([from, to], normal) in edges.into_iter().zip([normal; 3]) {
            let Some(normal) = normal else { continue };
            let Some(other) = sides.remove(&[to, from]) else {
                sides.insert([from, to], normal);
                continue;
            };
            let [a, b] = [from, to].map(|point| part.points[point as usize]);
            let bend = other.cross(normal).dot((b - a).normalize_or_zero());
            if bend < FLAT {
                continue;
            }
            let middle = 0.5 * (a + b);
            let depth = -hull.height(middle);
            if depth > allowed {
                best.offer(depth * bend.sqrt(), || {
                    halving(b - a, normal + other, middle)
                });
            }
        }
    }
    best.plane
}

/// The plane just above the deepest triangle, for where cuts have left no hollow edge but triangles without
/// area beside it. `None` when none is deeper than `allowed` (metres).
pub fn deepest_face(part: &Part, hull: &ConvexHull, allowed: f64) -> Option<Plane> {
    let mut best = BestPlane::default();
    for (triangle, normal) in part.triangles.iter().zip(normals(part)) {
        let corners = part.place(*triangle);
        let depth = triangle_depth(&corners, &hull.planes);
        if depth > allowed {
            let above = |normal| Plane::through(normal, corners[0] + ABOVE * depth * normal);
            best.offer(depth, || normal.map(above));
        }
    }
    best.plane
}

fn normals(part: &Part) -> impl Iterator<Item = Option<DVec3>> + '_ {
    part.triangles.iter().map(|triangle| {
        let [a, b, c] = part.place(*triangle);
        (b - a).cross(c - a).try_normalize()
    })
}

/// The first plane of those with the highest score.
#[derive(Default)]
struct BestPlane {
    score: f64,
    plane: Option<Plane>,
}

impl BestPlane {
    fn offer(&mut self, score: f64, plane: impl FnOnce() -> Option<Plane>) {
        if score > self.score {
            *self = Self {
                score,
                plane: plane(),
            };
        }
    }
}

/// Along an edge, and along the middle between the normals of its sides.
fn halving(edge: DVec3, between: DVec3, through: DVec3) -> Option<Plane> {
    let normal = edge.cross(between).try_normalize()?;
    Some(Plane::through(normal, through))
}
