//! Ear clipping of one loop: terminates whatever rounding has done to the loop.

use crate::polygon::predicates2::{area, orient};
use glam::DVec2;
use std::ops::Range;

/// Looks at points, whether they are in a corner, that are always allowed: a loop of 160 points can take no more, and
/// longer ones come here only where a constrained Delaunay triangulation fails.
const LOOKS: usize = 160 * 160 * 160;

/// Triangulates one loop: cuts off spikes, and corners that turn left and contain no other corner. If
/// rounding leaves no such corner, cuts off the best one there is, so that the triangles always close the
/// outline. So it does with what is left of a long loop in which too many corners contain others, as of one that
/// crosses itself all over: that would take time with the third power. `ring` is scratch memory.
pub fn clip_ears(
    points: &[DVec2],
    outline: &Range<u32>,
    ring: &mut Vec<u32>,
    out: &mut Vec<[u32; 3]>,
) {
    ring.clear();
    ring.extend(outline.clone());
    // Turns of a clockwise loop count mirrored, so that its ears turn left too.
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
    let mut looks = LOOKS + 2 * ring.len() * ring.len();
    drop_spikes(points, ring, 0, usize::MAX, out);
    while ring.len() > 3 {
        let count = ring.len();
        at %= count;
        let corner = corner(ring, at);
        let [a, b, c] = corner;
        let is_ear = match misses / count {
            0 => turn(a, b, c) > 0.0 && is_clear(ring, corner, &turn, points, &mut looks),
            // After a whole round without an ear: a corner of zero area, then any left turn, then any.
            1 => turn(a, b, c) == 0.0,
            2 => turn(a, b, c) > 0.0,
            _ => true,
        };
        if is_ear {
            out.push(corner);
            ring.remove(at);
            misses = 0;
            drop_spikes(points, ring, at + count - 2, 2, out);
            // Going on two corners later avoids a fan of thin triangles.
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

/// Corner of the ring with its neighbours.
fn corner(ring: &[u32], at: usize) -> [u32; 3] {
    let count = ring.len();
    [
        ring[(at + count - 1) % count],
        ring[at % count],
        ring[(at + 1) % count],
    ]
}

/// Cuts off corners that coincide with a neighbour, or where the outline turns back. They have no area, but
/// would let ears fold over each other. Tests `corners` corners from `at` on, and those whose neighbours
/// change.
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
        let corner = corner(ring, at);
        let [a, b, c] = corner.map(|p| points[p as usize]);
        if is_spike(a, b, c) {
            out.push(corner);
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

/// Whether no other corner of the ring lies in or on the triangle. Counts the corners that it looks at down; without
/// any left, none is.
fn is_clear(
    ring: &[u32],
    [a, b, c]: [u32; 3],
    turn: &impl Fn(u32, u32, u32) -> f64,
    points: &[DVec2],
    looks: &mut usize,
) -> bool {
    let position = |p: u32| points[p as usize];
    let low = position(a).min(position(b)).min(position(c));
    let high = position(a).max(position(b)).max(position(c));
    ring.iter().all(|&p| {
        let at = position(p);
        *looks = looks.saturating_sub(1);
        *looks == 0
            || [a, b, c].contains(&p)
            || at.cmplt(low).any()
            || at.cmpgt(high).any()
            || [a, b, c].iter().any(|&corner| position(corner) == at)
            || turn(a, b, p) < 0.0
            || turn(b, c, p) < 0.0
            || turn(c, a, p) < 0.0
    })
}
