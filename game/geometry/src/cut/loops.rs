//! Loops of points in a plane: areas, turns, and which lies in which.

use glam::DVec2;
use robust::{orient2d, Coord};
use std::ops::Range;

/// Signed area of a loop.
pub fn area(points: &[DVec2], outline: &Range<u32>) -> f64 {
    let Some(origin) = points.get(outline.start as usize) else {
        return 0.0;
    };
    let ring = || outline.clone().map(|at| points[at as usize] - *origin);
    let next = ring().cycle().skip(1);
    0.5 * ring().zip(next).map(|(a, b)| a.perp_dot(b)).sum::<f64>()
}

/// Twice the signed area of a triangle, its sign exact.
pub fn orient(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let coord = |p: DVec2| Coord { x: p.x, y: p.y };
    orient2d(coord(a), coord(b), coord(c))
}

/// Whether a loop turns left at every corner, and once around in all.
pub fn is_strictly_convex(points: &[DVec2], outline: &Range<u32>) -> bool {
    let count = outline.len();
    let at = |k: usize| points[outline.start as usize + k % count];
    // All left turns, and around once: the fan's triangles turn left as well.
    count >= 3
        && (0..count).all(|k| orient(at(k), at(k + 1), at(k + 2)) > 0.0)
        && (1..count - 1).all(|k| orient(at(0), at(k), at(k + 1)) > 0.0)
}

/// Whether most corners of a hole lie within an outline.
pub fn is_around(points: &[DVec2], outline: &Range<u32>, hole: &Range<u32>) -> bool {
    let inside = |at: u32| winds(points, outline, points[at as usize]);
    let votes = hole.clone().filter(|at| inside(*at)).count();
    2 * votes > hole.len()
}

/// Whether a loop winds about a point.
fn winds(points: &[DVec2], outline: &Range<u32>, p: DVec2) -> bool {
    let count = outline.len();
    let at = |k: usize| points[outline.start as usize + k % count];
    let mut winding = 0;
    for k in 0..count {
        let (a, b) = (at(k), at(k + 1));
        if a.y <= p.y && b.y > p.y && orient(a, b, p) > 0.0 {
            winding += 1;
        } else if a.y > p.y && b.y <= p.y && orient(a, b, p) < 0.0 {
            winding -= 1;
        }
    }
    winding != 0
}

/// The corners of the box around a loop.
pub fn bounds(points: &[DVec2], outline: &Range<u32>) -> [DVec2; 2] {
    let own = outline.clone().map(|at| points[at as usize]);
    let far = [DVec2::INFINITY, DVec2::NEG_INFINITY];
    own.fold(far, |[low, high], p| [low.min(p), high.max(p)])
}
