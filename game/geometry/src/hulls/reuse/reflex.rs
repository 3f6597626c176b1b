//! Planes at the deepest concave place of a part: through its reflex edges, or along its faces.

use crate::hulls::params::{DEEP_PLANE_OFFSET, MIN_REFLEX_SINE};
use crate::hulls::shape::convex_hull::{triangle_edges, ConvexHull};
use crate::hulls::shape::part::Part;
use crate::hulls::tolerance::depth_bound::triangle_depth;
use crate::math::Plane;
use glam::DVec3;
use rustc_hash::FxHashMap;

/// The plane that halves the angle at the reflex edge with the greatest depth in a hull times root of
/// its sharpness. `None` when no reflex edge is deeper than `max_depth` (metres).
pub fn plane_at_deepest_edge(part: &Part, hull: &ConvexHull, max_depth: f64) -> Option<Plane> {
    // The normals of triangles by directed edge. Only looked up, never iterated.
    let mut unpaired: FxHashMap<[u32; 2], DVec3> = FxHashMap::default();
    let mut best = BestPlane::default();
    for (triangle, normal) in part.triangles.iter().zip(normals(part)) {
        let Some(normal) = normal else { continue };
        for [from, to] in triangle_edges(*triangle) {
            let Some(other) = unpaired.remove(&[to, from]) else {
                unpaired.insert([from, to], normal);
                continue;
            };
            let [a, b] = [from, to].map(|point| part.points[point as usize]);
            let sine = other.cross(normal).dot((b - a).normalize_or_zero());
            if sine < MIN_REFLEX_SINE {
                continue;
            }
            let middle = 0.5 * (a + b);
            let depth = -hull.height(middle);
            if depth > max_depth {
                best.offer(depth * sine.sqrt(), || {
                    let halving = (b - a).cross(normal + other).try_normalize();
                    halving.map(|normal| Plane::through(normal, middle))
                });
            }
        }
    }
    best.plane
}

/// The plane just above the triangle with the greatest depth in a hull, for parts without a reflex edge
/// because its triangles have no area. `None` when no triangle is deeper than `max_depth`
/// (metres).
pub fn plane_at_deepest_face(part: &Part, hull: &ConvexHull, max_depth: f64) -> Option<Plane> {
    let mut best = BestPlane::default();
    for (triangle, normal) in part.triangles.iter().zip(normals(part)) {
        let corners = part.corners(*triangle);
        let depth = triangle_depth(&corners, &hull.planes);
        if depth > max_depth {
            let above =
                |normal| Plane::through(normal, corners[0] + DEEP_PLANE_OFFSET * depth * normal);
            best.offer(depth, || normal.map(above));
        }
    }
    best.plane
}

/// The unit normals of triangles; `None` for those without area.
fn normals(part: &Part) -> impl Iterator<Item = Option<DVec3>> + '_ {
    part.triangles.iter().map(|triangle| {
        let [a, b, c] = part.corners(*triangle);
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
