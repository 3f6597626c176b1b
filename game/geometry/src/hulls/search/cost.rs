//! What a cut along a plane would come to, roughly and fast: no triangle is cut, hulls are coarse, and what
//! hangs together is told by the surface alone.

use crate::hulls::search::concavity::ConcavitySample;
use crate::hulls::search::context::DecomposeContext;
use crate::hulls::shape::convex_hull::{bounds, sides, ConvexHull, Plane};
use crate::hulls::shape::part::Part;
use crate::hulls::shape::quickhull::hull;
use crate::math::UnionFind;
use glam::DVec3;
use rustc_hash::FxHashMap;

/// How coarse hulls are, as a part of the body's size, and most points of them.
const COARSE: f64 = 0.012;
const FEW_POINTS: usize = 24;
/// How much the volume of hulls counts beside that in front of gaps.
const EMPTY: f64 = 0.5;
/// A little less for two halves than for the whole: a ring has to be cut more than once.
const TOGETHER: f64 = 1.08;

/// Of many points, one for each cube of this size (of the body's) is looked at.
const THINNED: f64 = 0.04;
const MANY: usize = 100;
/// Gaps that are looked at.
const FEW_GAPS: usize = 60;

/// What is wrong with a piece, to be tried to be put right.
pub struct SplitCost<'a> {
    hull: &'a ConvexHull,
    gaps: Vec<ConcavitySample>,
    /// How far points are in front of the gaps, metres.
    allowed: f64,
    /// Of the body.
    size: f64,
    points: Vec<DVec3>,
    edges: Vec<[u32; 2]>,
}

impl<'a> SplitCost<'a> {
    /// A part with its hull, and the gaps of that.
    pub fn new(
        part: &Part,
        hull: &'a ConvexHull,
        gaps: &[ConcavitySample],
        body: &DecomposeContext,
    ) -> Self {
        let surface = part.triangles.iter().flat_map(|corners| sides(*corners));
        let caps = part.caps.iter().flat_map(|cap| cap.edges.iter().copied());
        // What runs forward has an opposite that runs back.
        let edges = surface.chain(caps).filter(|[a, b]| a < b).collect();
        let (points, edges) = match part.points.len() > MANY {
            true => thinned(&part.points, edges, THINNED * body.size),
            false => (part.points.clone(), edges),
        };
        Self {
            hull,
            gaps: few(gaps),
            allowed: body.allowed,
            size: body.size,
            points,
            edges,
        }
    }

    /// How wrong the piece is as it is.
    pub fn now(&self) -> f64 {
        let gaps = self.gaps.iter().map(|gap| self.gap(gap, self.hull));
        self.wrong(self.hull.volume(), gaps.sum())
    }

    /// How wrong the parts on both sides of a plane would be together.
    pub fn after(&self, plane: &Plane) -> f64 {
        let points = &self.points;
        let heights: Vec<f64> = points.iter().map(|point| plane.height(*point)).collect();
        let is_above = |point: u32| heights[point as usize] > 0.0;
        let sets = UnionFind::new(points.len());
        let mut crossings = Vec::new();
        for &[a, b] in &self.edges {
            if is_above(a) == is_above(b) {
                sets.unite(a, b);
                continue;
            }
            let (from, to) = (heights[a as usize], heights[b as usize]);
            let (p, q) = (points[a as usize], points[b as usize]);
            crossings.push((a, b, p + (q - p) * (from / (from - to))));
        }
        let groups = sets.labels();
        let mut clouds = vec![PointCloud::default(); groups.count];
        for ((point, group), height) in points.iter().zip(&groups.of).zip(&heights) {
            clouds[*group].points.push(*point);
            clouds[*group].is_above = *height > 0.0;
        }
        for (a, b, at) in crossings {
            clouds[groups.of[a as usize]].points.push(at);
            clouds[groups.of[b as usize]].points.push(at);
        }
        let mut wrong = 0.0;
        for side in [false, true] {
            let clouds = clouds.iter().filter(|cloud| cloud.is_above == side);
            let hulls = self.hulls(clouds.cloned().collect());
            wrong += self.side(&hulls, |gap| is_above_plane(plane, gap) == side);
        }
        wrong
    }

    /// Coarse hulls of what hangs together; of what lies within the box of another that hull is enough.
    fn hulls(&self, clouds: Vec<PointCloud>) -> Vec<ConvexHull> {
        let mut hulls: Vec<ConvexHull> = Vec::new();
        let boxes: Vec<[DVec3; 2]> = clouds.iter().map(|cloud| bounds(&cloud.points)).collect();
        for (own, cloud) in clouds.iter().enumerate() {
            let [low, high] = boxes[own];
            let around = |(other, [l, h]): (usize, &[DVec3; 2])| {
                let within = l.cmple(low).all() && h.cmpge(high).all();
                within && other != own && (other < own || [*l, *h] != [low, high])
            };
            if !boxes.iter().enumerate().any(around) {
                hulls.extend(hull(&cloud.points, COARSE * self.size, FEW_POINTS));
            }
        }
        hulls
    }

    fn side(&self, hulls: &[ConvexHull], is_there: impl Fn(&ConcavitySample) -> bool) -> f64 {
        let there = self.gaps.iter().filter(|gap| is_there(gap));
        let gap = there.map(|gap| {
            hulls
                .iter()
                .map(|hull| self.gap(gap, hull))
                .fold(0.0, f64::max)
        });
        self.wrong(hulls.iter().map(ConvexHull::volume).sum(), gap.sum())
    }

    /// What a hull has in front of a place of the surface: area times the way out. So a thin slice of a
    /// ring is as wrong as the ring is thick, while half of a ring is less wrong than half.
    fn gap(&self, gap: &ConcavitySample, hull: &ConvexHull) -> f64 {
        let ahead = gap.at + gap.normal * self.allowed;
        match hull.way_out(ahead, gap.normal) {
            way if way > 0.0 => ((self.allowed + way) * self.size).sqrt() * gap.area,
            _ => 0.0,
        }
    }

    /// A little less for two halves than for the whole: a ring has to be cut more than once.
    fn wrong(&self, volume: f64, gap: f64) -> f64 {
        let wrong = (gap + EMPTY * volume) / self.size.powi(3);
        libm::pow(wrong, TOGETHER)
    }
}

fn is_above_plane(plane: &Plane, gap: &ConcavitySample) -> bool {
    plane.height(gap.at) > 0.0
}

/// Points of what hangs together on one side.
#[derive(Clone, Default)]
struct PointCloud {
    points: Vec<DVec3>,
    is_above: bool,
}

/// Some of many gaps, for all of them.
fn few(gaps: &[ConcavitySample]) -> Vec<ConcavitySample> {
    let step = gaps.len().div_ceil(FEW_GAPS).max(1);
    let for_all = |gap: &ConcavitySample| ConcavitySample {
        area: gap.area * step as f64,
        ..*gap
    };
    gaps.iter().step_by(step).map(for_all).collect()
}

/// One point for each cube of a grid, and the edges between them.
fn thinned(points: &[DVec3], edges: Vec<[u32; 2]>, cube: f64) -> (Vec<DVec3>, Vec<[u32; 2]>) {
    let [low, _] = bounds(points);
    let mut known: FxHashMap<[u32; 3], u32> = FxHashMap::default();
    let mut few = Vec::new();
    let mut of = |point: &DVec3| {
        let place = (*point - low) / cube;
        let key = place.to_array().map(|x| x as u32);
        *known.entry(key).or_insert_with(|| {
            few.push(*point);
            few.len() as u32 - 1
        })
    };
    let of: Vec<u32> = points.iter().map(&mut of).collect();
    let ends = |[a, b]: [u32; 2]| [of[a as usize], of[b as usize]];
    let mut edges: Vec<[u32; 2]> = edges
        .into_iter()
        .map(ends)
        .filter(|[a, b]| a != b)
        .collect();
    edges.sort_unstable();
    edges.dedup();
    (few, edges)
}
