//! The engine's collider shapes as shapes of the debris world.
//!
//! The engine has the same conversion, but keeps it to itself, runs a convex decomposition for
//! every polyhedron and panics on some terrains.

use crate::{
    conversion::has_positions,
    frames::{vec3, world_matrix},
};
use fyrox::{
    core::{
        algebra::{Matrix4, Point3, Vector2, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        collider::ColliderShape,
        graph::Graph,
        mesh::{
            buffer::{VertexAttributeUsage, VertexReadTrait},
            Mesh,
        },
        node::Node,
        terrain::{Chunk, Terrain},
    },
};
use rapier3d::{
    math::Vec3,
    parry::{
        shape::{HeightField, TriMeshFlags},
        utils::Array2,
    },
    prelude::SharedShape,
};

/// Converts a collider's shape; `from_world` takes world space to the collider's space.
///
/// `None` for a shape that has no extent: nothing to bump into.
pub(crate) fn shared_shape(
    shape: &ColliderShape,
    from_world: &Matrix4<f32>,
    graph: &Graph,
    moving: bool,
) -> Option<SharedShape> {
    if !is_sound(shape) {
        return None;
    }
    match shape {
        ColliderShape::Ball(ball) => Some(SharedShape::ball(ball.radius)),
        ColliderShape::Cylinder(c) => Some(SharedShape::cylinder(c.half_height, c.radius)),
        ColliderShape::Cone(cone) => Some(SharedShape::cone(cone.half_height, cone.radius)),
        ColliderShape::Cuboid(cuboid) => {
            let half = cuboid.half_extents;
            Some(SharedShape::cuboid(half.x, half.y, half.z))
        }
        ColliderShape::Capsule(c) => {
            Some(SharedShape::capsule(vec3(c.begin), vec3(c.end), c.radius))
        }
        ColliderShape::Segment(s) => Some(SharedShape::segment(vec3(s.begin), vec3(s.end))),
        ColliderShape::Triangle(t) => Some(SharedShape::triangle(vec3(t.a), vec3(t.b), vec3(t.c))),
        ColliderShape::Trimesh(trimesh) => {
            let sources = trimesh.sources.iter().map(|source| source.0);
            triangle_mesh(sources, from_world, graph, moving)
        }
        ColliderShape::Polyhedron(polyhedron) => {
            let source = std::iter::once(polyhedron.geometry_source.0);
            triangle_mesh(source, from_world, graph, moving)
        }
        ColliderShape::Heightfield(field) => graph
            .try_get_of_type::<Terrain>(field.geometry_source.0)
            .ok()
            .and_then(height_field),
    }
}

/// Whether the numbers of a primitive are finite and not negative.
fn is_sound(shape: &ColliderShape) -> bool {
    let size = |v: f32| v.is_finite() && v >= 0.0;
    let point = |v: Vector3<f32>| v.iter().all(|x| x.is_finite());
    match shape {
        ColliderShape::Ball(ball) => size(ball.radius),
        ColliderShape::Cylinder(c) => size(c.half_height) && size(c.radius),
        ColliderShape::Cone(c) => size(c.half_height) && size(c.radius),
        ColliderShape::Cuboid(cuboid) => cuboid.half_extents.iter().all(|v| size(*v)),
        ColliderShape::Capsule(c) => point(c.begin) && point(c.end) && size(c.radius),
        ColliderShape::Segment(s) => point(s.begin) && point(s.end),
        ColliderShape::Triangle(t) => point(t.a) && point(t.b) && point(t.c),
        ColliderShape::Trimesh(_)
        | ColliderShape::Polyhedron(_)
        | ColliderShape::Heightfield(_) => true,
    }
}

/// The meshes of some nodes: as they are when they stand still, their hull when they move, because
/// a moving triangle mesh neither stacks nor sleeps.
fn triangle_mesh(
    sources: impl Iterator<Item = Handle<Node>>,
    from_world: &Matrix4<f32>,
    graph: &Graph,
    moving: bool,
) -> Option<SharedShape> {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for source in sources {
        if let Ok(mesh) = graph.try_get_of_type::<Mesh>(source) {
            let transform = from_world * world_matrix(graph, source);
            append(mesh, &transform, &mut points, &mut triangles);
        }
    }
    if !points.iter().all(|p: &Vec3| p.is_finite()) {
        return None;
    }
    if moving {
        let points = fracture_geometry::hull_points(points.iter().map(|p| p.to_array()), 64);
        let points: Vec<_> = points.into_iter().map(Vec3::from_array).collect();
        return hull(&points);
    }
    triangles.retain(|t: &[u32; 3]| t.iter().all(|v| (*v as usize) < points.len()));
    if triangles.is_empty() {
        return None;
    }
    // With known insides debris is pushed out again when it has got in, and slides over edges.
    let solid = TriMeshFlags::FIX_INTERNAL_EDGES;
    let oriented = SharedShape::trimesh_with_flags(points.clone(), triangles.clone(), solid);
    oriented
        .or_else(|_| SharedShape::trimesh(points, triangles))
        .ok()
}

/// The hull of some points, or nothing where there is none: fewer than four, or all in a plane.
fn hull(points: &[Vec3]) -> Option<SharedShape> {
    let (points, triangles) = rapier3d::parry::transformation::try_convex_hull(points).ok()?;
    SharedShape::convex_mesh(points, &triangles)
}

fn append(
    mesh: &Mesh,
    transform: &Matrix4<f32>,
    points: &mut Vec<Vec3>,
    triangles: &mut Vec<[u32; 3]>,
) {
    for surface in mesh.surfaces() {
        let data = surface.data_ref();
        if !data.is_ok() {
            continue;
        }
        let data = data.data_ref();
        let Some(data) = data
            .as_loaded_ref()
            .filter(|d| has_positions(&d.vertex_buffer))
        else {
            continue;
        };
        let first = points.len() as u32;
        for vertex in data.vertex_buffer.iter() {
            let position = vertex.read_3_f32(VertexAttributeUsage::Position);
            let position = Point3::from(position.unwrap_or_default());
            points.push(vec3(transform.transform_point(&position).coords));
        }
        let shifted = |t: [u32; 3]| t.map(|v| v.saturating_add(first));
        triangles.extend(data.geometry_buffer.iter().map(|t| shifted(t.0)));
    }
}

/// A terrain's chunks as one height field. Each chunk's height map has a border of one texel
/// around it, and neighbours share their last row.
fn height_field(terrain: &Terrain) -> Option<SharedShape> {
    let chunks = terrain.chunks_ref();
    let scale = terrain.local_transform().scale();
    let size = terrain.height_map_size();
    if size.x < 4 || size.y < 4 {
        return None; // not a single square between the borders
    }
    let inner = Vector2::new(size.x - 3, size.y - 3);
    let low = chunks
        .iter()
        .map(Chunk::grid_position)
        .reduce(|a, b| a.inf(&b))?;
    let high = chunks
        .iter()
        .map(Chunk::grid_position)
        .reduce(|a, b| a.sup(&b))?;
    let count = (high - low).map(|v| v as u32 + 1);
    let rows = (inner.y * count.y + 1) as usize;
    let columns = (inner.x * count.x + 1) as usize;
    let mut heights = vec![0.0; rows * columns];
    for chunk in chunks {
        let origin = (chunk.grid_position() - low)
            .map(|v| v as u32)
            .component_mul(&inner);
        let texture = chunk.heightmap();
        if !texture.is_ok() {
            return None;
        }
        let texture = texture.data_ref();
        let texels = texture.as_loaded_ref()?.data_of_type::<f32>()?;
        for y in 0..=inner.y {
            for x in 0..=inner.x {
                let texel = texels.get(((y + 1) * size.x + x + 1) as usize)?;
                let slot = (origin.x + x) as usize * rows + (origin.y + y) as usize;
                *heights.get_mut(slot)? = texel * scale.y;
            }
        }
    }
    let extent = Vec3::new(
        terrain.chunk_size().x * scale.x * count.x as f32,
        1.0,
        terrain.chunk_size().y * scale.z * count.y as f32,
    );
    let field = HeightField::new(Array2::new(rows, columns, heights), extent);
    Some(SharedShape::new(field))
}
