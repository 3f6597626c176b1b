//! Parts of a line that lie deep enough in a solid.

use super::bar::Bar;
use crate::Solid;

/// Shortest step along the line, in depths: between two places that are deep enough, the depth is at most an eighth
/// less. Shorter ones take longer.
const MIN_STEP: f64 = 0.25;

/// Greatest distance from the surface that is told from greater ones, in depths. A greater one allows longer steps, and
/// takes longer to find.
const MAX_DISTANCE: f64 = 4.0;

/// The parts of a line, in metres from its start, that are in the solid and nowhere nearer to its surface
/// than `depth`; in order, found to a quarter of the depth. Shorter ones than `least` may be missing.
///
/// The distance from the surface changes by no more than the way, so that it says how far the next step can go.
pub fn clear_parts(solid: &Solid, line: &Bar, depth: f64, least: f64) -> Vec<[f64; 2]> {
    let mut stack = Vec::new();
    let mut parts = Vec::new();
    // No place is deeper than it is far from where the line enters and leaves.
    let inner = |[from, to]: [f64; 2]| [from + depth, to - depth];
    let inner = line.parts_in(solid).into_iter().map(inner);
    for [first, last] in inner.filter(|[first, last]| last - first >= least) {
        let mut begun: Option<[f64; 2]> = None;
        let mut at = first;
        while at <= last {
            let distance = solid.distance_within(line.place(at), MAX_DISTANCE * depth, &mut stack);
            if distance >= depth {
                let to = (at + distance - depth).min(last);
                begun = Some([begun.map_or(at, |[from, _]| from), to]);
            } else {
                parts.extend(begun.take());
            }
            at += (distance - depth).abs().max(MIN_STEP * depth);
        }
        parts.extend(begun);
    }
    parts
}
