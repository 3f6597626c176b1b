//! Support points: the farthest points in given directions, whose hull is close to that of all.

use glam::{DVec3, Vec3};

/// Directions that are looked at together, so that the compiler uses vector instructions for them.
const LANES: usize = 8;

/// At most `limit` (at least 4) of some points, of which the convex hull is close to that of all: the
/// farthest in each of a fixed set of evenly spread directions.
///
/// Returns each point once, in the given order. The result depends on nothing else. Points that are not
/// finite are skipped.
pub fn support_points(
    points: impl Iterator<Item = [f32; 3]> + Clone,
    limit: usize,
) -> Vec<[f32; 3]> {
    let points: Vec<[f32; 3]> = points
        .filter(|point| Vec3::from(*point).is_finite())
        .collect();
    let chosen = farthest(&points, &directions(limit.max(4)));
    let mut out: Vec<[f32; 3]> = chosen.into_iter().map(|index| points[index]).collect();
    out.dedup();
    out
}

/// The indices of the farthest points in some directions, each once and ascending. Points that are not numbers are skipped.
pub fn farthest(points: &[[f32; 3]], directions: &[DVec3]) -> Vec<usize> {
    let mut chosen = Vec::with_capacity(directions.len());
    for directions in directions.chunks(LANES) {
        let axis = |axis: usize| {
            let along = |lane: usize| {
                directions
                    .get(lane)
                    .map_or(0.0, |direction| direction[axis])
            };
            std::array::from_fn::<f64, LANES, _>(along)
        };
        let [x, y, z] = [axis(0), axis(1), axis(2)];
        let (mut highest, mut best) = ([f64::NEG_INFINITY; LANES], [u32::MAX; LANES]);
        for (index, point) in (0..).zip(points) {
            let point = point.map(f64::from);
            for lane in 0..LANES {
                let height = x[lane] * point[0] + y[lane] * point[1] + z[lane] * point[2];
                let is_higher = height > highest[lane];
                highest[lane] = if is_higher { height } else { highest[lane] };
                best[lane] = if is_higher { index } else { best[lane] };
            }
        }
        let found = best
            .iter()
            .take(directions.len())
            .filter(|index| **index != u32::MAX);
        chosen.extend(found.map(|index| *index as usize));
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// Directions to the corners and to the sides of a box.
pub fn box_directions() -> Vec<DVec3> {
    let sides = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    box_corners().chain(sides).collect()
}

/// Directions to the corners of a box: not quite diagonal, so that no two corners of a cube are equally far.
fn box_corners() -> impl Iterator<Item = DVec3> {
    (0..8u32).map(|corner| {
        let sign = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
        DVec3::new(sign(0), 1.001 * sign(1), 1.002 * sign(2))
    })
}

/// Directions to the corners of a box, so that boxes stay boxes, then on a Fibonacci sphere, which
/// spreads them evenly.
fn directions(count: usize) -> Vec<DVec3> {
    let corners = box_corners();
    let spread = count.saturating_sub(8);
    let golden_angle = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let on_sphere = (0..spread).map(|k| {
        let y = 1.0 - 2.0 * (k as f64 + 0.5) / spread as f64;
        let radius = (1.0 - y * y).sqrt();
        let (sin, cos) = libm::sincos(golden_angle * k as f64);
        DVec3::new(radius * cos, y, radius * sin)
    });
    corners.chain(on_sphere).take(count).collect()
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
