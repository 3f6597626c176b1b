//! A concave piece as a few convex parts: cut at planes across the largest part, until the hulls
//! fill hardly more than the piece. So a ring keeps its hole and an arch its opening.
//!
//! The hull of a solid on one side of a plane is the hull of its surface clipped at the plane, so
//! only triangles are clipped and no caps are needed.

use glam::Vec3;

use super::convex::{bounds, Hull, PART};
use super::polygon::{Polygon, Triangle};

/// A concave piece has at most this many parts.
const MOST_PARTS: usize = 16;

/// Parts are not cut below this extent, metres.
const SMALLEST_CUT: f32 = 0.02;

struct Part {
    triangles: Vec<Triangle>,
    hull: Hull,
}

impl Part {
    fn new(triangles: Vec<Triangle>, draw_in: f32) -> Option<Self> {
        let points = triangles.iter().flatten().copied();
        let hull = Hull::around(points, PART, draw_in)?;
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

/// The parts of triangles where `normal . x <= offset`.
fn clip(triangles: &[Triangle], normal: Vec3, offset: f32) -> Vec<Triangle> {
    let mut out = Vec::with_capacity(triangles.len());
    for triangle in triangles {
        let below = |corner: &Vec3| normal.dot(*corner) <= offset;
        match triangle.iter().filter(|corner| below(corner)).count() {
            0 => {}
            3 => out.push(*triangle),
            _ => out.extend(Polygon::from(*triangle).clipped(normal, offset).triangles()),
        }
    }
    out
}
