//! Predicates of loops of points in a plane: area, convexity, containment.

use glam::DVec2;
use robust::{orient2d, Coord};
use std::ops::Range;

/// Signed area of a loop, positive if counter-clockwise.
pub fn area(points: &[DVec2], outline: &Range<u32>) -> f64 {
    let Some(origin) = points.get(outline.start as usize) else {
        return 0.0;
    };
    let ring = || outline.clone().map(|at| points[at as usize] - *origin);
    let next = ring().cycle().skip(1);
    0.5 * ring().zip(next).map(|(a, b)| a.perp_dot(b)).sum::<f64>()
}

/// Twice the signed area of a triangle, with an exact sign.
pub fn orient(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let coord = |p: DVec2| Coord { x: p.x, y: p.y };
    orient2d(coord(a), coord(b), coord(c))
}

/// Whether a loop turns left at every corner, and winds around once.
pub fn is_strictly_convex(points: &[DVec2], outline: &Range<u32>) -> bool {
    let own = &points[outline.start as usize..outline.end as usize];
    let [.., before, last] = own else {
        return false;
    };
    // A loop that turns left by less than half a circle at a time changes from rising to falling once per
    // round.
    let rises = |a: DVec2, b: DVec2| b.y > a.y || (b.y == a.y && b.x < a.x);
    let (mut a, mut b) = (*before, *last);
    let mut rounds = 0;
    for &c in own {
        if orient(a, b, c) <= 0.0 {
            return false;
        }
        rounds += u32::from(rises(a, b) && !rises(b, c));
        (a, b) = (b, c);
    }
    rounds == 1
}

/// Whether most points of a hole lie inside an outline.
pub fn contains_loop(points: &[DVec2], outline: &Range<u32>, hole: &Range<u32>) -> bool {
    let is_inside = |at: &u32| winds_around(points, outline, points[*at as usize]);
    2 * hole.clone().filter(is_inside).count() > hole.len()
}

/// Whether a loop winds around a point.
fn winds_around(points: &[DVec2], outline: &Range<u32>, p: DVec2) -> bool {
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

/// Lowest and highest corner of the box of a loop.
pub fn bounds(points: &[DVec2], outline: &Range<u32>) -> [DVec2; 2] {
    let own = outline.clone().map(|at| points[at as usize]);
    let empty = [DVec2::INFINITY, DVec2::NEG_INFINITY];
    own.fold(empty, |[low, high], p| [low.min(p), high.max(p)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_convex(list: &[(f64, f64)]) -> bool {
        let points: Vec<DVec2> = list.iter().map(|&(x, y)| DVec2::new(x, y)).collect();
        (0..list.len()).all(|turn| {
            let mut points = points.clone();
            points.rotate_left(turn);
            is_strictly_convex(&points, &(0..list.len() as u32))
        })
    }

    #[test]
    fn squares_are_convex_and_stars_that_only_turn_left_are_not() {
        let square = [(0., 0.), (1., 0.), (1., 1.), (0., 1.)];
        assert!(is_convex(&square));
        assert!(is_convex(&[(0., -1.), (1., 0.), (0., 1.), (-1., 0.)]));
        assert!(is_convex(&square[..3]));
        assert!(!is_convex(&square[..2]));
        let reversed: Vec<_> = square.iter().rev().copied().collect();
        assert!(!is_convex(&reversed));
        assert!(!is_convex(&[(0., 0.), (1., 0.), (2., 0.), (2., 2.)]));
        // Five corners, twice around; with and without level edges.
        let star = [(0., 3.), (-2., -3.), (3., 1.), (-3., 1.), (2., -3.)];
        assert!(!is_convex(&star));
        let turned: Vec<_> = star.iter().map(|&(x, y)| (y, -x)).collect();
        assert!(!is_convex(&turned));
        // The square, twice around.
        let twice: Vec<_> = square.iter().chain(&square).copied().collect();
        assert!(!is_convex(&twice));
    }
}
