//! Converts the engine's collider shapes to shapes of the debris world.
//!
//! The engine's own conversion is private, runs a convex decomposition for every polyhedron and panics on
//! some terrains.

use crate::{
    mirror::transforms::{vec3, world_matrix},
    object::conversion::has_positions,
};
use fyrox::{
    core::algebra::{Matrix4, Point3, Vector2, Vector3},
    graph::SceneGraph,
    resource::texture::TextureResource,
    scene::{
        collider::{ColliderShape, GeometrySource},
        graph::Graph,
        mesh::{
            buffer::{VertexAttributeUsage, VertexReadTrait, VertexViewRef},
            surface::{SurfaceData, SurfaceResource},
            Mesh,
        },
        terrain::{Chunk, Terrain},
    },
};
use rapier3d::{
    math::Vec3,
    parry::{
        bounding_volume::{Aabb, BoundingVolume},
        shape::{HeightField, HeightFieldCellStatus, TriMeshFlags},
        utils::Array2,
    },
    prelude::SharedShape,
};

/// Texels of a terrain's hole mask below this value are holes, as in the engine.
const HOLE_THRESHOLD: u8 = 128;

/// Vertices of a mesh collider that its mass is computed from at most. With fewer the mass of a dense mesh is less
/// exact, with more a contact takes longer.
const MAX_MASS_VERTICES: usize = 2048;

/// A shape, or a closure that builds it.
pub(crate) enum ShapeSource {
    /// A primitive shape.
    Ready(SharedShape),
    /// Built from meshes or a terrain, on a worker.
    Deferred(Box<dyn FnOnce() -> Option<SharedShape> + Send>),
}

impl ShapeSource {
    /// Returns the shape, and builds it now if it is deferred.
    pub fn build(self) -> Option<SharedShape> {
        match self {
            Self::Ready(shape) => Some(shape),
            Self::Deferred(build) => build(),
        }
    }
}

/// Converts the shape of a moving collider now, for its mass; `from_world` takes world space to the collider's
/// space. Of meshes it takes the convex hull of some vertices, so the time does not grow with them.
///
/// `None` for a shape without a valid size, and for a terrain.
pub(crate) fn shape_of_mass(
    shape: &ColliderShape,
    from_world: &Matrix4<f32>,
    graph: &Graph,
) -> Option<SharedShape> {
    let sources = match shape {
        ColliderShape::Trimesh(trimesh) => trimesh.sources.as_slice(),
        ColliderShape::Polyhedron(polyhedron) => std::slice::from_ref(&polyhedron.geometry_source),
        ColliderShape::Heightfield(_) => return None,
        _ => return shape_source(shape, from_world, graph, true)?.build(),
    };
    support_hull(&some_points(&surfaces(sources, from_world, graph)))
}

/// The box around a shape in its collider's space, of meshes around their own boxes; `None` as for
/// [`shape_of_mass`].
pub(crate) fn shape_box(
    shape: &ColliderShape,
    from_world: &Matrix4<f32>,
    graph: &Graph,
) -> Option<Aabb> {
    let sources = match shape {
        ColliderShape::Trimesh(trimesh) => trimesh.sources.as_slice(),
        ColliderShape::Polyhedron(polyhedron) => std::slice::from_ref(&polyhedron.geometry_source),
        // Without memory for a shape.
        ColliderShape::Ball(ball) if is_valid(shape) => {
            return Some(Aabb::from_half_extents(
                Vec3::ZERO,
                Vec3::splat(ball.radius),
            ));
        }
        ColliderShape::Cuboid(cuboid) if is_valid(shape) => {
            let half = vec3(cuboid.half_extents);
            return Some(Aabb::from_half_extents(Vec3::ZERO, half));
        }
        _ => return Some(shape_of_mass(shape, from_world, graph)?.compute_local_aabb()),
    };
    let boxes = sources.iter().filter_map(|source| {
        let mesh = graph.try_get_of_type::<Mesh>(source.0).ok()?;
        let transform = from_world * world_matrix(graph, source.0);
        let own = mesh.local_bounding_box().transform(&transform);
        let bounds = Aabb::new(vec3(own.min), vec3(own.max));
        let is_valid = bounds.mins.is_finite() && bounds.maxs.is_finite();
        (is_valid && bounds.mins.cmple(bounds.maxs).all()).then_some(bounds)
    });
    boxes.reduce(|all, own| all.merged(&own))
}

/// Converts a primitive shape now, and defers a shape built from meshes or a terrain. A `moving` mesh is
/// replaced by its convex hull.
pub(crate) fn shape_source(
    shape: &ColliderShape,
    from_world: &Matrix4<f32>,
    graph: &Graph,
    moving: bool,
) -> Option<ShapeSource> {
    if !is_valid(shape) {
        return None;
    }
    let meshes = |sources: &[GeometrySource]| {
        let surfaces = surfaces(sources, from_world, graph);
        let build = move || triangle_mesh(&surfaces, moving);
        ShapeSource::Deferred(Box::new(build))
    };
    Some(ShapeSource::Ready(match shape {
        ColliderShape::Ball(ball) => SharedShape::ball(ball.radius),
        ColliderShape::Cylinder(c) => SharedShape::cylinder(c.half_height, c.radius),
        ColliderShape::Cone(cone) => SharedShape::cone(cone.half_height, cone.radius),
        ColliderShape::Cuboid(cuboid) => {
            let half = cuboid.half_extents;
            SharedShape::cuboid(half.x, half.y, half.z)
        }
        ColliderShape::Capsule(c) => SharedShape::capsule(vec3(c.begin), vec3(c.end), c.radius),
        ColliderShape::Segment(s) => SharedShape::segment(vec3(s.begin), vec3(s.end)),
        ColliderShape::Triangle(t) => SharedShape::triangle(vec3(t.a), vec3(t.b), vec3(t.c)),
        ColliderShape::Trimesh(trimesh) => return Some(meshes(&trimesh.sources)),
        // A polyhedron that does not move keeps its concave parts, for which the engine decomposes it.
        ColliderShape::Polyhedron(polyhedron) => {
            return Some(meshes(std::slice::from_ref(&polyhedron.geometry_source)))
        }
        ColliderShape::Heightfield(field) => {
            let terrain = graph.try_get_of_type::<Terrain>(field.geometry_source.0);
            let grid = TerrainGrid::new(terrain.ok()?)?;
            let build = move || grid.height_field();
            return Some(ShapeSource::Deferred(Box::new(build)));
        }
    }))
}

/// Whether a shape is built from meshes or a terrain, which takes long.
pub(crate) fn is_built_from_meshes(shape: &ColliderShape) -> bool {
    matches!(
        shape,
        ColliderShape::Trimesh(_) | ColliderShape::Polyhedron(_) | ColliderShape::Heightfield(_)
    )
}

/// Whether meshes or textures that a shape is built from are still being loaded.
pub(crate) fn is_loading(shape: &ColliderShape, graph: &Graph) -> bool {
    let mesh = |source: &GeometrySource| {
        let mesh = graph.try_get_of_type::<Mesh>(source.0);
        mesh.is_ok_and(|mesh| mesh.surfaces().iter().any(|s| s.data_ref().is_loading()))
    };
    match shape {
        ColliderShape::Trimesh(trimesh) => trimesh.sources.iter().any(mesh),
        ColliderShape::Polyhedron(polyhedron) => mesh(&polyhedron.geometry_source),
        ColliderShape::Heightfield(field) => {
            let terrain = graph.try_get_of_type::<Terrain>(field.geometry_source.0);
            let loading = |chunk: &Chunk| {
                let mask = chunk.hole_mask().is_some_and(|mask| mask.is_loading());
                mask || chunk.heightmap().is_loading()
            };
            terrain.is_ok_and(|terrain| terrain.chunks_ref().iter().any(loading))
        }
        _ => false,
    }
}

/// Whether the points of a primitive are finite, and its sizes finite and not negative.
pub(crate) fn is_valid(shape: &ColliderShape) -> bool {
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

/// The surfaces of mesh nodes, each with its transform to the collider's space.
fn surfaces(
    sources: &[GeometrySource],
    from_world: &Matrix4<f32>,
    graph: &Graph,
) -> Vec<(SurfaceResource, Matrix4<f32>)> {
    let mut surfaces = Vec::new();
    for source in sources {
        if let Ok(mesh) = graph.try_get_of_type::<Mesh>(source.0) {
            let transform = from_world * world_matrix(graph, source.0);
            let own = mesh.surfaces().iter().map(|s| (s.data(), transform));
            surfaces.extend(own);
        }
    }
    surfaces
}

/// The shape of meshes: a triangle mesh, or their convex hull when they move, because a moving triangle
/// mesh neither stacks nor sleeps.
fn triangle_mesh(
    surfaces: &[(SurfaceResource, Matrix4<f32>)],
    moving: bool,
) -> Option<SharedShape> {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for (surface, transform) in surfaces {
        append(surface, transform, &mut points, &mut triangles);
    }
    if !points.iter().all(|p: &Vec3| p.is_finite()) {
        return None;
    }
    if moving {
        return support_hull(&points);
    }
    triangles.retain(|t: &[u32; 3]| t.iter().all(|v| (*v as usize) < points.len()));
    if triangles.is_empty() {
        return None;
    }
    // With pseudo-normals, debris that has penetrated is pushed out again, and slides over inner edges.
    let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
    let oriented = SharedShape::trimesh_with_flags(points.clone(), triangles.clone(), flags);
    oriented
        .or_else(|_| SharedShape::trimesh(points, triangles))
        .ok()
}

/// Some vertices of all surfaces: one of each group of as many in a row, and all of a mesh with few.
fn some_points(surfaces: &[(SurfaceResource, Matrix4<f32>)]) -> Vec<Vec3> {
    let count = |surface: &SurfaceResource| {
        with_positions(surface, |data| data.vertex_buffer.vertex_count() as usize)
    };
    let all: usize = surfaces.iter().filter_map(|(s, _)| count(s)).sum();
    let step = all.div_ceil(MAX_MASS_VERTICES).max(1);
    let mut points = Vec::new();
    for (surface, transform) in surfaces {
        with_positions(surface, |data| {
            let vertices = &data.vertex_buffer;
            let groups = (vertices.vertex_count() as usize).div_ceil(step);
            let chosen = (0..groups).filter_map(|group| vertices.get(one_of(group, step)));
            points.extend(chosen.map(place(transform)));
        });
    }
    points.retain(|point| point.is_finite());
    points
}

/// The index of one of `size` items of a group, another one in each: those at equal distances may lie in a plane.
fn one_of(group: usize, size: usize) -> usize {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let drawn = (group as u64).wrapping_mul(GOLDEN) >> 32;
    group * size + (drawn % size as u64) as usize
}

/// The convex hull of the points that are farthest in some directions.
fn support_hull(points: &[Vec3]) -> Option<SharedShape> {
    let points = points.iter().map(|point| point.to_array());
    let points = fracture_geometry::hulls::support_points(points, 64);
    let points: Vec<_> = points.into_iter().map(Vec3::from_array).collect();
    hull(&points)
}

/// The convex hull of points; `None` for fewer than four points, or points in one plane.
fn hull(points: &[Vec3]) -> Option<SharedShape> {
    let (points, triangles) = rapier3d::parry::transformation::try_convex_hull(points).ok()?;
    SharedShape::convex_mesh(points, &triangles)
}

fn append(
    surface: &SurfaceResource,
    transform: &Matrix4<f32>,
    points: &mut Vec<Vec3>,
    triangles: &mut Vec<[u32; 3]>,
) {
    with_positions(surface, |data| {
        let first = points.len() as u32;
        points.extend(data.vertex_buffer.iter().map(place(transform)));
        let shifted = |t: [u32; 3]| t.map(|v| v.saturating_add(first));
        triangles.extend(data.geometry_buffer.iter().map(|t| shifted(t.0)));
    });
}

/// Calls a function with the data of a surface; `None` for one that is not loaded or has no positions.
pub(crate) fn with_positions<R>(
    surface: &SurfaceResource,
    act: impl FnOnce(&SurfaceData) -> R,
) -> Option<R> {
    if !surface.is_ok() {
        return None;
    }
    let data = surface.data_ref();
    let data = data.as_loaded_ref();
    data.filter(|data| has_positions(&data.vertex_buffer))
        .map(act)
}

/// Reads and transforms the position of a vertex.
pub(crate) fn place(transform: &Matrix4<f32>) -> impl Fn(VertexViewRef<'_>) -> Vec3 + '_ {
    move |vertex| {
        let position = vertex.read_3_f32(VertexAttributeUsage::Position);
        let position = Point3::from(position.unwrap_or_default());
        vec3(transform.transform_point(&position).coords)
    }
}

/// The height maps of a terrain and their layout.
struct TerrainGrid {
    /// Each chunk's position in the grid, and its height map.
    chunks: Vec<(Vector2<i32>, TextureResource)>,
    /// Size of a chunk's height map in texels.
    texels: Vector2<u32>,
    chunk_size: Vector2<f32>,
    scale: Vector3<f32>,
    /// Position in the grid and hole mask of each chunk that has holes.
    holes: Vec<(Vector2<i32>, TextureResource)>,
}

impl TerrainGrid {
    /// `None` for height maps too small to have a square between their borders.
    fn new(terrain: &Terrain) -> Option<Self> {
        let texels = terrain.height_map_size();
        let chunks = terrain.chunks_ref().iter();
        let chunks = chunks.map(|chunk| (chunk.grid_position(), chunk.heightmap().clone()));
        (texels.x >= 4 && texels.y >= 4).then(|| Self {
            chunks: chunks.collect(),
            texels,
            chunk_size: terrain.chunk_size(),
            scale: **terrain.local_transform().scale(),
            holes: holes(terrain),
        })
    }

    /// Joins the chunks to one height field. Each chunk's height map has a border of one texel, and
    /// neighbours share their last row.
    fn height_field(&self) -> Option<SharedShape> {
        let places = || self.chunks.iter().map(|(place, _)| *place);
        let low = places().reduce(|a, b| a.inf(&b))?;
        let high = places().reduce(|a, b| a.sup(&b))?;
        let count = (high - low).map(|v| v as u32 + 1);
        let inner = Vector2::new(self.texels.x - 3, self.texels.y - 3);
        let rows = (inner.y * count.y + 1) as usize;
        let columns = (inner.x * count.x + 1) as usize;
        let mut heights = vec![0.0; rows * columns];
        for (place, texture) in &self.chunks {
            if !texture.is_ok() {
                return None;
            }
            let origin = (place - low).map(|v| v as u32).component_mul(&inner);
            let texture = texture.data_ref();
            let texels = texture.as_loaded_ref()?.data_of_type::<f32>()?;
            for y in 0..=inner.y {
                for x in 0..=inner.x {
                    let texel = texels.get(((y + 1) * self.texels.x + x + 1) as usize)?;
                    let slot = (origin.x + x) as usize * rows + (origin.y + y) as usize;
                    *heights.get_mut(slot)? = texel * self.scale.y;
                }
            }
        }
        let extent = Vec3::new(
            self.chunk_size.x * self.scale.x * count.x as f32,
            1.0,
            self.chunk_size.y * self.scale.z * count.y as f32,
        );
        let mut field = HeightField::new(Array2::new(rows, columns, heights), extent);
        for (place, mask) in &self.holes {
            let origin = (place - low).map(|v| v as u32).component_mul(&inner);
            cut_holes(&mut field, origin, inner, mask);
        }
        Some(SharedShape::new(field))
    }
}

/// The hole masks of a terrain's chunks.
fn holes(terrain: &Terrain) -> Vec<(Vector2<i32>, TextureResource)> {
    let chunks = terrain
        .chunks_ref()
        .iter()
        .filter(|_| terrain.holes_enabled());
    let mask = |chunk: &Chunk| Some((chunk.grid_position(), chunk.hole_mask()?.clone()));
    chunks.filter_map(mask).collect()
}

/// Removes the squares of a height field that a mask marks as holes. A mask of another size than the
/// chunk is ignored.
fn cut_holes(
    field: &mut HeightField,
    origin: Vector2<u32>,
    size: Vector2<u32>,
    mask: &TextureResource,
) {
    if !mask.is_ok() {
        return;
    }
    let mask = mask.data_ref();
    let texels = mask
        .as_loaded_ref()
        .and_then(|mask| mask.data_of_type::<u8>());
    let Some(texels) = texels.filter(|t| t.len() == (size.x * size.y) as usize) else {
        return;
    };
    let squares = (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y)));
    for ((x, y), _) in squares
        .zip(texels)
        .filter(|(_, texel)| **texel < HOLE_THRESHOLD)
    {
        let (row, column) = ((origin.y + y) as usize, (origin.x + x) as usize);
        if row < field.nrows() && column < field.ncols() {
            field.set_cell_status(row, column, HeightFieldCellStatus::CELL_REMOVED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mass_of_a_dense_mesh_follows_from_some_of_its_vertices() {
        for columns in [12, 60, 64, 128, 187, 300] {
            let sphere = SurfaceData::make_sphere(columns, columns, 0.5, &Matrix4::identity());
            let turned = Matrix4::new_scaling(2.0);
            let surfaces = [(SurfaceResource::new_embedded(sphere), turned)];
            let points = some_points(&surfaces);
            assert!(points.len() <= MAX_MASS_VERTICES);
            let mass = |shape: Option<SharedShape>| shape.unwrap().mass_properties(1.0).mass();
            let exact = mass(triangle_mesh(&surfaces, true));
            let found = mass(support_hull(&points));
            assert!(
                (found - exact).abs() < 0.03 * exact,
                "{columns}: {found} {exact}"
            );
        }
    }
}
