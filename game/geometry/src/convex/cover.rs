//! Points that no hull has. A part that a plane cut off may be too flat or too small for a hull of its own;
//! what it reaches out by goes to the nearest of the others.

use super::body::Body;
use super::piece::Piece;
use super::shallow::is_found;
use super::split::with_long_base;
use glam::DVec3;

/// What hulls may leave out, as a part of the size.
const LEFT_OUT: f64 = 0.004;

/// Most hulls of which [`is_covered`] tells.
pub const MOST_COVERING: usize = u128::BITS as usize;

/// Makes hulls close ones, and puts the points of a body that are outside of all into the nearest; tells which
/// of them that was done to.
pub fn cover(pieces: &mut [Piece], body: &Body) -> Vec<bool> {
    let limit = LEFT_OUT * body.size;
    let mut more: Vec<Vec<DVec3>> = vec![Vec::new(); pieces.len()];
    let mut last = 0;
    for &point in &body.whole.points {
        let has = |index: &usize| {
            let piece = pieces.get(*index);
            piece.is_some_and(|piece| piece.hull.is_near(point, limit))
        };
        if is_found(&mut last, pieces.len(), has) {
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

/// Whether hulls, [`MOST_COVERING`] at most, leave out next to nothing of a body's surface. Its points alone do
/// not tell: a large triangle may lead from hull to hull past what neither has.
pub fn is_covered(pieces: &[Piece], body: &Body) -> bool {
    // More than the points of a surface may be out, so that it ends: what is smaller and has a corner in a hull is
    // near to that.
    let limit = 2.0 * LEFT_OUT * body.size;
    let points = body.whole.points.iter();
    let corners: Vec<_> = points.map(|p| Corner::new(*p, pieces, limit)).collect();
    let mut open = Vec::new();
    for triangle in &body.whole.triangles {
        open.push(triangle.map(|corner| corners[corner as usize]));
        while let Some(triangle) = open.pop() {
            if triangle.iter().fold(u128::MAX, |all, c| all & c.hulls) != 0 {
                continue;
            }
            let Some([from, to, top]) = with_long_base(triangle, limit, |corner| corner.place)
            else {
                return false;
            };
            let middle = Corner::new(0.5 * (from.place + to.place), pieces, limit);
            open.extend([[from, middle, top], [middle, to, top]]);
        }
    }
    true
}

/// A point of a surface.
#[derive(Clone, Copy)]
struct Corner {
    place: DVec3,
    /// A bit for each hull that has it.
    hulls: u128,
}

impl Corner {
    fn new(place: DVec3, pieces: &[Piece], limit: f64) -> Self {
        let bits = pieces.iter().zip((0..u128::BITS).map(|bit| 1 << bit));
        let has = bits.filter(|(piece, _)| piece.hull.is_near(place, limit));
        Self {
            place,
            hulls: has.fold(0, |all, (_, bit)| all | bit),
        }
    }
}
