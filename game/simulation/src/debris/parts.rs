//! A concave piece as a few convex parts: cut at planes across the largest part, until the hulls
//! fill hardly more than the piece. So a ring keeps its hole and an arch its opening.
//!
//! The hull of a solid on one side of a plane is the hull of its surface clipped at the plane, so
//! only triangles are clipped and no caps are needed.

use glam::Vec3;

use super::convex::{bounds, Hull};

/// A concave piece has at most this many parts.
const MOST_PARTS: usize = 16;

/// Parts are not cut below this extent, metres.
const SMALLEST_CUT: f32 = 0.02;

type Triangle = [Vec3; 3];

struct Part {
    triangles: Vec<Triangle>,
    hull: Hull,
}

impl Part {
    fn new(triangles: Vec<Triangle>, draw_in: f32) -> Option<Self> {
        let points = triangles.iter().flatten().copied();
        let hull = Hull::around(points, draw_in)?;
        Some(Self { triangles, hull })
    }
}

/// Convex parts whose volumes sum to at most `target` (m^3), or as near as 16 parts come.
pub(super) fn split(triangles: Vec<Triangle>, target: f64, draw_in: f32) -> Vec<Hull> {
    let mut parts: Vec<Part> = Part::new(triangles, draw_in).into_iter().collect();
    let mut finished = Vec::new();
    while parts.len() + finished.len() < MOST_PARTS {
        let sum: f64 = parts
            .iter()
            .chain(&finished)
            .map(|part| part.hull.volume)
            .sum();
        if sum <= target {
            break;
        }
        let Some(largest) = take_largest(&mut parts) else {
            break;
        };
        match halve(&largest.triangles, draw_in) {
            Some(halves) => parts.extend(halves),
            None => finished.push(largest),
        }
    }
    finished.extend(parts);
    finished.into_iter().map(|part| part.hull).collect()
}

fn take_largest(parts: &mut Vec<Part>) -> Option<Part> {
    let volume = |index: usize| parts.get(index).map_or(0.0, |part: &Part| part.hull.volume);
    let larger = |a: &usize, b: &usize| volume(*a).total_cmp(&volume(*b)).then(b.cmp(a));
    let index = (0..parts.len()).max_by(larger)?;
    Some(parts.swap_remove(index))
}

/// Cuts across the middle of the longest axis of the box.
fn halve(triangles: &[Triangle], draw_in: f32) -> Option<[Part; 2]> {
    let points: Vec<Vec3> = triangles.iter().flatten().copied().collect();
    let (low, high) = bounds(&points)?;
    let extent = high - low;
    let axis = extent.max_position();
    if extent[axis] < SMALLEST_CUT {
        return None;
    }
    let mut normal = Vec3::ZERO;
    normal[axis] = 1.0;
    let middle = 0.5 * (low[axis] + high[axis]);
    let below = Part::new(clip(triangles, normal, middle), draw_in)?;
    let above = Part::new(clip(triangles, -normal, -middle), draw_in)?;
    Some([below, above])
}

/// The parts of triangles where `normal . x <= offset` (Sutherland and Hodgman, 1974).
fn clip(triangles: &[Triangle], normal: Vec3, offset: f32) -> Vec<Triangle> {
    let height = |point: Vec3| normal.dot(point) - offset;
    let mut out = Vec::with_capacity(triangles.len());
    for triangle in triangles {
        let heights = triangle.map(height);
        if heights.iter().all(|h| *h <= 0.0) {
            out.push(*triangle);
        } else if heights.iter().any(|h| *h < 0.0) {
            clip_one(triangle, heights, &mut out);
        }
    }
    out
}

fn clip_one(triangle: &Triangle, heights: [f32; 3], out: &mut Vec<Triangle>) {
    let mut corners = [Vec3::ZERO; 4];
    let mut count = 0;
    let mut add = |point: Vec3| {
        if let Some(slot) = corners.get_mut(count) {
            *slot = point;
            count += 1;
        }
    };
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        let (a, b) = (heights[from], heights[to]);
        if a <= 0.0 {
            add(triangle[from]);
        }
        if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            add(triangle[from].lerp(triangle[to], a / (a - b)));
        }
    }
    let [p, q, r, s] = corners;
    if count >= 3 {
        out.push([p, q, r]);
    }
    if count == 4 {
        out.push([p, r, s]);
    }
}
