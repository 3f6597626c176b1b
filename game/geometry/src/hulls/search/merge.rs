//! Parts joined again where one hull fits both.

use crate::hulls::search::context::DecomposeContext;
use crate::hulls::search::hull_part::HullPart;
use crate::hulls::search::squeeze::squeezed;
use glam::DVec3;

/// Corners of each hull that are looked at before a joint one is made.
const FEW: usize = 12;

/// Has the largest take in all that one hull fits together with it, and then each that is left alike; and then,
/// when there are still more than `most`, joins what does not fit together, from near to far. `stuck` has what does
/// not fit as it is. Also tells whether all fits.
pub fn merge(
    done: Vec<HullPart>,
    stuck: Vec<HullPart>,
    most: usize,
    body: &DecomposeContext,
) -> (Vec<HullPart>, bool) {
    let fit = stuck.is_empty();
    let mut done = done;
    done.sort_by(|a, b| b.hull.volume().total_cmp(&a.hull.volume()));
    let mut pieces = gathered(done, |one, other| {
        let near =
            one.is_near(other, body.allowed) && !body.is_to_stop() && !is_apart(one, other, body);
        let hull = near.then(|| one.hull_with(other, body)).flatten();
        let hull = hull.filter(|hull| body.room().holds(hull));
        let goes_together = hull.is_some();
        if let Some(hull) = hull {
            one.take_in(other, hull);
        }
        goes_together
    });
    pieces.extend(stuck);
    match pieces.len() > most {
        true => (squeezed(pieces, most, body), false),
        false => (pieces, fit),
    }
}

/// Lets each, in their order, take in all that come after it and go together with it, as `take_in` tells. What does
/// not go together with something does not with anything that has taken that in, so nothing is asked for twice.
pub fn gathered<T>(mut open: Vec<T>, take_in: impl Fn(&mut T, &T) -> bool) -> Vec<T> {
    let mut done = Vec::new();
    while !open.is_empty() {
        let mut now = open.remove(0);
        open.retain(|other| !take_in(&mut now, other));
        done.push(now);
    }
    done
}

/// Whether a point between two corners tells that no hull fits both.
fn is_apart(one: &HullPart, other: &HullPart, body: &DecomposeContext) -> bool {
    let some = |piece: &HullPart| {
        let points = &piece.hull.points;
        let step = points.len().div_ceil(FEW).max(1);
        points.iter().step_by(step).copied().collect::<Vec<_>>()
    };
    let (ones, others) = (some(one), some(other));
    let room = body.room();
    let is_off = |a: &DVec3| others.iter().any(|b| !room.has(0.5 * (*a + *b)));
    ones.iter().any(is_off)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_takes_in_what_goes_together_with_it() {
        // Numbers that go together up to a sum.
        let up_to = |most: u32| {
            let all = vec![7, 5, 4, 3, 2, 2, 1];
            gathered(all, |a, b| {
                let goes_together = *a + b <= most;
                *a += if goes_together { *b } else { 0 };
                goes_together
            })
        };
        assert_eq!(up_to(0), [7, 5, 4, 3, 2, 2, 1]);
        assert_eq!(up_to(8), [8, 8, 8]);
        assert_eq!(up_to(24), [24]);
    }
}
