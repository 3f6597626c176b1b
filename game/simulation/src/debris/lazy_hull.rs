//! A convex hull whose topology (faces and edges) is built on first use: that takes longer than all else about it. A piece of
//! a save that lies still may never need it, and new pieces are seen before they touch anything. Restoring 165
//! to 287 pieces takes 1.0 to 3.1 ms of processor time; with all hulls built at once 2.6 to 6 ms.

use std::f32::consts::FRAC_PI_4;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::OnceLock;

use rapier3d::math::{Pose, Real, Vector};
use rapier3d::parry::bounding_volume::details::{
    local_point_cloud_aabb_ref, point_cloud_aabb_ref, point_cloud_bounding_sphere,
};
use rapier3d::parry::bounding_volume::{Aabb, BoundingSphere};
use rapier3d::parry::mass_properties::MassProperties;
use rapier3d::parry::query::{PointProjection, PointQuery, Ray, RayCast, RayIntersection};
use rapier3d::parry::shape::{
    ConvexPolyhedron, Cuboid, FeatureId, PolygonalFeatureMap, Shape, ShapeType, SharedShape,
    SupportMap, TypedShape,
};
use rapier3d::parry::transformation::try_convex_hull;

/// Smallest half extent of the box in place of a hull that cannot be built, metres.
const MIN_HALF_EXTENT: Real = 1e-3;

/// Greatest height of a corner above a triangle, as a share of the hull's size. Contacts with what is bent by more, as
/// of a damaged save, are beyond the physics.
const MAX_BULGE: Real = 0.01;
/// Height of a triangle, as a share of its longest edge, below which rounding gives it any direction.
const MIN_HEIGHT: Real = 1e-3;

/// A hull, given by its corners and by triangles over them.
#[derive(Clone)]
pub(crate) struct LazyConvexHull {
    points: Vec<Vector>,
    triangles: Vec<[u32; 3]>,
    surface: Surface,
    built: OnceLock<SharedShape>,
}

/// The surface of a hull when it is built.
#[derive(Clone, Copy, PartialEq)]
enum Surface {
    /// Its triangles.
    Triangles,
    /// That which the physics library finds around its corners: of flat faces of many triangles it makes fewer. Its triangles
    /// tell its depth until then.
    Found,
}

impl LazyConvexHull {
    /// A hull of at least one point with these triangles.
    pub fn new(points: Vec<Vector>, triangles: Vec<[u32; 3]>) -> Self {
        Self {
            points,
            triangles,
            surface: Surface::Triangles,
            built: OnceLock::new(),
        }
    }

    /// A hull around some points, given with a triangulation of it.
    pub fn around(points: Vec<Vector>, triangles: Vec<[u32; 3]>) -> Self {
        Self {
            surface: Surface::Found,
            ..Self::new(points, triangles)
        }
    }

    /// The lazy hulls among the parts of a shape.
    pub fn all_in(shape: &SharedShape) -> impl Iterator<Item = &Self> {
        let compound = shape.as_compound();
        let parts = compound.map_or(&[][..], |compound| compound.shapes());
        let shapes = parts.iter().map(|(_, part)| part).chain([shape]);
        shapes.filter_map(|shape| shape.as_shape::<Self>())
    }

    /// Builds the lazy hulls among the parts of a shape, which their first use has to do otherwise.
    pub fn build_all_in(shape: &SharedShape) {
        for hull in Self::all_in(shape) {
            hull.built();
        }
    }

    /// The corners and triangles that it is built from; `None` of one whose surface is found.
    pub fn source(&self) -> Option<(&[Vector], &[[u32; 3]])> {
        let is_given = self.surface == Surface::Triangles;
        is_given.then_some((&self.points, &self.triangles))
    }

    /// The hull, built now if need be.
    pub fn built(&self) -> &dyn Shape {
        &*self.built.get_or_init(|| self.build()).0
    }

    /// Builds the hull from its triangles; from its corners where that is wanted, or they are no closed convex surface, and
    /// as a box where there is no hull at all.
    fn build(&self) -> SharedShape {
        let from_triangles = || {
            let polyhedron =
                || ConvexPolyhedron::from_convex_mesh(self.points.clone(), &self.triangles);
            let is_used = self.surface == Surface::Triangles && self.is_convex();
            is_used.then(polyhedron)?
        };
        let from_corners = || {
            let (points, triangles) = try_convex_hull(&self.points).ok()?;
            ConvexPolyhedron::from_convex_mesh(points, &triangles)
        };
        // Both can panic on the numbers of a damaged save.
        let hull = catch_unwind(AssertUnwindSafe(from_triangles))
            .ok()
            .flatten();
        hull.filter(|hull| hull.faces().len() > 3)
            .or_else(|| catch_unwind(AssertUnwindSafe(from_corners)).ok().flatten())
            .or_else(|| self.bounding_box())
            .map_or_else(|| SharedShape::ball(MIN_HALF_EXTENT), SharedShape::new)
    }

    fn is_convex(&self) -> bool {
        let slack = MAX_BULGE * self.compute_local_aabb().half_extents().length();
        let has_corners = |triangle| self.corners_of(triangle).is_some();
        let is_above_none = |(corner, normal): (Vector, Vector)| {
            let mut points = self.points.iter();
            points.all(|point| normal.dot(*point - corner) <= slack)
        };
        self.triangles.iter().all(has_corners) && self.planes().all(is_above_none)
    }

    fn corners_of(&self, triangle: &[u32; 3]) -> Option<[Vector; 3]> {
        let [a, b, c] = triangle.map(|corner| self.points.get(corner as usize).copied());
        Some([a?, b?, c?])
    }

    /// The planes of the triangles, each as a corner and the unit normal, but for those that are all but a line.
    fn planes(&self) -> impl Iterator<Item = (Vector, Vector)> + '_ {
        let corners = self.triangles.iter();
        let corners = corners.filter_map(|triangle| self.corners_of(triangle));
        corners.filter_map(|[a, b, c]| {
            let (right, left) = (b - a, c - a);
            let normal = right.cross(left);
            let longest = right.length().max(left.length()).max(b.distance(c));
            let has_height = normal.length() > MIN_HEIGHT * longest * longest;
            has_height.then(|| (a, normal / normal.length()))
        })
    }

    /// Distance from the middle of the corners to the nearest triangle, metres. Does not build the hull.
    pub fn depth(&self) -> Real {
        let middle = self.points.iter().sum::<Vector>() / self.points.len() as f32;
        let distances = self
            .planes()
            .map(|(corner, normal)| normal.dot(corner - middle));
        distances.fold(Real::INFINITY, Real::min)
    }

    fn bounding_box(&self) -> Option<ConvexPolyhedron> {
        let bounds = self.compute_local_aabb();
        let cuboid = Cuboid::new(bounds.half_extents().max(Vector::splat(MIN_HALF_EXTENT)));
        let (mut points, triangles) = cuboid.to_trimesh();
        points
            .iter_mut()
            .for_each(|point| *point += bounds.center());
        ConvexPolyhedron::from_convex_mesh(points, &triangles)
    }
}

impl Shape for LazyConvexHull {
    fn clone_dyn(&self) -> Box<dyn Shape> {
        Box::new(self.clone())
    }

    fn scale_dyn(&self, scale: Vector, subdivisions: u32) -> Option<Box<dyn Shape>> {
        self.built().scale_dyn(scale, subdivisions)
    }

    fn compute_local_aabb(&self) -> Aabb {
        local_point_cloud_aabb_ref(&self.points)
    }

    fn compute_local_bounding_sphere(&self) -> BoundingSphere {
        point_cloud_bounding_sphere(&self.points)
    }

    fn compute_aabb(&self, position: &Pose) -> Aabb {
        point_cloud_aabb_ref(position, &self.points)
    }

    fn mass_properties(&self, density: Real) -> MassProperties {
        self.built().mass_properties(density)
    }

    fn is_convex(&self) -> bool {
        true
    }

    fn shape_type(&self) -> ShapeType {
        ShapeType::ConvexPolyhedron
    }

    fn as_typed_shape(&self) -> TypedShape<'_> {
        self.built().as_typed_shape()
    }

    fn ccd_thickness(&self) -> Real {
        self.compute_local_aabb().half_extents().min_element()
    }

    fn ccd_angular_thickness(&self) -> Real {
        FRAC_PI_4
    }

    fn as_support_map(&self) -> Option<&dyn SupportMap> {
        self.built().as_support_map()
    }

    fn as_polygonal_feature_map(&self) -> Option<(&dyn PolygonalFeatureMap, Real)> {
        self.built().as_polygonal_feature_map()
    }

    fn feature_normal_at_point(&self, feature: FeatureId, point: Vector) -> Option<Vector> {
        self.built().feature_normal_at_point(feature, point)
    }
}

impl RayCast for LazyConvexHull {
    fn cast_local_ray_and_get_normal(
        &self,
        ray: &Ray,
        max_time_of_impact: Real,
        solid: bool,
    ) -> Option<RayIntersection> {
        self.built()
            .cast_local_ray_and_get_normal(ray, max_time_of_impact, solid)
    }
}

impl PointQuery for LazyConvexHull {
    fn project_local_point(&self, point: Vector, solid: bool) -> PointProjection {
        self.built().project_local_point(point, solid)
    }

    fn project_local_point_and_get_feature(&self, point: Vector) -> (PointProjection, FeatureId) {
        self.built().project_local_point_and_get_feature(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners, number of faces, and number of edges of faces.
    fn topology(shape: &dyn Shape) -> (Vec<Vector>, usize, usize) {
        let TypedShape::ConvexPolyhedron(hull) = shape.as_typed_shape() else {
            panic!("{:?}", shape.shape_type());
        };
        let edges = hull.vertices_adj_to_face().len();
        (hull.points().to_vec(), hull.faces().len(), edges)
    }

    fn tetrahedron() -> (Vec<Vector>, Vec<[u32; 3]>) {
        let points = vec![Vector::ZERO, Vector::X, Vector::Y, Vector::Z];
        (points, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    }

    #[test]
    fn it_equals_the_hull_that_is_built_at_once() {
        let (points, triangles) = tetrahedron();
        let lazy = LazyConvexHull::new(points.clone(), triangles.clone());
        let hull = ConvexPolyhedron::from_convex_mesh(points, &triangles).unwrap();
        let pose = Pose::from_translation(Vector::new(1.0, 2.0, 3.0));
        assert_eq!(lazy.compute_local_aabb(), hull.local_aabb());
        assert_eq!(lazy.compute_aabb(&pose), hull.aabb(&pose));
        let [a, b] = [&lazy as &dyn Shape, &hull].map(Shape::compute_local_bounding_sphere);
        assert_eq!(a.radius, b.radius);
        assert_eq!(a.center, b.center);
        assert_eq!(lazy.ccd_thickness(), Shape::ccd_thickness(&hull));
        assert_eq!(lazy.ccd_angular_thickness(), hull.ccd_angular_thickness());
        assert!(lazy.built.get().is_none());
        assert_eq!(topology(&lazy), topology(&hull));
        let ray = Ray::new(Vector::splat(-1.0), Vector::splat(1.0));
        let [a, b] = [&lazy as &dyn Shape, &hull].map(|s| s.cast_local_ray(&ray, 9.0, true));
        assert!(a.is_some() && a == b);
    }

    #[test]
    fn triangles_that_are_no_hull_become_one() {
        let (points, mut triangles) = tetrahedron();
        triangles.pop();
        let open = LazyConvexHull::new(points.clone(), triangles);
        assert_eq!(topology(&open).1, 4);
        for odd in [vec![[0, 0, 0]], vec![[0, 1, 2]; 7], Vec::new()] {
            let lazy = LazyConvexHull::new(points.clone(), odd);
            assert!(topology(&lazy).1 >= 4);
        }
        let flat = LazyConvexHull::new(vec![Vector::X; 3], vec![[0, 1, 2]]);
        assert_eq!(topology(&flat).1, 6);
    }
}
