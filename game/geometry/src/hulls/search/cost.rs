//! The cost of a split by a plane, estimated: no triangle is split, hulls are coarse, points are few,
//! and only the surface, not cut faces, connects points.

use super::concavity::ConcavitySample;
use super::context::DecomposeContext;
use crate::hulls::params::{
    COST_CELL_SIZE, COST_EXPONENT, COST_HULL_POINTS, COST_HULL_SLACK, COST_POINTS, COST_SAMPLES,
    VOLUME_WEIGHT,
};
use crate::hulls::shape::convex_hull::{triangle_edges, ConvexHull};
use crate::hulls::shape::part::Part;
use crate::hulls::shape::quickhull::convex_hull;
use crate::math::{Aabb, Plane, UnionFind};
use glam::DVec3;
use rustc_hash::FxHashMap;

/// The points, edges and samples that the costs of all splits of one part are computed from.
pub struct SplitCost<'a> {
    hull: &'a ConvexHull,
    samples: Vec<ConcavitySample>,
    /// Of the search, metres.
    tolerance: f64,
    /// Of the whole solid, metres.
    size: f64,
    points: Vec<DVec3>,
    edges: Vec<[u32; 2]>,
}

impl<'a> SplitCost<'a> {
    /// For a part, its hull, and the samples of that.
    pub fn new(
        part: &Part,
        hull: &'a ConvexHull,
        samples: &[ConcavitySample],
        context: &DecomposeContext,
    ) -> Self {
        let surface = part.triangles.iter().flat_map(|t| triangle_edges(*t));
        let outlines = part.cut_faces.iter();
        let outlines = outlines.flat_map(|face| face.edges.iter().copied());
        // Of the two directions of an edge, one.
        let edges = surface.chain(outlines).filter(|[a, b]| a < b).collect();
        let (points, edges) = if part.points.len() > COST_POINTS {
            thinned_points(&part.points, edges, COST_CELL_SIZE * context.size)
        } else {
            (part.points.clone(), edges)
        };
        Self {
            hull,
            samples: thinned_samples(samples),
            tolerance: context.tolerance,
            size: context.size,
            points,
            edges,
        }
    }

    /// The cost without a split.
    pub fn before(&self) -> f64 {
        let costs = self.samples.iter();
        let costs = costs.map(|sample| self.sample_cost(sample, self.hull));
        self.cost(self.hull.volume(), costs.sum())
    }

    /// The sum of the costs of both sides of a plane.
    pub fn after(&self, plane: &Plane) -> f64 {
        let clouds = self.point_clouds(plane);
        let mut total = 0.0;
        for side in [false, true] {
            let clouds = clouds.iter().filter(|cloud| cloud.is_above == side);
            let hulls = self.coarse_hulls(clouds.map(|cloud| &cloud.points[..]).collect());
            let is_on_side =
                |sample: &ConcavitySample| (plane.height(sample.position) > 0.0) == side;
            total += self.side_cost(&hulls, is_on_side);
        }
        total
    }

    /// The points of the connected parts that a plane leaves, with the points where edges cross it.
    fn point_clouds(&self, plane: &Plane) -> Vec<PointCloud> {
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
        let components = sets.labels();
        let mut clouds = vec![PointCloud::default(); components.count];
        for ((point, component), height) in points.iter().zip(&components.of).zip(&heights) {
            clouds[*component].points.push(*point);
            clouds[*component].is_above = *height > 0.0;
        }
        for (a, b, crossing) in crossings {
            clouds[components.of[a as usize]].points.push(crossing);
            clouds[components.of[b as usize]].points.push(crossing);
        }
        clouds
    }

    /// Coarse hulls of point clouds, without clouds that lie inside of the box of another.
    fn coarse_hulls(&self, clouds: Vec<&[DVec3]>) -> Vec<ConvexHull> {
        let mut hulls: Vec<ConvexHull> = Vec::new();
        let bounds = |points: &&[DVec3]| Aabb::from_points(points.iter().copied());
        let boxes: Vec<Aabb> = clouds.iter().map(bounds).collect();
        for (own, points) in clouds.iter().enumerate() {
            // Of equal boxes, the first is around the others.
            let is_around = |(other, bounds): (usize, &Aabb)| {
                let is_other = other < own || other > own && *bounds != boxes[own];
                is_other && bounds.contains(&boxes[own])
            };
            if !boxes.iter().enumerate().any(is_around) {
                let slack = COST_HULL_SLACK * self.size;
                hulls.extend(convex_hull(points, slack, COST_HULL_POINTS));
            }
        }
        hulls
    }

    /// The cost of hulls with those samples that lie on their side of a plane.
    fn side_cost(
        &self,
        hulls: &[ConvexHull],
        is_on_side: impl Fn(&ConcavitySample) -> bool,
    ) -> f64 {
        let samples = self.samples.iter().filter(|sample| is_on_side(sample));
        let costs = samples.map(|sample| {
            let costs = hulls.iter().map(|hull| self.sample_cost(sample, hull));
            costs.fold(0.0, f64::max)
        });
        self.cost(hulls.iter().map(ConvexHull::volume).sum(), costs.sum())
    }

    /// Concavity cost of a sample: area times the square root of the distance along its normal to the
    /// hull. The root keeps rings from being sliced into washers and boxes from being halved.
    fn sample_cost(&self, sample: &ConcavitySample, hull: &ConvexHull) -> f64 {
        let ahead = sample.position + sample.normal * self.tolerance;
        match hull.exit_distance(ahead, sample.normal) {
            distance if distance > 0.0 => {
                ((self.tolerance + distance) * self.size).sqrt() * sample.area
            }
            _ => 0.0,
        }
    }

    /// The cost of hulls by their volume and the sum of their samples' costs (both m^3).
    fn cost(&self, volume: f64, samples: f64) -> f64 {
        let cost = (samples + VOLUME_WEIGHT * volume) / self.size.powi(3);
        libm::pow(cost, COST_EXPONENT)
    }
}

/// The points of a connected part on one side of a plane.
#[derive(Clone, Default)]
struct PointCloud {
    points: Vec<DVec3>,
    is_above: bool,
}

/// Every n-th sample, with n times the area.
fn thinned_samples(samples: &[ConcavitySample]) -> Vec<ConcavitySample> {
    let step = samples.len().div_ceil(COST_SAMPLES).max(1);
    let scaled = |sample: &ConcavitySample| ConcavitySample {
        area: sample.area * step as f64,
        ..*sample
    };
    samples.iter().step_by(step).map(scaled).collect()
}

/// One point for each cell of a grid, and the edges between these.
fn thinned_points(
    points: &[DVec3],
    edges: Vec<[u32; 2]>,
    cell_size: f64,
) -> (Vec<DVec3>, Vec<[u32; 2]>) {
    let low = Aabb::from_points(points.iter().copied()).min;
    let mut by_cell: FxHashMap<[u32; 3], u32> = FxHashMap::default();
    let mut kept = Vec::new();
    let keep = |point: &DVec3| {
        let cell = ((*point - low) / cell_size).to_array().map(|x| x as u32);
        *by_cell.entry(cell).or_insert_with(|| {
            kept.push(*point);
            kept.len() as u32 - 1
        })
    };
    let new_index: Vec<u32> = points.iter().map(keep).collect();
    let ends = edges
        .iter()
        .map(|edge| edge.map(|end| new_index[end as usize]));
    let mut edges: Vec<[u32; 2]> = ends.filter(|[a, b]| a != b).collect();
    edges.sort_unstable();
    edges.dedup();
    (kept, edges)
}
