//! Triangles in halves, for looking at large ones bit by bit.

use glam::DVec3;

/// Both halves, when the longest edge is longer than a step.
pub fn halved(corners: &[DVec3; 3], step: f64) -> Option<[[DVec3; 3]; 2]> {
    let [from, to, top] = with_long_base(*corners, step, |corner| *corner)?;
    let middle = 0.5 * (from + to);
    Some([[from, middle, top], [middle, to, top]])
}

/// A triangle whose corners are turned so that the longest edge is that from the first to the second, when it is
/// longer than a step.
pub fn with_long_base<T: Copy>(
    [a, b, c]: [T; 3],
    step: f64,
    place: impl Fn(&T) -> DVec3,
) -> Option<[T; 3]> {
    let square = |[from, to, _]: &[T; 3]| place(from).distance_squared(place(to));
    let longer = |x, y| if square(&y) > square(&x) { y } else { x };
    let turned = [[a, b, c], [b, c, a], [c, a, b]];
    let longest = turned.into_iter().reduce(longer)?;
    (square(&longest) > step * step).then_some(longest)
}
