//! Parts merged where one hull fits both, and, of too many, where it does not.

use super::context::DecomposeContext;
use super::hull_part::HullPart;
use crate::hulls::params::MERGE_PROBE_POINTS;
use crate::hulls::shape::convex_hull::ConvexHull;
use crate::steps::pause;
use glam::DVec3;

/// Greedy merge in descending volume: two parts merge if their joint hull lies in the tolerance volume.
/// If more than `max_hulls` remain, pairs are merged regardless. `unfit` has parts whose hulls do not
/// fit as they are. Returns the parts, and whether all fit.
pub async fn merge_hulls(
    mut fitting: Vec<HullPart>,
    unfit: Vec<HullPart>,
    max_hulls: usize,
    context: &DecomposeContext<'_>,
) -> (Vec<HullPart>, bool) {
    let all_fit = unfit.is_empty();
    fitting.sort_by(|a, b| b.hull.volume().total_cmp(&a.hull.volume()));
    let mut parts = merge_greedily(fitting, |one, other| {
        let may_merge = one.is_near(other, context.tolerance)
            && !context.poll_cancel()
            && !are_apart(one, other, context);
        let hull = may_merge.then(|| one.joint_hull(other, context)).flatten();
        let hull = hull.filter(|hull| context.volume().contains_hull(hull));
        let merges = hull.is_some();
        if let Some(hull) = hull {
            one.merge(other, hull);
        }
        merges
    })
    .await;
    parts.extend(unfit);
    if parts.len() > max_hulls {
        (merge_to_limit(parts, max_hulls, context).await, false)
    } else {
        (parts, all_fit)
    }
}

/// Pairs that are tried in one step: most are not near each other.
const PAIRS_PER_STEP: usize = 4;

/// Merges into each item, in order, all later ones that `merge` accepts. Each pair is tried once: items
/// that do not merge do not merge after one of them has grown either.
pub async fn merge_greedily<T>(mut open: Vec<T>, merge: impl Fn(&mut T, &T) -> bool) -> Vec<T> {
    let mut merged = Vec::new();
    while !open.is_empty() {
        let mut item = open.remove(0);
        let mut left = Vec::with_capacity(open.len());
        for (at, other) in open.into_iter().enumerate() {
            if !merge(&mut item, &other) {
                left.push(other);
            }
            if at % PAIRS_PER_STEP == PAIRS_PER_STEP - 1 {
                pause().await;
            }
        }
        open = left;
        merged.push(item);
    }
    merged
}

/// Whether the midpoint of some corners of two hulls is outside of the tolerance volume, so that no
/// hull fits both.
fn are_apart(one: &HullPart, other: &HullPart, context: &DecomposeContext) -> bool {
    let probes = |part: &HullPart| {
        let points = &part.hull.points;
        let step = points.len().div_ceil(MERGE_PROBE_POINTS).max(1);
        points.iter().step_by(step).copied().collect::<Vec<_>>()
    };
    let (ones, others) = (probes(one), probes(other));
    let volume = context.volume();
    let is_apart = |a: &DVec3| others.iter().any(|b| !volume.contains(0.5 * (*a + *b)));
    ones.iter().any(is_apart)
}

/// Most others that a part may be merged with at a time: of thousands of parts all pairs would take minutes.
const MAX_CANDIDATES_PER_PART: usize = 16;

/// Merges pairs regardless of whether their hulls fit, those with the least excess volume first, until
/// `max_hulls` are left. Pairs of near parts are tried first, because of hundreds of parts all pairs
/// would be too many.
async fn merge_to_limit(
    parts: Vec<HullPart>,
    max_hulls: usize,
    context: &DecomposeContext<'_>,
) -> Vec<HullPart> {
    let mut merge = LimitMerge {
        context,
        parts: parts.into_iter().map(Some).collect(),
        candidates: Vec::new(),
    };
    let mut distance = context.tolerance;
    while merge.count() > max_hulls && distance < 2.0 * context.size {
        merge.find_candidates(distance).await;
        merge.run(distance, max_hulls).await;
        distance *= 2.0;
    }
    merge.parts.into_iter().flatten().collect()
}

struct LimitMerge<'a> {
    context: &'a DecomposeContext<'a>,
    /// `None` where a part has been merged into another.
    parts: Vec<Option<HullPart>>,
    candidates: Vec<MergeCandidate>,
}

/// Two parts that may be merged.
struct MergeCandidate {
    /// Volume of the joint hull outside of the two hulls, m^3.
    excess: f64,
    /// Their indices, the lower first.
    parts: [usize; 2],
    hull: ConvexHull,
}

impl LimitMerge<'_> {
    fn count(&self) -> usize {
        self.parts.iter().flatten().count()
    }

    /// Finds pairs whose boxes are at most `distance` apart.
    async fn find_candidates(&mut self, distance: f64) {
        self.candidates.clear();
        for a in 0..self.parts.len() {
            self.add_candidates(a, a + 1, distance);
            pause().await;
        }
    }

    /// Adds the pairs of a part with the nearest of those from an index on.
    fn add_candidates(&mut self, a: usize, first: usize, distance: f64) {
        let Some(one) = &self.parts[a] else {
            return;
        };
        let others = self.parts.iter().enumerate().skip(first);
        let others = others.filter(|(b, _)| *b != a);
        let others = others.filter_map(|(b, other)| Some((other.as_ref()?, b)));
        let others = others.map(|(other, b)| (one.distance(other), b, other));
        let mut near: Vec<_> = others.filter(|(away, ..)| *away <= distance).collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, b, other) in near.into_iter().take(MAX_CANDIDATES_PER_PART) {
            if self.context.poll_cancel() {
                return;
            }
            if let Some(hull) = one.joint_hull(other, self.context) {
                self.candidates.push(MergeCandidate {
                    excess: hull.volume() - one.hull.volume() - other.hull.volume(),
                    parts: [a.min(b), a.max(b)],
                    hull,
                });
            }
        }
    }

    /// Merges candidates while there are more than `max_hulls` parts.
    async fn run(&mut self, distance: f64, max_hulls: usize) {
        while self.count() > max_hulls {
            // The least excess comes last.
            let order = |a: &MergeCandidate, b: &MergeCandidate| {
                let by_excess = b.excess.total_cmp(&a.excess);
                by_excess.then(b.parts.cmp(&a.parts))
            };
            self.candidates.sort_by(order);
            let Some(MergeCandidate {
                parts: [a, b],
                hull,
                ..
            }) = self.candidates.pop()
            else {
                return;
            };
            let other = self.parts[b].take();
            if let (Some(one), Some(other)) = (&mut self.parts[a], other) {
                one.merge(&other, hull);
            }
            let is_stale =
                |candidate: &MergeCandidate| candidate.parts.iter().any(|x| [a, b].contains(x));
            self.candidates.retain(|candidate| !is_stale(candidate));
            self.add_candidates(a, 0, distance);
            pause().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hulls::shape::quickhull::convex_hull;
    use crate::steps::finish;
    use crate::Mesh;

    /// A cube of 0.9 in a grid of 1.
    fn cube_at(place: [u32; 3]) -> Option<HullPart> {
        let corners = Mesh::cuboid([0.9; 3]).positions.into_iter();
        let place = DVec3::from(place.map(f64::from));
        let corners = corners.map(|corner| place + DVec3::from(corner.map(f64::from)));
        let corners: Vec<DVec3> = corners.collect();
        convex_hull(&corners, 1e-6, 64).map(HullPart::from_hull)
    }

    #[test]
    fn a_part_may_be_merged_with_the_nearest_others() {
        let context = DecomposeContext::new(&Mesh::cuboid([4.0; 3]), 0.02);
        let places = (0..64).map(|at| [at % 4, at / 4 % 4, at / 16]);
        let mut merge = LimitMerge {
            context: &context,
            parts: places.map(cube_at).collect(),
            candidates: Vec::new(),
        };
        finish(merge.find_candidates(f64::INFINITY));
        for part in 0..64 {
            let own = merge.candidates.iter().filter(|own| own.parts[0] == part);
            assert!(own.count() <= MAX_CANDIDATES_PER_PART, "{part}");
        }
        for neighbor in [1, 4, 16] {
            let is_pair = |own: &MergeCandidate| own.parts == [0, neighbor];
            assert!(merge.candidates.iter().any(is_pair), "{neighbor}");
        }
        finish(merge.run(f64::INFINITY, 5));
        assert_eq!(merge.count(), 5);
    }

    #[test]
    fn each_takes_in_what_goes_together_with_it() {
        // Numbers that go together up to a sum.
        let up_to = |most: u32| {
            let all = vec![7, 5, 4, 3, 2, 2, 1];
            let merge = |a: &mut u32, b: &u32| {
                let goes_together = *a + b <= most;
                *a += if goes_together { *b } else { 0 };
                goes_together
            };
            finish(merge_greedily(all, merge))
        };
        assert_eq!(up_to(0), [7, 5, 4, 3, 2, 2, 1]);
        assert_eq!(up_to(8), [8, 8, 8]);
        assert_eq!(up_to(24), [24]);
    }
}
