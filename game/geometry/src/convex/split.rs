//! Triangles in halves, for looking at large ones bit by bit.

use glam::DVec3;

/// Both halves, when the longest edge is longer than a step.
pub fn halved(corners: &[DVec3; 3], step: f64) -> Option<[[DVec3; 3]; 2]> {
    let [a, b, c] = *corners;
    let sides = [(a, b, c), (b, c, a), (c, a, b)];
    let square = |side: &(DVec3, DVec3, DVec3)| side.0.distance_squared(side.1);
    let longer = |x, y| if square(&y) > square(&x) { y } else { x };
    let longest = sides.into_iter().reduce(longer)?;
    let (from, to, top) = longest;
    let middle = 0.5 * (from + to);
    (square(&longest) > step * step).then_some([[from, middle, top], [middle, to, top]])
}
