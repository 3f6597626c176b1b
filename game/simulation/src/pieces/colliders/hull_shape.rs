//! Convex hulls as collision shapes. Building one cannot fail here: the hull builder may return an error
//! or panic on shards, which become boxes.

use std::panic::catch_unwind;

use fracture_geometry::hulls::{support_points, Hull};
use glam::{DVec3, Vec3};
use rapier3d::math::Pose;
use rapier3d::parry::shape::{ConvexPolyhedron, SharedShape};
use rapier3d::parry::transformation::try_convex_hull;

use crate::debris::LazyConvexHull;

/// Most points of the hull of a cell: more cost in every contact and are not seen.
const MAX_CELL_POINTS: usize = 32;

/// Smallest half extent of a box that stands in for a hull, metres.
const MIN_HALF_EXTENT: f32 = 5e-4;

/// Largest distance by which hulls are contracted, metres. Contacts are found from 2 mm on, so that the
/// gap does not show.
const MAX_GAP: f32 = 4e-4;

/// Least depth of a hull whose surface is found later, metres: of a thinner one there may be none.
const MIN_LAZY_DEPTH: f32 = 5e-4;

/// A convex collision shape.
pub(super) struct HullShape {
    pub shape: SharedShape,
    /// m^3
    pub volume: f64,
    /// Whether it is a box because the hull failed.
    pub boxed: bool,
}

impl HullShape {
    /// The hull of some points, or of the outermost of them, contracted towards its centre by a factor
    /// just below one, so that neighbours that touched in the intact body do not start inside each
    /// other. `None` for no points.
    pub fn around(points: impl Iterator<Item = Vec3> + Clone, factor: f32) -> Option<Self> {
        let outermost = support_points(points.map(|point| point.to_array()), MAX_CELL_POINTS);
        let points: Vec<Vec3> = outermost.into_iter().map(Vec3::from).collect();
        let contraction = Contraction::new(bounds(&points)?, factor);
        let contracted = points.iter().map(|point| contraction.apply(*point));
        let hull = Self::from_points(contracted.collect());
        Some(hull.unwrap_or_else(|| contraction.boxed()))
    }

    /// The hull of points, found by the builder; `None` when it cannot make one with some volume, and where rounding has
    /// turned a triangle over, as of a splinter.
    fn from_points(points: Vec<Vec3>) -> Option<Self> {
        let build = move || {
            let (points, triangles) = try_convex_hull(&points).ok()?;
            let volume = star_volume(&points, &triangles)?;
            let polyhedron = ConvexPolyhedron::from_convex_mesh(points, &triangles)?;
            Some(Self {
                shape: SharedShape::new(polyhedron),
                volume,
                boxed: false,
            })
        };
        catch_unwind(build).ok()?
    }

    /// The hull with the given triangles, of which faces and edges are made when it is first touched; `None` of one that is
    /// not seen from its middle everywhere.
    fn with_triangles(points: Vec<Vec3>, triangles: &[[u32; 3]]) -> Option<Self> {
        let volume = star_volume(&points, triangles)?;
        Some(Self::lazy(
            LazyConvexHull::new(points, triangles.to_vec()),
            volume,
        ))
    }

    fn lazy(hull: LazyConvexHull, volume: f64) -> Self {
        Self {
            shape: SharedShape::new(hull),
            volume,
            boxed: false,
        }
    }

    /// An axis-aligned box as a compound, because a bare cuboid cannot be off its origin.
    fn from_box(center: Vec3, half_extents: Vec3) -> Self {
        let half = half_extents.max(Vec3::splat(MIN_HALF_EXTENT));
        let cuboid = SharedShape::cuboid(half.x, half.y, half.z);
        Self {
            shape: SharedShape::compound(vec![(Pose::from_translation(center), cuboid)]),
            volume: 8.0 * f64::from(half.x) * f64::from(half.y) * f64::from(half.z),
            boxed: true,
        }
    }
}

/// A hull as it is, with faces and edges when it is first touched; `None` where it has no volume.
pub(crate) fn convex_shape(hull: &Hull) -> Option<SharedShape> {
    let points: Vec<Vec3> = hull.points.iter().map(|point| Vec3::from(*point)).collect();
    // Where corners are in line some triangles have no area.
    let built = HullShape::with_triangles(points.clone(), &hull.triangles);
    let built = built.or_else(|| HullShape::from_points(points));
    built.map(|built| built.shape)
}

/// Contraction of a piece's points towards its centre: the same for all of its hulls, so that they still
/// meet.
pub(super) struct Contraction {
    center: Vec3,
    half_extents: Vec3,
    factor: f32,
}

impl Contraction {
    /// For a piece with a bounding box, given by its lowest and highest corner, by a factor just below one.
    pub fn new([low, high]: [Vec3; 2], factor: f32) -> Self {
        let longest = (high - low).max_element();
        Self {
            center: 0.5 * (low + high),
            half_extents: 0.5 * (high - low),
            factor: factor.max(1.0 - 2.0 * MAX_GAP / longest.max(MAX_GAP)),
        }
    }

    fn apply(&self, point: Vec3) -> Vec3 {
        self.center + (point - self.center) * self.factor
    }

    /// A hull of the piece, contracted. Its faces and edges are found when it is first touched, where that cannot fail.
    pub fn hull(&self, hull: &Hull) -> HullShape {
        let points: Vec<Vec3> = self.apply_to(hull);
        if let Some(volume) = star_volume(&points, &hull.triangles) {
            let lazy = LazyConvexHull::around(points.clone(), hull.triangles.clone());
            if lazy.depth() >= MIN_LAZY_DEPTH {
                return HullShape::lazy(lazy, volume);
            }
        }
        let [low, high] = bounds(&points).unwrap_or([self.center; 2]);
        HullShape::from_points(points)
            .unwrap_or_else(|| HullShape::from_box(0.5 * (low + high), 0.5 * (high - low)))
    }

    /// A hull that others are to replace, contracted: with the triangles that it has, of which it makes faces and edges when
    /// it is first touched.
    pub fn provisional_hull(&self, hull: &Hull) -> HullShape {
        HullShape::with_triangles(self.apply_to(hull), &hull.triangles)
            .unwrap_or_else(|| self.hull(hull))
    }

    fn apply_to(&self, hull: &Hull) -> Vec<Vec3> {
        let points = hull.points.iter().map(|point| Vec3::from(*point));
        points.map(|point| self.apply(point)).collect()
    }

    /// The box of a piece that has no hull.
    pub fn boxed(&self) -> HullShape {
        HullShape::from_box(self.center, self.factor * self.half_extents)
    }
}

/// The bounding box of some points; `None` when there are none.
fn bounds(points: &[Vec3]) -> Option<[Vec3; 2]> {
    let first = *points.first()?;
    let grow = |[low, high]: [Vec3; 2], point: &Vec3| [low.min(*point), high.max(*point)];
    Some(points.iter().fold([first; 2], grow))
}

/// Volume of a closed surface that is seen from the middle of its points everywhere from the inside; `None` of any other,
/// and where it is none.
fn star_volume(points: &[Vec3], triangles: &[[u32; 3]]) -> Option<f64> {
    let sum: DVec3 = points.iter().map(|point| point.as_dvec3()).sum();
    let middle = sum / points.len().max(1) as f64;
    let at = |corner: u32| Some(points.get(corner as usize)?.as_dvec3() - middle);
    let six_volumes = triangles.iter().map(|&[a, b, c]| {
        let (a, b, c) = (at(a)?, at(b)?, at(c)?);
        Some(a.dot(b.cross(c))).filter(|volume| *volume > 0.0)
    });
    let sum: Option<f64> = six_volumes.sum();
    sum.map(|sum| sum / 6.0)
        .filter(|volume| volume.is_finite() && *volume > 0.0)
}
