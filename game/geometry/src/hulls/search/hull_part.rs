//! A part with its hull, and how well that fits.

use crate::hulls::search::candidate_planes::candidates;
use crate::hulls::search::concavity::ConcavitySample;
use crate::hulls::search::context::DecomposeContext;
use crate::hulls::search::cost::SplitCost;
use crate::hulls::shape::connected::pieces;
use crate::hulls::shape::convex_hull::{apart, bounds, ConvexHull, Plane};
use crate::hulls::shape::part::Part;
use crate::hulls::shape::quickhull::hull;
use crate::hulls::tolerance::depth_bound::is_shallow;
use glam::DVec3;

/// What a hull may leave out while planes are sought, as a part of the body's size,
const LEFT_OUT: f64 = 0.004;
/// and in the end: of what is convex next to nothing, so that pieces lie on each other as they did before.
const FINALLY: f64 = 0.0005;
/// Most points of a hull: a round body's leaves 0.8 % of its size out.
const MOST_POINTS: usize = 128;
/// What is smaller than this part of the body's size is left out.
const SPECK: f64 = 0.002;
/// A cut has to take off this share of what is wrong,
const WORTH: f64 = 0.03;
/// and no better one is sought when it takes off that much: parts may be joined again.
const ENOUGH: f64 = 0.3;

/// A part of a body, and the hull around it.
#[derive(Clone, Debug)]
pub struct HullPart {
    pub part: Part,
    pub hull: ConvexHull,
    /// The numbers of the parts that it was joined of, see [`super::cuts`].
    pub leaves: Vec<u32>,
}

impl HullPart {
    /// `None` for what is too flat for a hull.
    pub fn new(part: Part, body: &DecomposeContext) -> Option<Self> {
        let hull = hull(&part.points, LEFT_OUT * body.size, MOST_POINTS)?;
        Some(Self::with_hull(part, hull))
    }

    /// What is known by its hull alone.
    pub fn around(hull: ConvexHull) -> Self {
        let part = Part {
            points: hull.points.clone(),
            ..Part::default()
        };
        Self::with_hull(part, hull)
    }

    fn with_hull(part: Part, hull: ConvexHull) -> Self {
        let leaves = Vec::new();
        Self { part, hull, leaves }
    }

    /// A whole body, when a close hull around it is told to fit without a look at where hulls may be.
    pub fn shallow(body: &DecomposeContext) -> Option<Self> {
        let hull = hull(&body.whole.points, FINALLY * body.size, MOST_POINTS)?;
        let is_one = is_shallow(&body.whole, &hull, body.allowed);
        is_one.then(|| Self::with_hull(Part::default(), hull))
    }

    /// The hull around this piece and another.
    pub fn hull_with(&self, other: &Self, body: &DecomposeContext) -> Option<ConvexHull> {
        let corners = [&self.hull.points[..], &other.hull.points].concat();
        hull(&corners, LEFT_OUT * body.size, MOST_POINTS)
    }

    /// Takes another in, with a hull around both.
    pub fn take_in(&mut self, other: &Self, hull: ConvexHull) {
        self.part.append(&other.part);
        self.leaves.extend(&other.leaves);
        self.hull = hull;
    }

    /// Whether the boxes are no farther apart than a distance.
    pub fn is_near(&self, other: &Self, distance: f64) -> bool {
        apart(&self.bounds(), &other.bounds()) <= distance
    }

    /// Makes the hull a close one, and extends it to some more points.
    pub fn finish(&mut self, more: &[DVec3], body: &DecomposeContext) {
        let points = [&self.part.points[..], more].concat();
        if let Some(hull) = hull(&points, FINALLY * body.size, MOST_POINTS) {
            self.hull = hull;
        }
    }

    /// Whether the hull reaches no farther than is allowed from the body.
    pub fn fits(&self, body: &DecomposeContext) -> bool {
        is_shallow(&self.part, &self.hull, body.allowed) || body.room().holds(&self.hull)
    }

    /// How much of the hull is empty, m^3.
    pub fn empty(&self) -> f64 {
        self.hull.volume() - self.part.volume()
    }

    /// What hangs together of it; itself, when that is all.
    pub fn pieces(self, body: &DecomposeContext) -> Vec<Self> {
        let mut parts = pieces(self.part);
        match (parts.len(), parts.pop()) {
            (1, Some(part)) => vec![Self { part, ..self }],
            (_, last) => Self::without_specks(parts.into_iter().chain(last), body),
        }
    }

    /// What hangs together of both sides of a plane.
    pub fn cut(&self, plane: &Plane, body: &DecomposeContext) -> [Vec<Self>; 2] {
        let parts = self.part.cut(plane);
        parts.map(|part| Self::without_specks(pieces(part), body))
    }

    /// Parts with hulls, but for those that are too small.
    pub fn without_specks(
        parts: impl IntoIterator<Item = Part>,
        body: &DecomposeContext,
    ) -> Vec<Self> {
        let is_speck = |part: &Part| {
            let [low, high] = bounds(&part.points);
            low.distance(high) < SPECK * body.size
        };
        let parts = parts.into_iter().filter(|part| !is_speck(part));
        parts.filter_map(|part| Self::new(part, body)).collect()
    }

    /// The first plane that does enough to close the gaps and make its parts' hulls fit, or the one that does most; when none
    /// does much, the one that halves the longest side. `None` for what is too small to be cut.
    pub fn best_cut(&self, gaps: &[ConcavitySample], body: &DecomposeContext) -> Option<Plane> {
        let trial = SplitCost::new(&self.part, &self.hull, gaps, body);
        let margin = SPECK * body.size;
        let now = trial.now();
        let mut best = ((1.0 - WORTH) * now, self.halving());
        for plane in candidates(&self.part, gaps) {
            if best.0 < (1.0 - ENOUGH) * now {
                break;
            }
            if self.is_crossed(&plane, margin) {
                let wrong = trial.after(&plane);
                if wrong < best.0 {
                    best = (wrong, plane);
                }
            }
        }
        self.is_crossed(&best.1, margin).then_some(best.1)
    }

    fn halving(&self) -> Plane {
        let [low, high] = self.bounds();
        let longest = (high - low).max_position();
        Plane::through(DVec3::AXES[longest.min(2)], 0.5 * (low + high))
    }

    /// Whether a plane leaves more than a margin on both sides.
    fn is_crossed(&self, plane: &Plane, margin: f64) -> bool {
        let [low, high] = plane.reach(&self.hull.points);
        low < -margin && high > margin
    }

    pub fn bounds(&self) -> [DVec3; 2] {
        self.hull.bounds()
    }
}
