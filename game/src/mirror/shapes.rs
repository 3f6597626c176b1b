//! The engine's collider shapes as shapes of the debris world.
//!
//! The engine has the same conversion, but keeps it to itself, runs a convex decomposition for
//! every polyhedron and panics on some terrains.

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
            buffer::{VertexAttributeUsage, VertexReadTrait},
            surface::SurfaceResource,
            Mesh,
        },
        terrain::{Chunk, Terrain},
    },
};
use rapier3d::{
    math::Vec3,
    parry::{
        shape::{HeightField, HeightFieldCellStatus, TriMeshFlags},
        utils::Array2,
    },
    prelude::SharedShape,
};

/// What of a terrain's mask is less than this is a hole, as the engine has it.
const HOLE: u8 = 128;

/// A shape, or how to make it where there is time.
pub(crate) enum ShapeSource {
    /// A primitive.
    Ready(SharedShape),
    /// From meshes or a terrain; to be made on a worker.
    Later(Box<dyn FnOnce() -> Option<SharedShape> + Send>),
}

impl ShapeSource {
    /// The shape; made now when it is not there.
    pub fn make(self) -> Option<SharedShape> {
        match self {
            Self::Ready(shape) => Some(shape),
            Self::Later(make) => make(),
        }
    }
}

/// Converts a collider's shape now; `from_world` takes world space to the collider's space.
///
/// `None` for a shape that has no extent: nothing to bump into.
pub(crate) fn shared_shape(
    shape: &ColliderShape,
    from_world: &Matrix4<f32>,
    graph: &Graph,
    moving: bool,
) -> Option<SharedShape> {
    shape_source(shape, from_world, graph, moving)?.make()
}

/// The same, leaving what takes long for later.
pub(crate) fn shape_source(
    shape: &ColliderShape,
    from_world: &Matrix4<f32>,
    graph: &Graph,
    moving: bool,
) -> Option<ShapeSource> {
    if !is_sound(shape) {
        return None;
    }
    let meshes = |sources: &[GeometrySource]| {
        let surfaces = surfaces(sources, from_world, graph);
        let make = move || triangle_mesh(&surfaces, moving);
        ShapeSource::Later(Box::new(make))
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
        // What stands still keeps its hollows; the engine decomposes it for the same reason.
        ColliderShape::Polyhedron(polyhedron) => {
            return Some(meshes(std::slice::from_ref(&polyhedron.geometry_source)))
        }
        ColliderShape::Heightfield(field) => {
            let terrain = graph.try_get_of_type::<Terrain>(field.geometry_source.0);
            let relief = TerrainGrid::of(terrain.ok()?)?;
            let make = move || relief.height_field();
            return Some(ShapeSource::Later(Box::new(make)));
        }
    }))
}

/// Whether the meshes or textures that a shape is made of are still being loaded.
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

/// The surfaces of some mesh nodes and where they are in the collider's space.
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

/// Some meshes: as they are when they stand still, their hull when they move, because a moving
/// triangle mesh neither stacks nor sleeps.
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
        let points =
            fracture_geometry::hulls::support_points(points.iter().map(|p| p.to_array()), 64);
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
    surface: &SurfaceResource,
    transform: &Matrix4<f32>,
    points: &mut Vec<Vec3>,
    triangles: &mut Vec<[u32; 3]>,
) {
    if !surface.is_ok() {
        return;
    }
    let data = surface.data_ref();
    let Some(data) = data
        .as_loaded_ref()
        .filter(|d| has_positions(&d.vertex_buffer))
    else {
        return;
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

/// A terrain as far as its shape goes.
struct TerrainGrid {
    /// Where each chunk is in the grid, and its heights.
    chunks: Vec<(Vector2<i32>, TextureResource)>,
    /// Texels of a chunk.
    texels: Vector2<u32>,
    chunk_size: Vector2<f32>,
    scale: Vector3<f32>,
    /// Where each chunk with holes is in the grid, and its mask.
    holes: Vec<(Vector2<i32>, TextureResource)>,
}

impl TerrainGrid {
    fn of(terrain: &Terrain) -> Option<Self> {
        let texels = terrain.height_map_size();
        let chunks = terrain.chunks_ref().iter();
        let chunks = chunks.map(|chunk| (chunk.grid_position(), chunk.heightmap().clone()));
        // Smaller is not a single square between the borders.
        (texels.x >= 4 && texels.y >= 4).then(|| Self {
            chunks: chunks.collect(),
            texels,
            chunk_size: terrain.chunk_size(),
            scale: **terrain.local_transform().scale(),
            holes: holes(terrain),
        })
    }

    /// The chunks as one height field. Each chunk's height map has a border of one texel around it,
    /// and neighbours share their last row.
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

/// The masks of a terrain's holes.
fn holes(terrain: &Terrain) -> Vec<(Vector2<i32>, TextureResource)> {
    let chunks = terrain
        .chunks_ref()
        .iter()
        .filter(|_| terrain.holes_enabled());
    let mask = |chunk: &Chunk| Some((chunk.grid_position(), chunk.hole_mask()?.clone()));
    chunks.filter_map(mask).collect()
}

/// Takes squares out of a field of heights; one is a hole where the mask is less than half. A mask of
/// another size than the chunk is left out of account.
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
    for ((x, y), _) in squares.zip(texels).filter(|(_, texel)| **texel < HOLE) {
        let (row, column) = ((origin.y + y) as usize, (origin.x + x) as usize);
        if row < field.nrows() && column < field.ncols() {
            field.set_cell_status(row, column, HeightFieldCellStatus::CELL_REMOVED);
        }
    }
}
