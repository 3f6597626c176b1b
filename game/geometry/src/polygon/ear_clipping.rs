//! One loop to triangles by cutting ears: always ends, whatever rounding has done to the loop.

use crate::polygon::predicates2::{area, orient};
use glam::DVec2;
use std::ops::Range;

/// Cuts ears off one loop: corners that lie where their neighbours do, and ears that turn left and
/// hold no other corner. When rounding has left none it takes the best there is, so that it always
/// ends with the loop's outline. `ring` is scratch.
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
    drop_spikes(points, ring, 0, usize::MAX, out);
    while ring.len() > 3 {
        let count = ring.len();
        at %= count;
        let around = corner(ring, at);
        let [a, b, c] = around;
        let ear = match misses / count {
            0 => turn(a, b, c) > 0.0 && is_clear(ring, around, &turn, points),
            // After a whole round without an ear what has no area will do, then any left turn, then
            // anything.
            1 => turn(a, b, c) == 0.0,
            2 => turn(a, b, c) > 0.0,
            _ => true,
        };
        if ear {
            out.push(around);
            ring.remove(at);
            misses = 0;
            drop_spikes(points, ring, at + count - 2, 2, out);
            // Going on two corners later spreads the triangles instead of making a fan.
            at += 1;
        } else {
            misses += 1;
            at += 1;
        }
    }
    if let [a, b, c] = ring[..] {
        out.push([a, b, c]);
    }
}

/// A corner of the ring with its neighbours.
fn corner(ring: &[u32], at: usize) -> [u32; 3] {
    let count = ring.len();
    [
        ring[(at + count - 1) % count],
        ring[at % count],
        ring[(at + 1) % count],
    ]
}

/// Cuts off corners that lie where a neighbour does, or from which the outline goes back the way it
/// came. They have no area; left in, they would let ears fold over each other. Looks at some corners
/// from `at` on, and at those whose neighbours change.
fn drop_spikes(
    points: &[DVec2],
    ring: &mut Vec<u32>,
    mut at: usize,
    corners: usize,
    out: &mut Vec<[u32; 3]>,
) {
    let mut left = corners.min(ring.len());
    while left > 0 && ring.len() > 3 {
        at %= ring.len();
        let around = corner(ring, at);
        let [a, b, c] = around.map(|p| points[p as usize]);
        if is_spike(a, b, c) {
            out.push(around);
            ring.remove(at);
            at += ring.len() - 1;
            left = (left + 1).min(ring.len());
        } else {
            at += 1;
            left -= 1;
        }
    }
}

/// Whether an outline from `a` over `b` to `c` turns back at `b`, within a billionth of a radian.
fn is_spike(a: DVec2, b: DVec2, c: DVec2) -> bool {
    if a == b || b == c {
        return true;
    }
    let (there, back) = (b - a, c - b);
    let turn = there.perp_dot(back);
    let lengths = there.length_squared() * back.length_squared();
    there.dot(back) < 0.0 && turn * turn <= 1e-18 * lengths
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
