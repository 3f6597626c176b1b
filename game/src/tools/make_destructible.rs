//! Gives a node all that it takes to break: a rigid body, colliders that fit, and the script.

use crate::{
    mirror::{
        shapes::{place, with_positions},
        transforms::{engine_vector, position_and_rotation, vec3, BodyFrame},
    },
    object::{
        conversion::SourceSurface,
        inputs::{body_above, ObjectInputs},
    },
    script::destructible::Destructible,
};
use fyrox::{
    core::{
        algebra::{Matrix3, Matrix4, UnitQuaternion, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape, ConvexPolyhedronShape, GeometrySource},
        graph::Graph,
        mesh::{surface::SurfaceResource, Mesh},
        node::Node,
        rigidbody::{RigidBody, RigidBodyBuilder, RigidBodyType},
        transform::{Transform, TransformBuilder},
    },
};
use rapier3d::{math::Vec3, parry::bounding_volume::Aabb};
use std::fmt;
use thiserror::Error;

/// Distance from a corner of the box around a mesh up to which a vertex lies in it, and difference between the distances of
/// vertices from the middle of a ball, in diagonals of the box.
const FIT: f32 = 0.01;

/// Least number of vertices of a ball: those of an octahedron lie on one, too.
const LEAST_OF_BALL: usize = 60;

/// Reason why a node cannot be made destructible. Each message names the node and the remedy.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MakeDestructibleError {
    /// There is no such node.
    #[error("the node is not in the scene; select another one")]
    NoNode,
    /// There is nothing above the node that a rigid body could be put below.
    #[error("\"{node}\" is the root of the scene; select the node of one object below it")]
    Root {
        /// Name of the node.
        node: String,
    },
    /// Parts of the node have rigid bodies already.
    #[error("\"{node}\" has the rigid body \"{body}\" below it; select that, or each of them")]
    BodyBelow {
        /// Name of the node.
        node: String,
        /// Name of the first rigid body.
        body: String,
    },
    /// There is nothing at or below the node that can break.
    #[error("\"{node}\" cannot break: {reason}")]
    Inputs {
        /// Name of the node.
        node: String,
        /// The reason, with a remedy.
        reason: String,
    },
}

/// The things that a node was given by [`make_destructible`].
#[derive(Clone, Debug)]
pub struct MadeDestructible {
    /// Name of the object.
    pub name: String,
    /// Its rigid body.
    pub body: Handle<Node>,
    /// The new body's place, if the node had none.
    pub new_body: Option<NewBody>,
    /// Its new colliders; none if it had some.
    pub colliders: Vec<Handle<Node>>,
    /// Shape of the new colliders, in a word.
    pub fit: &'static str,
    /// Whether the script is new.
    pub is_new_script: bool,
}

/// A rigid body that has taken the place of a node, which is its child now.
#[derive(Clone, Debug)]
pub struct NewBody {
    /// The node.
    pub node: Handle<Node>,
    /// The parent that the node had, and the body has.
    pub parent: Handle<Node>,
    /// The transform that the node had.
    pub before: Transform,
    /// The transform that the node has below the body.
    pub below: Transform,
    /// The type of the body.
    pub body_type: RigidBodyType,
}

impl NewBody {
    /// Puts the node below the body, where it stays in its place in the world.
    pub fn put_node_below(&self, graph: &mut Graph, body: Handle<Node>) {
        move_below(graph, self.node, body, &self.below);
    }

    /// Puts the node back below its old parent.
    pub fn put_node_back(&self, graph: &mut Graph) {
        move_below(graph, self.node, self.parent, &self.before);
    }
}

fn move_below(graph: &mut Graph, node: Handle<Node>, parent: Handle<Node>, transform: &Transform) {
    if graph.is_valid_handle(node) && graph.is_valid_handle(parent) {
        graph.link_nodes(node, parent);
        if let Ok(node) = graph.try_get_node_mut(node) {
            node.set_local_transform(transform.clone());
        }
    }
}

impl fmt::Display for MadeDestructible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = self.new_body.as_ref().map(|new| match new.body_type {
            RigidBodyType::Dynamic => "a dynamic rigid body",
            RigidBodyType::Static => "a static rigid body",
            _ => "a rigid body that is moved by the game",
        });
        let colliders = match self.colliders.len() {
            0 => None,
            1 => Some(format!("a collider ({})", self.fit)),
            many => Some(format!("{many} colliders ({})", self.fit)),
        };
        let script = self.is_new_script.then(|| "the script".to_owned());
        let parts = [body.map(str::to_owned), colliders, script];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match &parts[..] {
            [] => write!(f, "\"{}\" had all that it takes to break.", self.name),
            parts => write!(f, "\"{}\" was given {}.", self.name, parts.join(", ")),
        }
    }
}

/// Gives a node what it lacks to break, and leaves what it has: a mesh, or the root of a model, gets a rigid body of the
/// type given in its place, with the node below it; the body gets colliders that fit the meshes, and the script.
/// Of a node that has a rigid body at or above it, that body is meant.
///
/// Colliders are a box or a ball where the meshes together are one, else triangle meshes of what does not move. What does
/// gets a box or a ball for each mesh that is one or is flat, and convex parts of the others, into which the engine divides
/// them when the scene is loaded. Below scaled nodes the engine misplaces the colliders of meshes: there each mesh has to be a
/// box or a ball, else there is a box around all.
///
/// # Errors
/// [`MakeDestructibleError`], when the node is left as it was.
pub fn make_destructible(
    graph: &mut Graph,
    node: Handle<Node>,
    body_type: RigidBodyType,
    script: Destructible,
) -> Result<MadeDestructible, MakeDestructibleError> {
    let own = graph.try_get_node(node);
    let name = own.map_err(|_| MakeDestructibleError::NoNode)?.name_owned();
    let (body, new_body) = if let Some(body) = body_above(graph, node) {
        (body, None)
    } else {
        let (body, new_body) = put_body_above(graph, node, &name, body_type)?;
        (body, Some(new_body))
    };
    match complete(graph, body, script) {
        Ok(made) => Ok(MadeDestructible { new_body, ..made }),
        Err(reason) => {
            if let Some(new_body) = new_body {
                new_body.put_node_back(graph);
                graph.remove_node(body);
            }
            Err(MakeDestructibleError::Inputs { node: name, reason })
        }
    }
}

/// Puts a new rigid body in the place of a node, and the node below it.
fn put_body_above(
    graph: &mut Graph,
    node: Handle<Node>,
    name: &str,
    body_type: RigidBodyType,
) -> Result<(Handle<Node>, NewBody), MakeDestructibleError> {
    let name = name.to_owned();
    let mut below = graph.traverse_iter(node);
    let first = below.find_map(|(_, below)| below.cast::<RigidBody>());
    if let Some(body) = first.map(|body| body.name_owned()) {
        return Err(MakeDestructibleError::BodyBelow { node: name, body });
    }
    drop(below);
    let Some((parent, before)) = graph.try_get_node(node).ok().and_then(|own| {
        let parent = Some(own.parent()).filter(|parent| parent.is_some())?;
        Some((parent, own.local_transform().clone()))
    }) else {
        return Err(MakeDestructibleError::Root { node: name });
    };
    let (place, below) = divided(&before);
    let base = BaseBuilder::new()
        .with_name(name)
        .with_local_transform(place);
    let builder = RigidBodyBuilder::new(base).with_body_type(body_type);
    let body = builder.build(graph).to_base::<Node>();
    graph.link_nodes(body, parent);
    let new_body = NewBody {
        node,
        parent,
        before,
        below,
        body_type,
    };
    new_body.put_node_below(graph, body);
    Ok((body, new_body))
}

/// Divides a transform into the place of a body, and what is left below it: its scale, and where it has pivots also its
/// rotation.
fn divided(transform: &Transform) -> (Transform, Transform) {
    let mut below = transform.clone();
    below.set_position(Vector3::zeros());
    let is_plain = [
        **transform.rotation_offset(),
        **transform.rotation_pivot(),
        **transform.scaling_offset(),
        **transform.scaling_pivot(),
    ]
    .iter()
    .all(|offset| *offset == Vector3::zeros())
        && **transform.pre_rotation() == UnitQuaternion::identity();
    let mut place = TransformBuilder::new().with_local_position(**transform.position());
    if is_plain {
        place = place.with_local_rotation(**transform.rotation());
        below.set_rotation(UnitQuaternion::identity());
    }
    (place.build(), below)
}

/// Gives a rigid body the colliders and the script that it lacks; the error is a reason with a remedy.
fn complete(
    graph: &mut Graph,
    body: Handle<Node>,
    script: Destructible,
) -> Result<MadeDestructible, String> {
    let owner = script_below(graph, body);
    let old = owner.and_then(|owner| graph.try_get_script_of::<Destructible>(owner).ok());
    let inputs = ObjectInputs::new(graph, owner.unwrap_or(body), old.unwrap_or(&script));
    let inputs = inputs.map_err(|error| error.to_string())?;
    if inputs.is_loading() {
        return Err("its model is still being loaded; try again when it is there".into());
    }
    let (shapes, fit) = if inputs.colliders.is_empty() {
        fitting_shapes(graph, &inputs)
    } else {
        (Vec::new(), "")
    };
    let build = |(place, shape)| {
        let base = BaseBuilder::new()
            .with_name("Collider")
            .with_local_transform(place);
        let builder = ColliderBuilder::new(base).with_shape(shape);
        let collider = builder.build(graph).to_base();
        graph.link_nodes(collider, body);
        collider
    };
    let colliders = shapes.into_iter().map(build).collect();
    let node = graph.try_get_node_mut(body);
    let node = node.map_err(|error| error.to_string())?;
    let is_new_script = owner.is_none();
    if is_new_script {
        node.add_script(script);
    }
    Ok(MadeDestructible {
        name: node.name_owned(),
        body,
        new_body: None,
        colliders,
        fit,
        is_new_script,
    })
}

/// The node with the script at or below a rigid body.
fn script_below(graph: &Graph, body: Handle<Node>) -> Option<Handle<Node>> {
    let mut nodes = graph.traverse_iter(body);
    let found = nodes.find(|(_, node)| node.try_get_script::<Destructible>().is_some());
    found.map(|(handle, _)| handle)
}

/// Shapes that fit the meshes of a body, with their places in it, and their kind in a word.
fn fitting_shapes(
    graph: &Graph,
    inputs: &ObjectInputs,
) -> (Vec<(Transform, ColliderShape)>, &'static str) {
    let points: Vec<Vec3> = inputs.sources.iter().flat_map(points_of).collect();
    if points.is_empty() {
        return (Vec::new(), "");
    }
    let bounds = Aabb::from_points(points.iter().copied());
    let (center, half) = (bounds.center(), bounds.half_extents());
    let has_size = half.max_element() > 0.0 && points.iter().all(|point| point.is_finite());
    if !has_size {
        return (Vec::new(), ""); // the engine would panic over it
    }
    let middle = TransformBuilder::new().with_local_position(engine_vector(center));
    let middle = middle.build();
    let near = FIT * half.length();
    if let Some((shape, fit)) = box_or_ball(&points, &bounds, near) {
        return (vec![(middle, shape)], fit);
    }
    let is_misplaced = is_misplaced_by_engine(graph, inputs, near);
    if !inputs.is_dynamic() && !is_misplaced {
        let sources = inputs.meshes.iter().map(|mesh| GeometrySource(*mesh));
        let shape = ColliderShape::trimesh(sources.collect());
        return (vec![(Transform::default(), shape)], "the mesh");
    }
    let meshes = inputs.meshes.iter().copied();
    let meshes = meshes.filter(|mesh| has_vertices(graph, *mesh));
    let shape = |mesh| (mesh, simple_shape(graph, inputs, mesh));
    let own: Vec<_> = meshes.map(shape).collect();
    if own.iter().all(|(_, simple)| simple.is_some()) {
        let shapes = own.into_iter().filter_map(|(_, simple)| simple);
        return (shapes.collect(), "a box or a ball for each mesh");
    }
    if is_misplaced || half.min_element() < near {
        let half = half.max(Vec3::splat(near));
        let shape = ColliderShape::cuboid(half.x, half.y, half.z);
        return (vec![(middle, shape)], "a box around it");
    }
    let shapes = own.into_iter();
    let shapes = shapes.map(|(mesh, simple)| simple.unwrap_or_else(|| convex_parts(mesh)));
    (shapes.collect(), "convex parts of the mesh")
}

/// Whether a mesh has vertices: over one that has none the engine would panic.
fn has_vertices(graph: &Graph, mesh: Handle<Node>) -> bool {
    let mesh = graph.try_get_of_type::<Mesh>(mesh);
    mesh.is_ok_and(|mesh| {
        let mut surfaces = mesh.surfaces().iter();
        surfaces.any(|surface| {
            let count = with_positions(&surface.data(), |data| data.vertex_buffer.vertex_count());
            count.is_some_and(|count| count > 0)
        })
    })
}

/// The convex parts of a mesh, into which the engine divides it.
fn convex_parts(mesh: Handle<Node>) -> (Transform, ColliderShape) {
    let geometry_source = GeometrySource(mesh);
    let shape = ConvexPolyhedronShape { geometry_source };
    (Transform::default(), ColliderShape::Polyhedron(shape))
}

/// The box or the ball that a mesh is, along its own axes, or the box around one that is flat.
fn simple_shape(
    graph: &Graph,
    inputs: &ObjectInputs,
    mesh: Handle<Node>,
) -> Option<(Transform, ColliderShape)> {
    let own = BodyFrame::new(graph, mesh);
    let axes: Matrix3<f32> = own.scale.fixed_view::<3, 3>(0, 0).into_owned();
    let scale = Matrix3::from_diagonal(&axes.diagonal());
    let is_sheared = (axes - scale).norm() > FIT * scale.norm();
    if is_sheared {
        return None;
    }
    let mesh = graph.try_get_of_type::<Mesh>(mesh).ok()?;
    let surfaces = mesh.surfaces().iter();
    let points = surfaces.flat_map(|surface| positions(&surface.data(), &own.scale));
    let points: Vec<Vec3> = points.collect();
    let bounds = Aabb::from_points(points.iter().copied());
    let half = bounds.half_extents();
    let near = FIT * half.length();
    let shape = if half.min_element() < near {
        let half = half.max(Vec3::splat(near));
        ColliderShape::cuboid(half.x, half.y, half.z)
    } else {
        box_or_ball(&points, &bounds, near)?.0
    };
    let place = inputs.frame.pose.inverse() * own.pose;
    let (_, rotation) = position_and_rotation(&place);
    let middle = engine_vector(place.transform_point(bounds.center()));
    let place = TransformBuilder::new().with_local_position(middle);
    Some((place.with_local_rotation(rotation).build(), shape))
}

/// Whether the engine makes the colliders of a body's meshes in another place than they are: below scaled nodes it leaves
/// the scale out of the body's place.
fn is_misplaced_by_engine(graph: &Graph, inputs: &ObjectInputs, near: f32) -> bool {
    let engine = graph.isometric_global_transform(inputs.body);
    let place = vec3(Vector3::new(engine[12], engine[13], engine[14]));
    (place - inputs.frame.pose.translation).length() > near
}

/// The box or the ball on which vertices lie, and its kind in a word.
fn box_or_ball(points: &[Vec3], bounds: &Aabb, near: f32) -> Option<(ColliderShape, &'static str)> {
    let half = bounds.half_extents();
    if is_box(points, bounds, near) {
        return Some((ColliderShape::cuboid(half.x, half.y, half.z), "box"));
    }
    let is_ball = is_ball(points, bounds, near);
    is_ball.then(|| (ColliderShape::ball(half.max_element()), "ball"))
}

/// Whether all vertices lie in the corners of their box, and some in each.
fn is_box(points: &[Vec3], bounds: &Aabb, near: f32) -> bool {
    let is_near = |a: Vec3, b: Vec3| (a - b).length() < near;
    let is_used = |corner: Vec3| points.iter().any(|point| is_near(*point, corner));
    let (center, half) = (bounds.center(), bounds.half_extents());
    half.min_element() > 0.0
        && points.iter().all(|p| is_near((*p - center).abs(), half))
        && bounds.vertices().into_iter().all(is_used)
}

/// Whether many vertices have the same distance from the middle of their box, which is a cube.
fn is_ball(points: &[Vec3], bounds: &Aabb, near: f32) -> bool {
    let (center, half) = (bounds.center(), bounds.half_extents());
    let radius = half.max_element();
    points.len() >= LEAST_OF_BALL
        && radius - half.min_element() < near
        && points
            .iter()
            .all(|p| ((*p - center).length() - radius).abs() < near)
}

/// The vertices of a surface in body space, metres.
fn points_of(source: &SourceSurface) -> Vec<Vec3> {
    positions(&source.data, &source.transform)
}

/// The transformed vertices of a surface.
fn positions(surface: &SurfaceResource, transform: &Matrix4<f32>) -> Vec<Vec3> {
    let points = with_positions(surface, |data| {
        let vertices = data.vertex_buffer.iter();
        vertices.map(place(transform)).collect()
    });
    points.unwrap_or_default()
}
