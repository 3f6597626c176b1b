//! Points that no hull has. A part that a plane cut off may be too flat or too small for a hull of its own;
//! what it reaches out by goes to the nearest of the others.

use super::body::Body;
use super::piece::Piece;
use super::polyhedron::{Plane, Polyhedron};
use super::shallow::is_found;
use super::split::halved;
use glam::DVec3;

/// What hulls may leave out, as a part of the size.
const LEFT_OUT: f64 = 0.004;

/// Makes hulls close ones, and puts the points of a body that are outside of all into the nearest; tells which
/// of them that was done to.
pub fn cover(pieces: &mut [Piece], body: &Body) -> Vec<bool> {
    let limit = LEFT_OUT * body.size;
    let mut more: Vec<Vec<DVec3>> = vec![Vec::new(); pieces.len()];
    let mut last = 0;
    for &point in &body.whole.points {
        if are_in_one(&[point], pieces, limit, &mut last) {
            continue;
        }
        let distance = |index: &usize| {
            let piece = pieces.get(*index);
            piece.map_or(f64::INFINITY, |piece| piece.hull.distance(point))
        };
        let nearest = (0..pieces.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        if let Some(more) = nearest.and_then(|index| more.get_mut(index)) {
            more.push(point);
        }
    }
    for (piece, more) in pieces.iter_mut().zip(&more) {
        piece.finish(more, body);
    }
    more.iter().map(|more| !more.is_empty()).collect()
}

/// Whether hulls leave out next to nothing of a body's surface. Its points alone do not tell: a large triangle may
/// lead from hull to hull past what neither has.
pub fn is_covered(pieces: &[Piece], body: &Body) -> bool {
    // More than the points of a surface may be out, so that it ends: what is smaller and has a corner in a hull is
    // near to that.
    let limit = 2.0 * LEFT_OUT * body.size;
    let mut last = 0;
    let mut open = Vec::new();
    for triangle in &body.whole.triangles {
        open.push(body.whole.place(*triangle));
        while let Some(corners) = open.pop() {
            if are_in_one(&corners, pieces, limit, &mut last) {
                continue;
            }
            match halved(&corners, limit) {
                Some(halves) => open.extend(halves),
                None => return false,
            }
        }
    }
    true
}

/// Whether one of the hulls has all of some points.
fn are_in_one(points: &[DVec3], pieces: &[Piece], limit: f64, last: &mut usize) -> bool {
    let has = |index: &usize| {
        let piece = pieces.get(*index);
        piece.is_some_and(|p| points.iter().all(|point| is_in(&p.hull, *point, limit)))
    };
    is_found(last, pieces.len(), has)
}

fn is_in(hull: &Polyhedron, point: DVec3, limit: f64) -> bool {
    let is_below = |plane: &Plane| plane.height(point) <= limit;
    hull.planes.iter().all(is_below) && hull.distance(point) <= limit
}
