//! Lengths of bars that are in no concrete, and what holds their ends.

use super::Bar;
use crate::mesh::ray::{ray_x_hit, RayHit};
use crate::Solid;
use glam::DVec3;

/// A length of a bar outside of what is held, in metres from the bar's start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BareSpan {
    /// Where it begins and ends.
    pub ends: [f64; 2],
    /// Which of the ends are held; at least one.
    pub is_held: [bool; 2],
}

impl BareSpan {
    /// Length, metres.
    pub fn length(&self) -> f64 {
        self.ends[1] - self.ends[0]
    }
}

/// Coordinates in an order in which an axis comes first, with the same handedness.
fn turned(place: DVec3, axis: usize) -> DVec3 {
    DVec3::new(place[axis], place[(axis + 1) % 3], place[(axis + 2) % 3])
}

/// Where a line that goes along x meets the plane of a triangle that it crosses.
fn crossing([a, b, c]: [DVec3; 3], point: DVec3) -> f64 {
    let normal = (b - a).cross(c - a);
    let (low, high) = (a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x));
    // The line crosses the triangle, so that no quotient, however badly rounded, is beyond its corners.
    (a.x + ((a - point).y * normal.y + (a - point).z * normal.z) / normal.x)
        .max(low)
        .min(high)
}

impl Bar {
    /// The parts of the bar that are in a solid of the same frame, in metres from its start and in order.
    ///
    /// Which triangles the bar's line crosses is decided exactly, so that it comes out as often as it goes in; where it
    /// does is rounded.
    pub fn parts_in(&self, solid: &Solid) -> Vec<[f64; 2]> {
        let mut before = turned(self.start, self.axis);
        let start = before.x;
        before.x = before.x.min(solid.bounds().min[self.axis]) - 1.0;
        let mut crossings = Vec::new();
        let mut stack = vec![0];
        while let Some(index) = stack.pop() {
            let node = solid.bvh().node(index);
            let [low, high] = node.bounds().corners().map(|c| turned(c, self.axis));
            if before.y < low.y || before.y > high.y || before.z < low.z || before.z > high.z {
                continue;
            }
            if !node.is_leaf() {
                stack.extend([index + 1, node.right]);
                continue;
            }
            for triangle in node.triangles() {
                let corners = solid.positions_of(triangle).map(|c| turned(c, self.axis));
                let hit = ray_x_hit(corners, before);
                if matches!(hit, RayHit::Enters | RayHit::Leaves) {
                    crossings.push((crossing(corners, before) - start, -hit.winding()));
                }
            }
        }
        // Of crossings at one place those that go in come first: a part that goes on is not cut there.
        crossings.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        parts_between(&crossings, self.length())
    }

    /// The lengths of the bar that are outside of the held parts, which are in order and apart. Parts that are
    /// shorter than `least_grip` do not hold: a span goes on through them. A bar that none of them holds has no spans.
    pub fn bare_spans(&self, held: &[[f64; 2]], least_grip: f64) -> Vec<BareSpan> {
        let mut spans = Vec::new();
        let mut from: Option<f64> = None;
        for [low, high] in held.iter().filter(|[low, high]| high - low >= least_grip) {
            let ends = [from.unwrap_or(0.0), *low];
            let is_held = [from.is_some(), true];
            spans.push(BareSpan { ends, is_held });
            from = Some(*high);
        }
        spans.extend(from.map(|from| BareSpan {
            ends: [from, self.length()],
            is_held: [true, self.is_end_held],
        }));
        spans.retain(|span| span.length() > 0.0);
        spans
    }
}

/// The parts of a length in which the line has gone in more often than it has come out.
fn parts_between(crossings: &[(f64, i32)], length: f64) -> Vec<[f64; 2]> {
    let mut parts = Vec::new();
    let mut winding = 0;
    let mut from = 0.0;
    for (at, change) in crossings {
        let was_inside = winding > 0;
        winding += change;
        match (was_inside, winding > 0) {
            (false, true) => from = at.max(0.0),
            (true, false) if at.min(length) > from => parts.push([from, at.min(length)]),
            _ => {}
        }
    }
    parts
}
