//! Convex hulls that cannot fail: the hull builder may return an error or panic on shards.

use std::panic::catch_unwind;

use fracture_geometry::hulls::{support_points, Hull as GeometryHull};
use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::shape::{ConvexPolyhedron, SharedShape};
use rapier3d::parry::transformation::try_convex_hull;

/// Most points of the hull of a cell: more cost in every contact and are not seen.
const MOST_POINTS: usize = 32;

/// Smallest half extent of a box that stands in for a hull, metres.
const THINNEST: f32 = 5e-4;

/// Hulls are drawn in by this much at most, metres: contacts are seen from 2 mm on.
const GAP: f32 = 4e-4;

/// A convex shape around points.
pub(crate) struct Hull {
    pub shape: SharedShape,
    /// m^3
    pub volume: f64,
    /// Whether it is a box because the hull failed.
    pub boxed: bool,
}

impl Hull {
    /// The hull of some points, or of the outermost of them, drawn towards its centre by a factor just below one,
    /// so that neighbours that touched in the whole body do not start inside each other.
    pub fn around(points: impl Iterator<Item = Vec3> + Clone, draw_in: f32) -> Option<Self> {
        let chosen = support_points(points.map(|point| point.to_array()), MOST_POINTS);
        let points: Vec<Vec3> = chosen.into_iter().map(Vec3::from).collect();
        let drawn_in = DrawnIn::new(&points, draw_in)?;
        let drawn = points.iter().map(|point| drawn_in.place(*point)).collect();
        Some(convex(drawn).unwrap_or_else(|| drawn_in.boxed()))
    }
}

/// How points of a piece are drawn towards its centre: all of its hulls in the same way, so that they
/// still meet.
pub(crate) struct DrawnIn {
    center: Vec3,
    half: Vec3,
    factor: f32,
}

impl DrawnIn {
    /// Of a piece with such points, by a factor just below one; `None` for no points.
    pub fn new(points: &[Vec3], factor: f32) -> Option<Self> {
        let (low, high) = bounds(points)?;
        let longest = (high - low).max_element();
        Some(Self {
            center: 0.5 * (low + high),
            half: 0.5 * (high - low),
            factor: factor.max(1.0 - 2.0 * GAP / longest.max(GAP)),
        })
    }

    fn place(&self, point: Vec3) -> Vec3 {
        self.center + (point - self.center) * self.factor
    }

    /// A hull of the piece.
    pub fn hull(&self, hull: &GeometryHull) -> Hull {
        let points = hull.points.iter().map(|point| self.place((*point).into()));
        let points: Vec<Vec3> = points.collect();
        let (low, high) = bounds(&points).unwrap_or((self.center, self.center));
        convex(points).unwrap_or_else(|| boxed(0.5 * (low + high), 0.5 * (high - low)))
    }

    /// The box of a piece that has no hull.
    pub fn boxed(&self) -> Hull {
        boxed(self.center, self.factor * self.half)
    }
}

/// The hull as a polyhedron, when the builder can make one of some volume.
pub(crate) fn convex(points: Vec<Vec3>) -> Option<Hull> {
    let build = move || {
        let (points, triangles) = try_convex_hull(&points).ok()?;
        let volume = volume(&points, &triangles);
        let polyhedron = ConvexPolyhedron::from_convex_mesh(points, &triangles)?;
        Some((polyhedron, volume))
    };
    let (polyhedron, volume) = catch_unwind(build).ok()??;
    (volume.is_finite() && volume > 0.0).then(|| Hull {
        shape: SharedShape::new(polyhedron),
        volume,
        boxed: false,
    })
}

/// An axis-aligned box as a compound, because a bare cuboid cannot be off its origin.
fn boxed(center: Vec3, half: Vec3) -> Hull {
    let half = half.max(Vec3::splat(THINNEST));
    let cuboid = SharedShape::cuboid(half.x, half.y, half.z);
    Hull {
        shape: SharedShape::compound(vec![(Pose::from_translation(center), cuboid)]),
        volume: 8.0 * f64::from(half.x) * f64::from(half.y) * f64::from(half.z),
        boxed: true,
    }
}

/// The box of some points; `None` when there are none.
fn bounds(points: &[Vec3]) -> Option<(Vec3, Vec3)> {
    let first = *points.first()?;
    let grow = |(low, high): (Vec3, Vec3), point: &Vec3| (low.min(*point), high.max(*point));
    Some(points.iter().fold((first, first), grow))
}

/// Signed volume of a closed mesh.
fn volume(points: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let Some(&origin) = points.first() else {
        return 0.0;
    };
    let at = |corner: u32| {
        points
            .get(corner as usize)
            .map(|p| (*p - origin).as_dvec3())
    };
    let six = triangles.iter().filter_map(|&[a, b, c]| {
        let (a, b, c) = (at(a)?, at(b)?, at(c)?);
        Some(a.dot(b.cross(c)))
    });
    six.sum::<f64>() / 6.0
}
