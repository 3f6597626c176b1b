//! Bodies that rest in the air, for tests: what has come to rest lies on something.

use crate::{
    destruction::Destruction,
    mirror::{
        engine_bodies::{
            body_motion, body_type, collider_from_world, key_of, local_pose, solid_collider,
        },
        shapes::shape_source,
        transforms::vec3,
    },
    object::{LiveObject, Object},
};
use fracture_geometry::hulls::HULL_TOLERANCE;
use fracture_simulation::{BodyId, Motion, Pose, Shape};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{
        graph::Graph,
        joint::Joint,
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};
use rapier3d::{
    math::Vec3,
    parry::{
        bounding_volume::{Aabb, BoundingVolume},
        query::{Ray, RayCast, RayIntersection},
        shape::{self, TriMesh, TypedShape},
    },
};
use std::collections::BTreeSet;

/// Distance at which one body lies on another, metres, besides that by which their hulls may reach out of them.
const GAP: f32 = 0.01;

/// Speed above which a body is not at rest, m/s.
const RESTING_SPEED: f32 = 0.05;

/// Vertical part of the unit normal of a surface from which on something may lie on it.
const FACING_SLOPE: f32 = 0.1;

/// Points along each side of a triangle at which it is looked for something on or below it.
const STEPS: u32 = 6;

/// A body that rests, and neither lies on what is held nor on anything else that does.
#[derive(Clone, Debug, PartialEq)]
pub struct HangingBody {
    /// The name of the object, the piece or the rigid body.
    pub name: String,
    /// The node of the piece, which settled pieces share, or the rigid body.
    pub node: Handle<Node>,
}

/// A body of a scene where it is.
struct Body {
    id: HangingBody,
    shape: TriMesh,
    bounds: Aabb,
    /// Distance by which its hulls may reach out of it, metres.
    protrusion: f32,
    /// Whether it is a mere surface, which has two sides.
    is_shell: bool,
    /// Whether it is held, moves or hangs on a joint.
    is_carried: bool,
    /// The first of the pieces that it is one body with.
    joined: Option<BodyId>,
}

impl Body {
    /// `None` for a body without triangles.
    fn new(id: HangingBody, mesh: Triangles, is_carried: bool) -> Option<Self> {
        let shape = TriMesh::new(mesh.points, mesh.corners).ok()?;
        let bounds = shape.local_aabb();
        Some(Self {
            id,
            shape,
            bounds,
            protrusion: 0.0,
            is_shell: false,
            is_carried,
            joined: None,
        })
    }

    /// An object or a piece of it, which collides by hulls.
    fn of_object(self, live: Option<&LiveObject>) -> Self {
        let solid = live.and_then(|live| live.shape.reported()?.ok());
        Self {
            protrusion: HULL_TOLERANCE as f32 * self.bounds.extents().length(),
            is_shell: solid.is_some_and(|solid| solid.is_shell()),
            ..self
        }
    }

    /// Whether it lies on another body, or is joined to it.
    fn rests_on(&self, other: &Self, up: Vec3) -> bool {
        let is_joined = self.joined.is_some() && self.joined == other.joined;
        is_joined || self.lies_on(other, up)
    }

    fn lies_on(&self, other: &Self, up: Vec3) -> bool {
        let reach = GAP + self.protrusion + other.protrusion;
        self.bounds.loosened(reach).intersects(&other.bounds)
            && (self.faces(other, -up, reach)
                || other.faces(self, up, reach)
                || other.contains(self.bounds.center())
                || other.contains(self.farthest(-up)))
    }

    /// The corner that is farthest in a direction.
    fn farthest(&self, towards: Vec3) -> Vec3 {
        let corners = self.shape.vertices().iter();
        let farthest = corners.max_by(|a, b| a.dot(towards).total_cmp(&b.dot(towards)));
        farthest.copied().unwrap_or(Vec3::ZERO)
    }

    /// Whether a point is inside: crumbs stay between the hulls of what they came from, where nobody sees them.
    fn contains(&self, point: Vec3) -> bool {
        let ray = Ray::new(point, Vec3::Y);
        let hit = self
            .shape
            .cast_local_ray_and_get_normal(&ray, f32::MAX, false);
        let is_inner_side = |hit: RayIntersection| self.shape.is_backface(hit.feature);
        !self.is_shell && hit.is_some_and(is_inner_side)
    }

    /// Whether another body is within reach of a part of the surface that faces up or down, or of its farthest corner, all
    /// of whose triangles may be steep, as those of a splinter.
    fn faces(&self, other: &Self, towards: Vec3, reach: f32) -> bool {
        let bounds = other.bounds.loosened(reach);
        let faces = |triangle: &shape::Triangle| {
            let slope = triangle.normal().map(|normal| normal.dot(towards));
            let slope = slope.map(|slope| if self.is_shell { slope.abs() } else { slope });
            slope.is_some_and(|slope| slope > FACING_SLOPE)
                && triangle.local_aabb().intersects(&bounds)
        };
        let is_near = |point: Vec3| {
            let ray = Ray::new(point - towards * reach, towards);
            let hit = other.shape.cast_local_ray(&ray, 2.0 * reach, true);
            hit.is_some()
        };
        let mut facing = self.shape.triangles().filter(faces);
        is_near(self.farthest(towards))
            || facing.any(|triangle| {
                let steps = (0..=STEPS).flat_map(|u| (0..=STEPS - u).map(move |v| [u, v]));
                let mut points = steps.map(|steps| {
                    let [u, v] = steps.map(|step| step as f32 / STEPS as f32);
                    triangle.a + (triangle.b - triangle.a) * u + (triangle.c - triangle.a) * v
                });
                points.any(is_near)
            })
    }
}

/// Triangles in world space, metres.
#[derive(Default)]
struct Triangles {
    points: Vec<Vec3>,
    corners: Vec<[u32; 3]>,
}

impl Triangles {
    fn add(&mut self, points: impl IntoIterator<Item = Vec3>, corners: &[[u32; 3]], pose: &Pose) {
        let first = self.points.len() as u32;
        let points = points.into_iter().map(|point| pose.transform_point(point));
        self.points.extend(points);
        let corners = corners.iter();
        self.corners
            .extend(corners.map(|corners| corners.map(|corner| corner + first)));
    }

    fn of_shape(shape: &Shape, pose: &Pose) -> Self {
        let mut triangles = Self::default();
        shape.with_mesh(|mesh| {
            let points = mesh.positions.iter().map(|point| Vec3::from(*point));
            triangles.add(points, &mesh.triangles, pose);
        });
        triangles
    }

    /// The triangles of the colliders of a rigid body.
    fn of_colliders(graph: &Graph, body: Handle<Node>, colliders: &[Handle<Node>]) -> Self {
        let pose = body_motion(graph, body).pose;
        let mut triangles = Self::default();
        for collider in colliders {
            let shape = solid_collider(graph, *collider).and_then(|(_, shape)| {
                let from_world = collider_from_world(graph, body, *collider);
                shape_source(shape, &from_world, graph, false)?.build()
            });
            if let Some(shape) = shape {
                triangles.add_shape(&*shape, &(pose * local_pose(graph, *collider)));
            }
        }
        triangles
    }

    fn add_shape(&mut self, shape: &dyn shape::Shape, pose: &Pose) {
        const SIDES: u32 = 16;
        let (points, corners) = match shape.as_typed_shape() {
            TypedShape::Ball(ball) => ball.to_trimesh(SIDES, SIDES),
            TypedShape::Cuboid(cuboid) => cuboid.to_trimesh(),
            TypedShape::Capsule(capsule) => capsule.to_trimesh(SIDES, SIDES),
            TypedShape::Cylinder(cylinder) => cylinder.to_trimesh(SIDES),
            TypedShape::Cone(cone) => cone.to_trimesh(SIDES),
            TypedShape::ConvexPolyhedron(polyhedron) => polyhedron.to_trimesh(),
            TypedShape::HeightField(field) => field.to_trimesh(),
            TypedShape::TriMesh(mesh) => (mesh.vertices().to_vec(), mesh.indices().to_vec()),
            TypedShape::Compound(compound) => {
                for (own, shape) in compound.shapes() {
                    self.add_shape(&**shape, &(pose * own));
                }
                return;
            }
            _ => return,
        };
        self.add(points, &corners, pose);
    }
}

/// The bodies that rest in the air; see [`Destruction::hanging`].
pub(crate) fn hanging(destruction: &Destruction, graph: &Graph) -> Vec<HangingBody> {
    let up = -vec3(*graph.physics.gravity).normalize_or_zero();
    let (mut carried, mut others): (Vec<_>, Vec<_>) = bodies(destruction, graph)
        .into_iter()
        .partition(|body| body.is_carried || up == Vec3::ZERO);
    while let Some(base) = carried.pop() {
        let is_on = |body: &mut Body| body.rests_on(&base, up);
        carried.extend(others.extract_if(.., is_on));
    }
    others.into_iter().map(|body| body.id).collect()
}

fn is_moving(motion: &Motion) -> bool {
    motion.linear.length() > RESTING_SPEED || motion.angular.length() > RESTING_SPEED
}

/// The intact objects, their pieces, and the other rigid bodies of the engine.
fn bodies(destruction: &Destruction, graph: &Graph) -> Vec<Body> {
    let joints = graph.linear_iter().filter_map(|node| node.cast::<Joint>());
    let joints = joints.filter(|joint| joint.is_globally_enabled());
    let jointed: BTreeSet<u64> = joints
        .flat_map(|joint| [joint.body1(), joint.body2()])
        .map(|body| key_of(body.to_base()))
        .collect();
    let objects = &destruction.objects;
    let intact = objects.values().filter(|object| object.is_intact());
    let intact = intact.filter_map(|object| {
        let live = object.live()?;
        intact_body(graph, object, live, jointed.contains(&key_of(live.body)))
    });
    let pieces = destruction.pieces.iter().filter_map(|(body, piece)| {
        let live = objects.live(piece.object);
        let simulation = destruction.simulation.as_ref()?;
        let (motion, shape) = (simulation.motion(body)?, simulation.shape(body)?);
        let is_jointed = live.is_some_and(|live| jointed.contains(&key_of(live.body)));
        let id = HangingBody {
            name: piece.name.clone(),
            node: piece.node,
        };
        let mesh = Triangles::of_shape(&shape, &motion.pose);
        let is_carried = piece.anchored || is_jointed || is_moving(&motion);
        let body = Body {
            joined: simulation.joined(body).first().copied(),
            ..Body::new(id, mesh, is_carried)?
        };
        Some(body.of_object(live))
    });
    let engine = graph.pair_iter().map(|(node, _)| node);
    let engine = engine.filter(|node| objects.of_engine_body(*node).is_none());
    let engine =
        engine.filter_map(|node| engine_body(graph, node, jointed.contains(&key_of(node))));
    intact.chain(pieces).chain(engine).collect()
}

fn intact_body(
    graph: &Graph,
    object: &Object,
    live: &LiveObject,
    is_jointed: bool,
) -> Option<Body> {
    let motion = body_motion(graph, live.body);
    let id = HangingBody {
        name: object.name.clone(),
        node: live.body,
    };
    let mesh = Triangles::of_shape(&live.shape, &motion.pose);
    let is_carried = !live.dynamic || is_jointed || is_moving(&motion);
    Some(Body::new(id, mesh, is_carried)?.of_object(Some(live)))
}

/// A rigid body of the engine that is no object; `None` for any other node.
fn engine_body(graph: &Graph, body: Handle<Node>, is_jointed: bool) -> Option<Body> {
    let node = graph.try_get_of_type::<RigidBody>(body).ok()?;
    let node = Some(node).filter(|node| node.is_globally_enabled())?;
    let is_held = body_type(graph, body) != Some(RigidBodyType::Dynamic);
    let id = HangingBody {
        name: node.name().to_owned(),
        node: body,
    };
    let mesh = Triangles::of_colliders(graph, body, node.children());
    let is_moving = is_moving(&body_motion(graph, body));
    Body::new(id, mesh, is_held || is_jointed || is_moving)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(mesh: &TriMesh, height: f32) -> Body {
        let id = HangingBody {
            name: String::new(),
            node: Handle::NONE,
        };
        let mut triangles = Triangles::default();
        let pose = Pose::from_translation(Vec3::Y * height);
        triangles.add_shape(mesh, &pose);
        Body::new(id, triangles, false).unwrap()
    }

    fn mesh(points: &[[f32; 3]], corners: &[[u32; 3]]) -> TriMesh {
        let points = points.iter().map(|point| Vec3::from(*point)).collect();
        TriMesh::new(points, corners.to_vec()).unwrap()
    }

    #[test]
    fn a_splinter_that_stands_on_its_tip_does_not_hang() {
        let splinter = mesh(
            &[
                [0.0; 3],
                [0.03, 0.7, 0.0],
                [-0.02, 0.7, 0.02],
                [-0.02, 0.7, -0.02],
            ],
            &[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
        );
        let (points, corners) = shape::Cuboid::new(Vec3::new(100.0, 0.5, 100.0)).to_trimesh();
        let floor = body(&TriMesh::new(points, corners).unwrap(), -0.5);
        for (height, lies) in [(0.05, false), (0.002, true), (-0.03, true)] {
            let splinter = body(&splinter, height);
            assert_eq!(splinter.lies_on(&floor, Vec3::Y), lies, "{height}");
        }
        // What lies on such a tip does not hang either.
        let plate = mesh(
            &[
                [-0.5, 0.0, -0.5],
                [0.5, 0.0, -0.5],
                [0.5, 0.0, 0.5],
                [-0.5, 0.0, 0.5],
            ],
            &[[0, 1, 2], [0, 2, 3]],
        );
        assert!(body(&plate, 0.702).lies_on(&body(&splinter, 0.0), Vec3::Y));
    }
}
