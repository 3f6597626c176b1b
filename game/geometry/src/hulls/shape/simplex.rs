//! Four points to begin a hull with.

use glam::DVec3;

/// What is thinner than this part of its size has no hull.
const THINNEST: f64 = 1e-6;

/// Four points far from each other, turned so that the first three are seen counter-clockwise from
/// where the fourth is not; how long the longest side is, and how high the fourth is.
pub fn simplex(points: &[DVec3]) -> Option<([u32; 4], f64, f64)> {
    points.first()?;
    let at = |index: u32| points[index as usize];
    let (mut lowest, mut highest) = ([0; 3], [0; 3]);
    for (index, point) in (0..).zip(points) {
        for axis in 0..3 {
            if point[axis] < at(lowest[axis])[axis] {
                lowest[axis] = index;
            }
            if point[axis] > at(highest[axis])[axis] {
                highest[axis] = index;
            }
        }
    }
    let pair = |axis: usize| {
        let (low, high) = (lowest[axis], highest[axis]);
        (at(low).distance(at(high)), low, high)
    };
    let longest = [1, 2].map(pair).into_iter();
    let (size, a, b) = longest.fold(pair(0), |x, y| if y.0 > x.0 { y } else { x });
    let along = (at(b) - at(a)).try_normalize()?;
    let (_, c) = farthest(points, |p| (p - at(a)).cross(along).length_squared());
    let normal = (at(b) - at(a)).cross(at(c) - at(a)).try_normalize()?;
    let (height, d) = farthest(points, |p| normal.dot(p - at(a)).abs());
    let is_thick = height > THINNEST * size && size.is_finite();
    let above = normal.dot(at(d) - at(a)) > 0.0;
    let [b, c] = if above { [c, b] } else { [b, c] };
    is_thick.then_some(([a, b, c, d], size, height))
}

/// The largest measure of a point, and whose it is.
fn farthest(points: &[DVec3], measure: impl Fn(DVec3) -> f64) -> (f64, u32) {
    let mut best = (f64::NEG_INFINITY, 0);
    for (index, point) in (0..).zip(points) {
        let far = measure(*point);
        if far > best.0 {
            best = (far, index);
        }
    }
    best
}
