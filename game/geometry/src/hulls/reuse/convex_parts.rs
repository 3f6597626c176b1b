//! A partition of a whole solid into convex parts, made once, to be clipped by the cells of every
//! fracture (Müller, Chentanez, Kim, 2013).
//!
//! Parts are halved along their deepest reflex edges (Chazelle, "Convex Partitions of Polyhedra", 1984,
//! who splits along all). A part is convex enough when its surface is nowhere deep in its hull: how far
//! a hull may protrude goes by the size of a fragment, and voxels as fine as that would be too many for
//! the whole. Fragments test what they get of a part, so a few parts may stay too deep.

use super::reflex::{plane_at_deepest_edge, plane_at_deepest_face};
use crate::hulls::params::{
    Quality, MAX_HALVINGS, MIN_CONVEX_VOLUME, PARTS_HULL_POINTS, PARTS_HULL_SLACK, PATIENCE,
    QUALITIES,
};
use crate::hulls::search::context::DecomposeContext;
use crate::hulls::search::hull_part::HullPart;
use crate::hulls::shape::convex_hull::{ConvexHull, Hull};
use crate::hulls::shape::convex_polyhedron::ConvexPolyhedron;
use crate::hulls::shape::part::Part;
use crate::hulls::shape::quickhull::convex_hull;
use crate::hulls::tolerance::depth_bound::{fills_hull, is_near_some_plane};
use crate::math::triangle::bisect;
use crate::math::Plane;
use crate::solid::Solid;
use crate::steps::{finish, pause};
use crate::Mesh;

/// Convex parts that together cover a solid, or none when there would be too many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConvexParts {
    pub(super) polyhedra: Vec<ConvexPolyhedron>,
}

impl ConvexParts {
    /// Partitions a solid: the same for the same mesh. A shell has no parts.
    pub fn new(solid: &Solid) -> Self {
        finish(Self::in_steps(solid))
    }

    /// The same in [steps](crate::steps).
    pub async fn in_steps(solid: &Solid) -> Self {
        for quality in qualities(solid) {
            if let Some(polyhedra) = partition(solid.mesh(), quality).await {
                return Self { polyhedra };
            }
        }
        Self::default()
    }

    /// Whether a search for parts is made at all, so that there may be some.
    pub fn may_exist(solid: &Solid) -> bool {
        qualities(solid).next().is_some()
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.polyhedra.len()
    }

    /// Whether there are no parts, so that hulls of fragments need a search.
    pub fn is_empty(&self) -> bool {
        self.polyhedra.is_empty()
    }

    /// The parts as hulls, for tools and tests.
    pub fn hulls(&self) -> Vec<Hull> {
        let hulls = self.polyhedra.iter().map(ConvexPolyhedron::to_hull);
        hulls.map(|hull| Hull::from(&hull)).collect()
    }
}

/// Those that are tried in turn.
fn qualities(solid: &Solid) -> impl Iterator<Item = &'static Quality> {
    let (is_shell, triangles) = (solid.is_shell(), solid.mesh().triangles.len());
    let is_allowed = move |quality: &&Quality| !is_shell && triangles <= quality.max_triangles;
    QUALITIES.iter().filter(is_allowed)
}

/// The parts of a mesh; `None` when too little of its volume is in convex ones.
async fn partition(mesh: &Mesh, quality: &Quality) -> Option<Vec<ConvexPolyhedron>> {
    let context = DecomposeContext::new(mesh, quality.max_depth);
    let whole = HullPart::new(context.solid.clone(), &context)?;
    let mut partitioner = Partitioner {
        max_parts: quality.max_parts,
        open: whole.connected(&context),
        context: &context,
        volume: context.solid.volume(),
        convex_volume: 0.0,
        convex: Vec::new(),
        deep: Vec::new(),
    };
    partitioner.run().await;
    if partitioner.convex_volume < MIN_CONVEX_VOLUME * partitioner.volume {
        return None;
    }
    partitioner.convex.extend(partitioner.deep);
    Some(partitioner.convex)
}

/// A partition in progress.
struct Partitioner<'a> {
    max_parts: usize,
    context: &'a DecomposeContext<'a>,
    /// Of the solid, m^3.
    volume: f64,
    /// Of the convex parts, m^3.
    convex_volume: f64,
    /// Parts without a verdict so far.
    open: Vec<HullPart>,
    convex: Vec<ConvexPolyhedron>,
    /// Hulls of parts that are too deep and could not be split.
    deep: Vec<ConvexPolyhedron>,
}

impl Partitioner<'_> {
    /// Splits the last part first, so that it shows soon whether splits lead to convex parts.
    async fn run(&mut self) {
        let mut splits = 0;
        while let Some(part) = self.open.pop() {
            pause().await;
            let plane = match verdict(&part, self.context).await {
                Verdict::Convex(polyhedron) => {
                    self.convex_volume += part.part.volume();
                    self.convex.push(polyhedron);
                    continue;
                }
                Verdict::Split(plane) => plane,
            };
            splits += 1;
            if self.cannot_reach_coverage(splits) {
                return;
            }
            let count = self.open.len() + self.convex.len() + self.deep.len();
            match plane.filter(|_| count < self.max_parts && splits < 2 * self.max_parts) {
                None => self.deep.push(ConvexPolyhedron::from_hull(&part.hull)),
                Some(plane) => {
                    pause().await;
                    let sides = part.split(&plane, self.context);
                    self.open.extend(sides.into_iter().flatten());
                }
            }
        }
    }

    /// Whether as many parts as are allowed would have too little of the volume, were they as large as
    /// those so far.
    fn cannot_reach_coverage(&self, splits: usize) -> bool {
        let count = self.convex.len();
        let expected = self.convex_volume / count.max(1) as f64 * self.max_parts as f64;
        let is_late = count >= PATIENCE || splits >= PATIENCE && count == 0;
        is_late && expected < MIN_CONVEX_VOLUME * self.volume
    }
}

/// The result of the test of a part.
enum Verdict {
    Convex(ConvexPolyhedron),
    /// By a plane, if there is one.
    Split(Option<Plane>),
}

/// Tests a part with its hull from the search and, when no plane follows from that, with a close one.
async fn verdict(part: &HullPart, context: &DecomposeContext<'_>) -> Verdict {
    let max_depth = context.tolerance;
    let coarse = plane_at_deepest_edge(&part.part, &part.hull, max_depth);
    if coarse.is_some() {
        return Verdict::Split(coarse);
    }
    pause().await;
    let part_points = &part.part.points;
    let close = convex_hull(
        part_points,
        PARTS_HULL_SLACK * context.size,
        PARTS_HULL_POINTS,
    );
    let close = close.unwrap_or_else(|| part.hull.clone());
    pause().await;
    if fills_hull(&part.part, &close) && is_shallow(&part.part, &close, max_depth) {
        return Verdict::Convex(ConvexPolyhedron::from_hull(&close));
    }
    pause().await;
    let edge = plane_at_deepest_edge(&part.part, &close, max_depth);
    Verdict::Split(edge.or_else(|| plane_at_deepest_face(&part.part, &close, max_depth)))
}

/// Whether all of a part's surface is at most `max_depth` below some plane of a hull. Triangles that
/// lie across edges of the hull are halved a few times.
fn is_shallow(part: &Part, hull: &ConvexHull, max_depth: f64) -> bool {
    let mut hint = 0;
    let mut open = Vec::new();
    for triangle in &part.triangles {
        open.push((part.corners(*triangle), MAX_HALVINGS));
        while let Some((corners, halvings)) = open.pop() {
            if is_near_some_plane(&corners, &hull.planes, max_depth, &mut hint) {
                continue;
            }
            let halves = bisect(&corners, 0.0).filter(|_| halvings > 0);
            let Some(halves) = halves else { return false };
            open.extend(halves.map(|half| (half, halvings - 1)));
        }
    }
    true
}
