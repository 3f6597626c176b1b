//! Points that no hull has. A part that a plane cut off may be too flat or too small for a hull of its own;
//! what it reaches out by goes to the nearest of the others.

use super::body::Body;
use super::piece::Piece;
use super::polyhedron::{Plane, Polyhedron};
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
        let has = |index: &usize| {
            pieces
                .get(*index)
                .is_some_and(|p| is_in(&p.hull, point, limit))
        };
        if has(&last) {
            continue;
        }
        let found = (0..pieces.len()).find(has);
        last = found.unwrap_or(last);
        if found.is_some() {
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
            let has = |index: &usize| {
                let piece = pieces.get(*index);
                piece.is_some_and(|p| corners.iter().all(|c| is_in(&p.hull, *c, limit)))
            };
            let found = std::iter::once(last).chain(0..pieces.len()).find(has);
            match (found, halved(&corners, limit)) {
                (Some(index), _) => last = index,
                (None, Some(halves)) => open.extend(halves),
                (None, None) => return false,
            }
        }
    }
    true
}

fn is_in(hull: &Polyhedron, point: DVec3, limit: f64) -> bool {
    let is_below = |plane: &Plane| plane.height(point) <= limit;
    hull.planes.iter().all(is_below) && hull.distance(point) <= limit
}
