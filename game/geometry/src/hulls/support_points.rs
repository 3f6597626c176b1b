//! Support points: the farthest points in fixed directions, whose hull is close to that of all points.

use glam::DVec3;

/// At most `limit` (at least 4) of some points, of which the convex hull is close to that of all: the
/// farthest in each of a fixed set of evenly spread directions.
///
/// Returns each point once, in the given order. The result depends on nothing else. Points that are not
/// finite are skipped.
pub fn support_points(
    points: impl Iterator<Item = [f32; 3]> + Clone,
    limit: usize,
) -> Vec<[f32; 3]> {
    let directions = directions(limit.max(4));
    // By direction: the greatest height along it, and the index of that point.
    let mut best: Vec<Option<(f64, usize)>> = vec![None; directions.len()];
    for (index, point) in points.clone().enumerate() {
        let position = DVec3::from(point.map(f64::from));
        if !position.is_finite() {
            continue;
        }
        for (best, direction) in best.iter_mut().zip(&directions) {
            let height = position.dot(*direction);
            if best.is_none_or(|(highest, _)| height > highest) {
                *best = Some((height, index));
            }
        }
    }
    let mut chosen: Vec<usize> = best.into_iter().flatten().map(|(_, index)| index).collect();
    chosen.sort_unstable();
    chosen.dedup();
    let chosen = points
        .enumerate()
        .filter(|(index, _)| chosen.binary_search(index).is_ok());
    let mut out: Vec<[f32; 3]> = chosen.map(|(_, point)| point).collect();
    out.dedup();
    out
}

/// Directions to the corners of a box, so that boxes stay boxes, then on a Fibonacci sphere, which
/// spreads them evenly.
fn directions(count: usize) -> Vec<DVec3> {
    let mut out = Vec::with_capacity(count);
    for corner in 0..8 {
        let sign = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
        // Not quite diagonal, so that no two corners of a cube are equally far.
        out.push(DVec3::new(sign(0), 1.001 * sign(1), 1.002 * sign(2)));
    }
    let spread = count.saturating_sub(out.len());
    let golden_angle = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    for k in 0..spread {
        let y = 1.0 - 2.0 * (k as f64 + 0.5) / spread as f64;
        let radius = (1.0 - y * y).sqrt();
        let (sin, cos) = libm::sincos(golden_angle * k as f64);
        out.push(DVec3::new(radius * cos, y, radius * sin));
    }
    out.truncate(count);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_keeps_its_corners_and_loses_what_lies_inside() {
        let mut points = vec![[0.0; 3], [0.1, 0.2, 0.3]];
        for corner in 0..8u32 {
            points.push([0, 1, 2].map(|bit| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 }));
        }
        let hull = support_points(points.iter().copied(), 32);
        assert_eq!(hull, points[2..]);
    }

    #[test]
    fn the_limit_holds_and_infinite_points_are_left_out() {
        let wave = |k: i32| [k as f32, (k * k % 17) as f32, (k * 7 % 11) as f32];
        let points = (0..500)
            .map(wave)
            .chain([[f32::NAN; 3], [f32::INFINITY; 3]]);
        let hull = support_points(points, 20);
        assert!(hull.len() <= 20 && hull.len() >= 4);
        assert!(hull.iter().flatten().all(|x| x.is_finite()));
    }
}
