//! Parts of a line along an axis that lie deep enough in a solid.

use crate::Solid;
use glam::DVec3;

/// Shortest step along the line, in depths: between two places that are deep enough, the depth is at most an eighth
/// less. Shorter ones take longer.
const MIN_STEP: f64 = 0.25;

/// The parts of a line, in metres from its start along an axis, that are in the solid and nowhere nearer to its surface
/// than `depth`; in order, found to a quarter of the depth.
///
/// The distance from the surface changes by no more than the way, so that it says how far the next step can go.
pub fn clear_parts(
    solid: &Solid,
    start: DVec3,
    axis: usize,
    length: f64,
    depth: f64,
) -> Vec<[f64; 2]> {
    let along = DVec3::AXES[axis];
    let mut stack = Vec::new();
    let mut parts = Vec::new();
    let mut begun: Option<[f64; 2]> = None;
    let mut at = 0.0;
    while at <= length {
        let place = start + at * along;
        let distance = solid.distance_within(place, length.max(depth), &mut stack);
        // No surface is crossed between places that are deep enough: one exact test is enough for all of a part.
        if distance >= depth && (begun.is_some() || solid.is_inside(place)) {
            let to = (at + distance - depth).min(length);
            begun = Some([begun.map_or(at, |[from, _]| from), to]);
        } else {
            parts.extend(begun.take());
        }
        at += (distance - depth).abs().max(MIN_STEP * depth);
    }
    parts.extend(begun);
    parts
}
