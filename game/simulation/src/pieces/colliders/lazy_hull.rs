//! A convex hull whose faces and edges are found when somebody asks for them. Of a hull that has been kept
//! they take longer than all else about the piece, and what lies still may never be asked.

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

/// The smallest side of what stands in for a hull that cannot be built, metres.
const THINNEST: Real = 1e-3;

/// A hull, known by its corners and by triangles over them.
#[derive(Clone)]
pub(crate) struct LazyConvexHull {
    points: Vec<Vector>,
    triangles: Vec<[u32; 3]>,
    built: OnceLock<SharedShape>,
}

impl LazyConvexHull {
    /// A hull of at least one point.
    pub fn new(points: Vec<Vector>, triangles: Vec<[u32; 3]>) -> Self {
        Self {
            points,
            triangles,
            built: OnceLock::new(),
        }
    }

    /// The hulls among the parts of a shape.
    pub fn all(shape: &SharedShape) -> impl Iterator<Item = &Self> {
        let parts = shape.as_compound().map_or(&[][..], |all| all.shapes());
        let parts = parts.iter().map(|(_, part)| part);
        let all = parts.chain([shape]);
        all.filter_map(|part| part.as_shape::<Self>())
    }

    /// What it is built of.
    pub fn source(&self) -> (&[Vector], &[[u32; 3]]) {
        (&self.points, &self.triangles)
    }

    /// The hull, built now if it is not yet.
    pub fn built(&self) -> &dyn Shape {
        &*self.built.get_or_init(|| self.build()).0
    }

    /// From the triangles. Those of old saves may leave out corners in the middle of sides; then others
    /// are found.
    fn build(&self) -> SharedShape {
        let as_told = || ConvexPolyhedron::from_convex_mesh(self.points.clone(), &self.triangles);
        let anew = || {
            let (points, triangles) = try_convex_hull(&self.points).ok()?;
            ConvexPolyhedron::from_convex_mesh(points, &triangles)
        };
        // It fails in many ways on numbers that nobody has written.
        let built = catch_unwind(AssertUnwindSafe(as_told)).ok().flatten();
        let built = built.filter(|hull| hull.faces().len() > 3);
        let built = built.or_else(|| catch_unwind(AssertUnwindSafe(anew)).ok().flatten());
        let built = built.or_else(|| self.boxed()).map(SharedShape::new);
        built.unwrap_or_else(|| SharedShape::ball(THINNEST))
    }

    fn boxed(&self) -> Option<ConvexPolyhedron> {
        let bounds = self.compute_local_aabb();
        let cuboid = Cuboid::new(bounds.half_extents().max(Vector::splat(THINNEST)));
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
        longest: Real,
        solid: bool,
    ) -> Option<RayIntersection> {
        self.built()
            .cast_local_ray_and_get_normal(ray, longest, solid)
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

    /// Corners, faces, and sides.
    fn told(shape: &dyn Shape) -> (Vec<Vector>, usize, usize) {
        let TypedShape::ConvexPolyhedron(hull) = shape.as_typed_shape() else {
            panic!("{:?}", shape.shape_type());
        };
        let sides = hull.vertices_adj_to_face().len();
        (hull.points().to_vec(), hull.faces().len(), sides)
    }

    fn tetrahedron() -> (Vec<Vector>, Vec<[u32; 3]>) {
        let points = vec![Vector::ZERO, Vector::X, Vector::Y, Vector::Z];
        (points, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    }

    #[test]
    fn it_is_the_hull_that_is_built_of_it() {
        let (points, triangles) = tetrahedron();
        let late = LazyConvexHull::new(points.clone(), triangles.clone());
        let hull = ConvexPolyhedron::from_convex_mesh(points, &triangles).unwrap();
        let pose = Pose::from_translation(Vector::new(1.0, 2.0, 3.0));
        assert_eq!(late.compute_local_aabb(), hull.local_aabb());
        assert_eq!(late.compute_aabb(&pose), hull.aabb(&pose));
        let [one, other] = [&late as &dyn Shape, &hull].map(Shape::compute_local_bounding_sphere);
        assert_eq!(one.radius, other.radius);
        assert_eq!(one.center, other.center);
        assert_eq!(late.ccd_thickness(), Shape::ccd_thickness(&hull));
        assert_eq!(late.ccd_angular_thickness(), hull.ccd_angular_thickness());
        assert!(late.built.get().is_none());
        assert_eq!(told(&late), told(&hull));
        let ray = Ray::new(Vector::splat(-1.0), Vector::splat(1.0));
        let [one, other] = [&late as &dyn Shape, &hull].map(|s| s.cast_local_ray(&ray, 9.0, true));
        assert!(one.is_some() && one == other);
    }

    #[test]
    fn what_is_no_hull_becomes_one() {
        let (points, mut triangles) = tetrahedron();
        triangles.pop();
        let open = LazyConvexHull::new(points.clone(), triangles);
        assert_eq!(told(&open).1, 4);
        for odd in [vec![[0, 0, 0]], vec![[0, 1, 2]; 7], Vec::new()] {
            let late = LazyConvexHull::new(points.clone(), odd);
            assert!(told(&late).1 >= 4);
        }
        let flat = LazyConvexHull::new(vec![Vector::X; 3], vec![[0, 1, 2]]);
        assert_eq!(told(&flat).1, 6);
    }
}
