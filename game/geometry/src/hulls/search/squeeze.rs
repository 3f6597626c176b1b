//! Fewer hulls than fit, where there are too many.

use crate::hulls::search::context::DecomposeContext;
use crate::hulls::search::hull_part::HullPart;
use crate::hulls::shape::convex_hull::ConvexHull;

/// So many at most: pairs are joined whose hull leaves least empty, those that are near first, because of hundreds all
/// pairs would be too many.
pub fn squeezed(pieces: Vec<HullPart>, most: usize, body: &DecomposeContext) -> Vec<HullPart> {
    let mut squeezing = LimitMerge {
        body,
        slots: pieces.into_iter().map(Some).collect(),
        pairs: Vec::new(),
    };
    let mut near = body.allowed;
    while squeezing.count() > most && near < 2.0 * body.size {
        squeezing.find_pairs(near);
        squeezing.join(near, most);
        near *= 2.0;
    }
    squeezing.slots.into_iter().flatten().collect()
}

struct LimitMerge<'a> {
    body: &'a DecomposeContext<'a>,
    slots: Vec<Option<HullPart>>,
    pairs: Vec<MergeCandidate>,
}

/// Two that may be one.
struct MergeCandidate {
    /// What the hull leaves empty beside what theirs do.
    empty: f64,
    /// Whose it is, the lower number first.
    of: [usize; 2],
    hull: ConvexHull,
}

impl LimitMerge<'_> {
    fn count(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    /// Pairs whose boxes are no farther apart than `near`.
    fn find_pairs(&mut self, near: f64) {
        self.pairs.clear();
        for a in 0..self.slots.len() {
            self.pair_up(a, a + 1, near);
        }
    }

    /// Pairs of one with those from another on.
    fn pair_up(&mut self, a: usize, from: usize, near: f64) {
        for b in from..self.slots.len() {
            let (Some(one), Some(other)) = (&self.slots[a], &self.slots[b]) else {
                continue;
            };
            if a == b || !one.is_near(other, near) {
                continue;
            }
            if let Some(hull) = one.hull_with(other, self.body) {
                let empty = hull.volume() - one.hull.volume() - other.hull.volume();
                let of = [a.min(b), a.max(b)];
                self.pairs.push(MergeCandidate { empty, of, hull });
            }
        }
    }

    /// Joins pairs while there are more than `most`.
    fn join(&mut self, near: f64, most: usize) {
        while self.count() > most {
            let order = |a: &MergeCandidate, b: &MergeCandidate| {
                b.empty.total_cmp(&a.empty).then(b.of.cmp(&a.of))
            };
            self.pairs.sort_by(order);
            let Some(MergeCandidate {
                of: [a, b], hull, ..
            }) = self.pairs.pop()
            else {
                return;
            };
            let other = self.slots[b].take();
            if let (Some(one), Some(other)) = (&mut self.slots[a], other) {
                one.take_in(&other, hull);
            }
            self.pairs
                .retain(|pair| !pair.of.iter().any(|x| [a, b].contains(x)));
            self.pair_up(a, 0, near);
        }
    }
}
