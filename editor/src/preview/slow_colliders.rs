//! Colliders that the engine takes long to build on the main thread: in the preview their triangles near
//! the object are divided into parts on a thread and added a few per frame.

use crate::background_job::{Job, Poll};
use fyrox::{
    core::{
        algebra::{Matrix4, Point3, Vector3},
        math::{aabb::AxisAlignedBoundingBox, TriangleDefinition},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{Collider, ColliderBuilder, ColliderShape, GeometrySource},
        graph::Graph,
        mesh::{
            buffer::{TriangleBuffer, VertexAttributeUsage, VertexBuffer, VertexReadTrait},
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            vertex::StaticVertex,
            Mesh, MeshBuilder,
        },
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
        terrain::Terrain,
    },
};

/// Most triangles of a mesh collider that the engine builds without a hitch.
const LIGHT: usize = 10_000;
/// Most height samples of a terrain that the engine builds without a hitch.
const LIGHT_TERRAIN: usize = 1 << 20;
/// Triangles of a part, which the engine builds in half a millisecond.
const PART: usize = 1000;
/// Parts that are added per frame.
const PER_FRAME: usize = 8;

/// Replacement of a slow collider in the preview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Its triangles, added part by part: for bodies that stand still.
    Parts,
    /// Its box: for bodies that fall.
    Box,
    /// None: for the colliders of a static object itself, and for very large terrains.
    LeftOut,
}

/// Returns the replacement for a node near a static or free object; `None` when it is no collider or a
/// fast one.
pub fn remedy(graph: &Graph, node: Handle<Node>, is_own: bool) -> Option<Remedy> {
    let collider = graph.try_get_of_type::<Collider>(node).ok()?;
    let size = match collider.shape() {
        ColliderShape::Trimesh(shape) => {
            let sources = shape.sources.iter();
            sources.map(|source| triangles(graph, source.0)).sum()
        }
        // The engine decomposes it, which takes half a second for a rock.
        ColliderShape::Polyhedron(_) => usize::MAX,
        ColliderShape::Heightfield(field) => {
            let large = samples(graph, field.geometry_source.0) > LIGHT_TERRAIN;
            return large.then_some(Remedy::LeftOut);
        }
        _ => 0,
    };
    let body = graph.try_get_of_type::<RigidBody>(collider.parent());
    let falls = body.is_ok_and(|body| body.body_type() == RigidBodyType::Dynamic);
    (size > LIGHT).then_some(match (falls, is_own) {
        (true, _) => Remedy::Box,
        (false, true) => Remedy::LeftOut,
        (false, false) if collider.is_sensor() => Remedy::LeftOut,
        (false, false) => Remedy::Parts,
    })
}

/// The parts of slow colliders, while they are made and added.
#[derive(Default)]
pub struct Parts {
    job: Option<Job<Vec<Part>>>,
    made: Vec<Part>,
}

/// A part of a slow collider, in the collider's space.
struct Part {
    like: Handle<Node>,
    surface: SurfaceResource,
}

/// A slow collider that is to be divided.
struct SlowCollider {
    collider: Handle<Node>,
    /// Its meshes, with the matrices from their space to the collider's and to the world.
    surfaces: Vec<(SurfaceResource, Matrix4<f32>, Matrix4<f32>)>,
}

impl Parts {
    /// Starts dividing the triangles of the colliders that touch a box.
    pub fn of(graph: &Graph, colliders: &[Handle<Node>], near: AxisAlignedBoundingBox) -> Self {
        let wholes: Vec<SlowCollider> = colliders
            .iter()
            .filter_map(|collider| whole(graph, *collider))
            .collect();
        let divide = move || {
            wholes
                .iter()
                .flat_map(|whole| whole.divide(&near))
                .collect()
        };
        Self {
            job: (!colliders.is_empty()).then(|| Job::start(move |_| divide())),
            made: Vec::new(),
        }
    }

    /// Whether all parts have been added.
    pub fn are_added(&self) -> bool {
        self.job.is_none() && self.made.is_empty()
    }

    /// Adds some parts to the copy.
    pub fn update(&mut self, graph: &mut Graph) {
        match self.job.as_ref().map(Job::poll) {
            Some(Poll::Running) => return,
            Some(Poll::Done(parts)) => self.made = parts,
            Some(Poll::Lost) | None => {}
        }
        self.job = None;
        let rest = self.made.len().saturating_sub(PER_FRAME);
        for part in self.made.split_off(rest) {
            part.put(graph);
        }
    }
}

/// Replaces the shape of a collider by its box.
pub fn box_in(graph: &mut Graph, collider: Handle<Node>) {
    let Some((center, half)) = box_of(graph, collider) else {
        return;
    };
    let Ok(node) = graph.try_get_mut_of_type::<Collider>(collider) else {
        return;
    };
    node.set_shape(ColliderShape::cuboid(half.x, half.y, half.z));
    let transform = node.local_transform_mut();
    let at = **transform.position() + center;
    transform.set_position(at);
}

/// Returns the box of a collider's meshes along the axes of its body: the offset of its centre from the
/// collider's position, and its half extents.
fn box_of(graph: &Graph, collider: Handle<Node>) -> Option<(Vector3<f32>, Vector3<f32>)> {
    let node = graph.try_get_of_type::<Collider>(collider).ok()?;
    let to_space = node.global_transform().try_inverse()?;
    let mut all = AxisAlignedBoundingBox::default();
    for source in sources(node.shape()) {
        let mesh = graph.try_get_of_type::<Mesh>(source.0).ok()?;
        let own = mesh.world_bounding_box();
        own.is_valid()
            .then(|| all.add_box(own.transform(&to_space)));
    }
    let turn = node.local_transform().matrix();
    let size = node.global_transform();
    let scale = [0, 1, 2].map(|k| size.fixed_view::<3, 1>(0, k).norm());
    let half = (all.max - all.min).component_mul(&Vector3::from(scale)) * 0.5;
    (all.is_valid()).then(|| (turn.transform_vector(&all.center()), half))
}

fn whole(graph: &Graph, collider: Handle<Node>) -> Option<SlowCollider> {
    let node = graph.try_get_of_type::<Collider>(collider).ok()?;
    let to_space = node.global_transform().try_inverse()?;
    let meshes = sources(node.shape()).into_iter();
    let meshes = meshes.filter_map(|source| graph.try_get_of_type::<Mesh>(source.0).ok());
    let surfaces = meshes.flat_map(|mesh| {
        let world = mesh.global_transform();
        let surfaces = mesh.surfaces().iter();
        surfaces.map(move |surface| (surface.data(), to_space * world, world))
    });
    Some(SlowCollider {
        collider,
        surfaces: surfaces.collect(),
    })
}

fn sources(shape: &ColliderShape) -> Vec<GeometrySource> {
    match shape {
        ColliderShape::Trimesh(shape) => shape.sources.clone(),
        ColliderShape::Polyhedron(shape) => vec![shape.geometry_source],
        _ => Vec::new(),
    }
}

impl SlowCollider {
    fn divide(&self, near: &AxisAlignedBoundingBox) -> Vec<Part> {
        let mut corners = Vec::new();
        for (surface, to_space, to_world) in &self.surfaces {
            for triangle in corners_of(surface) {
                let place = |at: Point3<f32>| to_world.transform_point(&at).coords;
                let bounds = AxisAlignedBoundingBox::from_points(&triangle.map(place));
                if bounds.is_intersects_aabb(near) {
                    corners.extend(triangle.map(|at| to_space.transform_point(&at).coords));
                }
            }
        }
        let part = |corners: &[Vector3<f32>]| Part {
            like: self.collider,
            surface: surface(corners),
        };
        corners.chunks(3 * PART).map(part).collect()
    }
}

/// Returns the corners of a surface's triangles.
fn corners_of(surface: &SurfaceResource) -> Vec<[Point3<f32>; 3]> {
    let data = surface.data_ref();
    let Some(data) = data.as_loaded_ref() else {
        return Vec::new();
    };
    let corner = |index: u32| {
        let vertex = data.vertex_buffer.get(index as usize)?;
        let at = vertex.read_3_f32(VertexAttributeUsage::Position).ok()?;
        Some(Point3::from(at))
    };
    let triangles = data.geometry_buffer.iter();
    let corners = triangles.map(|t| Some([corner(t[0])?, corner(t[1])?, corner(t[2])?]));
    corners.flatten().collect()
}

/// Makes an engine surface of triangles.
pub(super) fn surface(corners: &[Vector3<f32>]) -> SurfaceResource {
    let vertex = |at: &Vector3<f32>| StaticVertex {
        position: *at,
        ..StaticVertex::default()
    };
    let vertices: Vec<_> = corners.iter().map(vertex).collect();
    let triangles = (0..corners.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    let triangles = triangles.map(TriangleDefinition).collect();
    let data = match VertexBuffer::new(vertices.len(), vertices) {
        Ok(vertices) => SurfaceData::new(vertices, TriangleBuffer::new(triangles)),
        // Cannot happen, as the layout is the vertex's own; an empty part does no harm.
        Err(_) => SurfaceData::default(),
    };
    SurfaceResource::new_embedded(data)
}

impl Part {
    /// Adds the part as a collider beside the one that it belongs to.
    fn put(self, graph: &mut Graph) {
        let Ok(like) = graph.try_get_of_type::<Collider>(self.like) else {
            return;
        };
        let body = like.parent();
        let base = BaseBuilder::new()
            .with_name(like.name())
            .with_local_transform(like.local_transform().clone());
        let collider = ColliderBuilder::new(base)
            .with_friction(like.friction())
            .with_restitution(like.restitution())
            .with_collision_groups(like.collision_groups())
            .with_solver_groups(like.solver_groups());
        let mesh = MeshBuilder::new(BaseBuilder::new().with_visibility(false))
            .with_surfaces(vec![SurfaceBuilder::new(self.surface).build()])
            .build(graph)
            .to_base::<Node>();
        let shape = ColliderShape::trimesh(vec![GeometrySource(mesh)]);
        let collider = collider.with_shape(shape).build(graph).to_base::<Node>();
        graph.link_nodes(mesh, collider);
        graph.link_nodes(collider, body);
        graph.update_hierarchical_data_for_descendants(collider);
    }
}

/// Counts the triangles of a mesh node.
fn triangles(graph: &Graph, node: Handle<Node>) -> usize {
    let Ok(mesh) = graph.try_get_of_type::<Mesh>(node) else {
        return 0;
    };
    let count = |surface: &fyrox::scene::mesh::surface::Surface| {
        let data = surface.data();
        let data = data.data_ref();
        data.as_loaded_ref()
            .map_or(0, |data| data.geometry_buffer.len())
    };
    mesh.surfaces().iter().map(count).sum()
}

/// Counts the height samples of a terrain node.
fn samples(graph: &Graph, node: Handle<Node>) -> usize {
    let terrain = graph.try_get_of_type::<Terrain>(node);
    terrain.map_or(0, |terrain| {
        let side = terrain.height_map_size();
        side.x as usize * side.y as usize * terrain.chunks_ref().len()
    })
}

#[cfg(test)]
#[path = "slow_colliders_tests.rs"]
mod tests;
