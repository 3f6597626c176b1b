//! A part of a solid with its hull: whether it fits, and how it is split.

use super::candidate_planes::candidate_planes;
use super::concavity::concavity_samples;
use super::context::DecomposeContext;
use super::cost::SplitCost;
use crate::hulls::params::{
    FINAL_HULL_SLACK, MAX_HULL_POINTS, MIN_GAIN, MIN_PART_SIZE, SEARCH_HULL_SLACK, SUFFICIENT_GAIN,
};
use crate::hulls::shape::connected::connected_parts;
use crate::hulls::shape::convex_hull::ConvexHull;
use crate::hulls::shape::part::Part;
use crate::hulls::shape::quickhull::convex_hull;
use crate::hulls::tolerance::coverage::points_outside;
use crate::hulls::tolerance::depth_bound::fits_by_depth;
use crate::math::{Aabb, Plane};
use crate::steps::pause;
use glam::DVec3;

/// A part of a solid, and the hull around it.
#[derive(Clone, Debug)]
pub struct HullPart {
    pub part: Part,
    pub hull: ConvexHull,
    /// The leaves of the [`SplitTree`](super::split_tree::SplitTree) that were merged into this part.
    pub leaves: Vec<u32>,
}

impl HullPart {
    /// `None` when the part is too flat for a hull.
    pub fn new(part: Part, context: &DecomposeContext) -> Option<Self> {
        let slack = SEARCH_HULL_SLACK * context.size;
        let hull = convex_hull(&part.points, slack, context.max_hull_points)?;
        Some(Self::with_hull(part, hull))
    }

    /// Stands for a hull alone: a part with its points and without a surface.
    pub fn from_hull(hull: ConvexHull) -> Self {
        let part = Part {
            points: hull.points.clone(),
            ..Part::default()
        };
        Self::with_hull(part, hull)
    }

    /// The whole solid without a part, when depth alone shows that a single close hull fits.
    pub fn from_shallow(context: &DecomposeContext) -> Option<Self> {
        let slack = FINAL_HULL_SLACK * context.size;
        let hull = convex_hull(&context.solid.points, slack, MAX_HULL_POINTS)?;
        let fits = fits_by_depth(&context.solid, &hull, context.tolerance);
        fits.then(|| Self::with_hull(Part::default(), hull))
    }

    fn with_hull(part: Part, hull: ConvexHull) -> Self {
        let leaves = Vec::new();
        Self { part, hull, leaves }
    }

    /// The hull around this part and another.
    pub fn joint_hull(&self, other: &Self, context: &DecomposeContext) -> Option<ConvexHull> {
        let corners = [&self.hull.points[..], &other.hull.points].concat();
        convex_hull(&corners, SEARCH_HULL_SLACK * context.size, MAX_HULL_POINTS)
    }

    /// Adds another part; `hull` is around both.
    pub fn merge(&mut self, other: &Self, hull: ConvexHull) {
        self.part.append(&other.part);
        self.leaves.extend(&other.leaves);
        self.hull = hull;
    }

    /// Whether the boxes of the hulls are at most `distance` (metres) apart.
    pub fn is_near(&self, other: &Self, distance: f64) -> bool {
        self.distance(other) <= distance
    }

    /// The distance of the boxes of the hulls, metres.
    pub fn distance(&self, other: &Self) -> f64 {
        self.bounds().axis_distance(&other.bounds())
    }

    /// Whether the hull protrudes from the solid by no more than the tolerance.
    pub async fn fits(&self, context: &DecomposeContext<'_>) -> bool {
        fits_by_depth(&self.part, &self.hull, context.tolerance)
            || context.volume_in_steps().await.contains_hull(&self.hull)
    }

    /// Volume of the hull outside of the part, m^3.
    pub fn excess_volume(&self) -> f64 {
        self.hull.volume() - self.part.volume()
    }

    /// The connected components.
    pub fn connected(self, context: &DecomposeContext) -> Vec<Self> {
        let mut parts = connected_parts(self.part);
        match (parts.len(), parts.pop()) {
            (1, Some(part)) => vec![Self { part, ..self }],
            (_, last) => Self::from_parts(parts.into_iter().chain(last), context),
        }
    }

    /// The connected components below and above a plane.
    pub fn split(&self, plane: &Plane, context: &DecomposeContext) -> [Vec<Self>; 2] {
        let sides = self.part.split(plane);
        sides.map(|side| {
            if context.poll_cancel() {
                return Vec::new();
            }
            Self::from_parts(connected_parts(side), context)
        })
    }

    /// Parts with hulls, without those that are too small.
    pub fn from_parts(
        parts: impl IntoIterator<Item = Part>,
        context: &DecomposeContext,
    ) -> Vec<Self> {
        let is_large = |part: &Part| part.bounds().diagonal() >= MIN_PART_SIZE * context.size;
        let parts = parts.into_iter().filter(is_large);
        let parts = parts.take_while(|_| !context.poll_cancel());
        parts.filter_map(|part| Self::new(part, context)).collect()
    }

    /// The plane to split by: the first candidate with a sufficient gain, else the one with the
    /// greatest; the one that halves the longest side when none gains much. `None` for a part that is
    /// too small to be split.
    pub async fn best_plane(&self, context: &DecomposeContext<'_>) -> Option<Plane> {
        let samples = concavity_samples(&self.part, &self.hull, context).await;
        if context.poll_cancel() {
            return None;
        }
        pause().await;
        let cost = SplitCost::new(&self.part, &self.hull, &samples, context);
        pause().await;
        let margin = MIN_PART_SIZE * context.size;
        let before = cost.before();
        let (mut least, mut best) = ((1.0 - MIN_GAIN) * before, self.middle_plane());
        let candidates = candidate_planes(&self.part, &samples, context).await;
        pause().await;
        for plane in candidates {
            if least < (1.0 - SUFFICIENT_GAIN) * before || context.poll_cancel() {
                break;
            }
            if self.is_split(&plane, margin) {
                let after = cost.after(&plane);
                if after < least {
                    (least, best) = (after, plane);
                }
                pause().await;
            }
        }
        self.is_split(&best, margin).then_some(best)
    }

    /// The plane that halves the longest side; `None` for a part that is too small to be split.
    pub fn halving_plane(&self, context: &DecomposeContext) -> Option<Plane> {
        let plane = self.middle_plane();
        let margin = MIN_PART_SIZE * context.size;
        self.is_split(&plane, margin).then_some(plane)
    }

    fn middle_plane(&self) -> Plane {
        let bounds = self.bounds();
        let longest = bounds.extents().max_position();
        Plane::through(DVec3::AXES[longest.min(2)], bounds.center())
    }

    /// Whether a plane leaves more than a margin on both sides.
    fn is_split(&self, plane: &Plane, margin: f64) -> bool {
        let [low, high] = plane.height_range(&self.hull.points);
        low < -margin && high > margin
    }

    fn bounds(&self) -> Aabb {
        self.hull.bounds()
    }

    /// Replaces the hull by a close one around the part and more points.
    fn finish(&mut self, more: &[DVec3], context: &DecomposeContext) {
        let points = [&self.part.points[..], more].concat();
        let slack = FINAL_HULL_SLACK * context.size;
        if let Some(hull) = convex_hull(&points, slack, MAX_HULL_POINTS) {
            self.hull = hull;
        }
    }
}

/// Makes the hulls of parts close, and extends the nearest of them to each point of the solid that is
/// outside of all: parts that were too flat or too small for a hull are dropped before. Returns which
/// hulls were extended.
pub async fn finish_hulls(parts: &mut [HullPart], context: &DecomposeContext<'_>) -> Vec<bool> {
    let hulls = parts.iter().map(|part| &part.hull);
    let slack = SEARCH_HULL_SLACK * context.size;
    let outside = points_outside(hulls, &context.solid.points, slack, |index| {
        context.poll_at(index)
    });
    for (part, points) in parts.iter_mut().zip(&outside) {
        if context.poll_cancel() {
            break;
        }
        part.finish(points, context);
        pause().await;
    }
    outside.iter().map(|points| !points.is_empty()).collect()
}
