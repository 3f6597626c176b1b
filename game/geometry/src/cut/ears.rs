//! One loop to triangles by cutting ears: always ends, whatever rounding has done to the loop.

use super::loops::{area, orient};
use glam::DVec2;
use std::ops::Range;

/// Cuts ears off one loop. Prefers ears that turn left and hold no other corner; when rounding has
/// left none it takes the best there is, so that it always ends with the loop's outline. `ring` is
/// scratch.
pub fn ears(points: &[DVec2], outline: &Range<u32>, ring: &mut Vec<u32>, out: &mut Vec<[u32; 3]>) {
    ring.clear();
    ring.extend(outline.clone());
    // A clockwise loop is mirrored, so that its ears turn left too.
    let mirror = if area(points, outline) < 0.0 {
        -1.0
    } else {
        1.0
    };
    let turn = |a: u32, b: u32, c: u32| {
        mirror * orient(points[a as usize], points[b as usize], points[c as usize])
    };
    let mut at = 0;
    let mut misses = 0;
    while ring.len() > 3 {
        let count = ring.len();
        let around = [
            ring[(at + count - 1) % count],
            ring[at % count],
            ring[(at + 1) % count],
        ];
        let [a, b, c] = around;
        let ear = turn(a, b, c) > 0.0 && is_clear(ring, around, &turn, points);
        // After a whole round without an ear any left turn will do, then anything.
        let forced = (misses >= count && turn(a, b, c) > 0.0) || misses >= 2 * count;
        if ear || forced {
            out.push(around);
            ring.remove(at % count);
            misses = 0;
            // Going on two corners later spreads the triangles instead of making a fan.
            at = (at + 1) % ring.len();
        } else {
            misses += 1;
            at = (at + 1) % count;
        }
    }
    if let [a, b, c] = ring[..] {
        out.push([a, b, c]);
    }
}

/// Whether no other corner of the ring lies in or on the triangle.
fn is_clear(
    ring: &[u32],
    [a, b, c]: [u32; 3],
    turn: &impl Fn(u32, u32, u32) -> f64,
    points: &[DVec2],
) -> bool {
    let place = |p: u32| points[p as usize];
    let low = place(a).min(place(b)).min(place(c));
    let high = place(a).max(place(b)).max(place(c));
    ring.iter().all(|&p| {
        let at = place(p);
        [a, b, c].contains(&p)
            || at.cmplt(low).any()
            || at.cmpgt(high).any()
            || [a, b, c].iter().any(|&corner| place(corner) == at)
            || turn(a, b, p) < 0.0
            || turn(b, c, p) < 0.0
            || turn(c, a, p) < 0.0
    })
}
