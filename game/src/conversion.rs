//! Engine surfaces to flat arrays and back. Everything here is meant for the worker.

use fracture_geometry::Mesh;
use fyrox::{
    asset::untyped::ResourceKind,
    core::{
        algebra::{Matrix3, Matrix4, Point3, Vector2, Vector3, Vector4},
        math::TriangleDefinition,
        uuid::Uuid,
    },
    scene::mesh::{
        buffer::{
            TriangleBuffer, VertexAttributeDataType, VertexAttributeDescriptor,
            VertexAttributeUsage as Usage, VertexBuffer, VertexReadTrait, VertexTrait,
        },
        surface::{SurfaceData, SurfaceResource},
        vertex::StaticVertex,
    },
};
use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicU64, Ordering},
        OnceLock,
    },
};
use thiserror::Error;

/// A surface of a mesh node, and how it lies in the rigid body.
#[derive(Clone, Debug)]
pub struct SourceSurface {
    /// Name of the mesh node, for messages.
    pub node: String,
    /// The engine's vertices and triangles.
    pub data: SurfaceResource,
    /// Mesh node space to body space, scale included.
    pub transform: Matrix4<f32>,
    /// The surface its triangles get in the [`Mesh`].
    pub surface: u32,
}

/// Why engine surfaces cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ConversionError {
    /// Loading failed, or has not ended.
    #[error("the surface of mesh node \"{node}\" is not loaded; check its model file")]
    NotLoaded {
        /// The mesh node.
        node: String,
    },
    /// Positions in a format other than three 32-bit floats.
    #[error("mesh node \"{node}\" has no positions as three 32-bit floats; re-export the model with them")]
    Positions {
        /// The mesh node.
        node: String,
    },
}

/// Reads surfaces into one mesh in body space.
///
/// Normals follow the inverse transpose of the transform, and a mirroring one turns the triangles
/// over, so that they stay counter-clockwise seen from outside. Attributes that a surface lacks are
/// made up: normals from the triangles, tangents across the normal, texture coordinates zero,
/// colours white.
pub fn read_surfaces(sources: &[SourceSurface]) -> Result<Mesh, ConversionError> {
    let mut mesh = Mesh::default();
    for source in sources {
        append(&mut mesh, source)?;
    }
    // Colours are rare: none at all is better than white everywhere.
    if mesh.colors.iter().all(|c| *c == WHITE) {
        mesh.colors = Vec::new();
    }
    Ok(mesh)
}

/// Builds the engine's surfaces of a mesh, by ascending surface id.
pub fn write_surfaces(mesh: &Mesh) -> BTreeMap<u32, SurfaceResource> {
    let mut numbers = vec![u32::MAX; mesh.positions.len()];
    let surfaces = counted(mesh).into_iter();
    let built = surfaces.filter_map(|(surface, count)| {
        let part = Part::of(mesh, (surface, count), &mut numbers);
        Some((surface, part.build(mesh)?))
    });
    built.collect()
}

/// The surfaces in use, ascending, and how many triangles each has.
fn counted(mesh: &Mesh) -> Vec<(u32, usize)> {
    if mesh.surfaces.is_empty() {
        let all = mesh.triangles.len();
        return Some((0, all)).filter(|_| all > 0).into_iter().collect();
    }
    let mut counts: Vec<(u32, usize)> = Vec::new();
    let surfaces = (0..mesh.triangles.len()).map(|triangle| mesh.surface(triangle));
    for surface in surfaces {
        // Triangles are mostly in the order of their surfaces, and those are few.
        match counts.iter_mut().rev().find(|(known, _)| *known == surface) {
            Some((_, count)) => *count += 1,
            None => counts.push((surface, 1)),
        }
    }
    counts.sort_unstable();
    counts
}

const WHITE: [f32; 4] = [1.0; 4];

fn append(mesh: &mut Mesh, source: &SourceSurface) -> Result<(), ConversionError> {
    let node = || source.node.clone();
    if !source.data.is_ok() {
        return Err(ConversionError::NotLoaded { node: node() });
    }
    // The resource is locked for a copy only: the renderer may want it at the same time.
    let (vertices, triangles) = {
        let data = source.data.data_ref();
        let Some(data) = data.as_loaded_ref() else {
            return Err(ConversionError::NotLoaded { node: node() });
        };
        (
            data.vertex_buffer.clone(),
            data.geometry_buffer.triangles_ref().to_vec(),
        )
    };
    if !has_positions(&vertices) {
        return Err(ConversionError::Positions { node: node() });
    }
    let first = mesh.positions.len();
    append_vertices(mesh, &vertices, &source.transform);
    append_triangles(mesh, &triangles, first, source);
    if !has(&vertices, Usage::Normal, 3) {
        make_normals(mesh, first, mesh.triangles.len() - triangles.len());
    }
    if !has(&vertices, Usage::Tangent, 4) {
        for (tangent, normal) in mesh.tangents.iter_mut().zip(&mesh.normals).skip(first) {
            *tangent = any_tangent(*normal);
        }
    }
    Ok(())
}

fn append_vertices(mesh: &mut Mesh, vertices: &VertexBuffer, transform: &Matrix4<f32>) {
    let linear: Matrix3<f32> = transform.fixed_view::<3, 3>(0, 0).into_owned();
    // A flattened mesh has no volume and is refused later; its normals do not matter.
    let normal_matrix = linear
        .try_inverse()
        .unwrap_or_else(Matrix3::identity)
        .transpose();
    let mirror = if linear.determinant() < 0.0 {
        -1.0
    } else {
        1.0
    };
    let (normals, tangents) = (
        has(vertices, Usage::Normal, 3),
        has(vertices, Usage::Tangent, 4),
    );
    let uvs = has(vertices, Usage::TexCoord0, 2);
    let colors = has_bytes(vertices, Usage::Color);
    for vertex in vertices.iter() {
        let vec3 = |usage| vertex.read_3_f32(usage).unwrap_or_default();
        let position = transform.transform_point(&Point3::from(vec3(Usage::Position)));
        mesh.positions.push(position.coords.into());
        let normal = if normals {
            unit(normal_matrix * vec3(Usage::Normal))
        } else {
            Vector3::y()
        };
        mesh.normals.push(normal.into());
        let tangent = vertex
            .read_4_f32(Usage::Tangent)
            .ok()
            .filter(|_| tangents)
            .unwrap_or_default();
        let along = unit(linear * tangent.xyz());
        mesh.tangents
            .push([along.x, along.y, along.z, tangent.w * mirror]);
        let uv = vertex.read_2_f32(Usage::TexCoord0).ok().filter(|_| uvs);
        mesh.uvs.push(uv.unwrap_or_default().into());
        let color = vertex.read_4_u8(Usage::Color).ok().filter(|_| colors);
        mesh.colors
            .push(color.map_or(WHITE, |c| c.map(|v| f32::from(v) / 255.0).into()));
    }
}

fn append_triangles(
    mesh: &mut Mesh,
    triangles: &[TriangleDefinition],
    first: usize,
    source: &SourceSurface,
) {
    let mirrored = source.transform.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
    let first = u32::try_from(first).unwrap_or(u32::MAX);
    for triangle in triangles {
        let [a, b, c] = triangle.0.map(|v| v.saturating_add(first));
        mesh.triangles
            .push(if mirrored { [a, c, b] } else { [a, b, c] });
        mesh.surfaces.push(source.surface);
    }
}

/// Area-weighted normals for the vertices and triangles from the given ones on.
fn make_normals(mesh: &mut Mesh, first_vertex: usize, first_triangle: usize) {
    let mut sums = vec![Vector3::<f32>::zeros(); mesh.positions.len() - first_vertex];
    for triangle in mesh.triangles.iter().skip(first_triangle) {
        let corner = |v: u32| mesh.positions.get(v as usize).map(|p| Vector3::from(*p));
        let [a, b, c] = triangle.map(corner);
        let (Some(a), Some(b), Some(c)) = (a, b, c) else {
            continue; // refused later, with the index
        };
        let area = (b - a).cross(&(c - a));
        for vertex in triangle {
            if let Some(sum) = sums.get_mut(*vertex as usize - first_vertex) {
                *sum += area;
            }
        }
    }
    for (normal, sum) in mesh.normals.iter_mut().skip(first_vertex).zip(sums) {
        *normal = unit(sum).into();
    }
}

/// A unit vector; +y when there is no direction.
fn unit(v: Vector3<f32>) -> Vector3<f32> {
    v.try_normalize(f32::MIN_POSITIVE)
        .unwrap_or_else(Vector3::y)
}

/// Some tangent across a normal.
fn any_tangent(normal: [f32; 3]) -> [f32; 4] {
    let normal = Vector3::from(normal);
    let aside = if normal.x.abs() < 0.9 {
        Vector3::x()
    } else {
        Vector3::y()
    };
    let tangent = unit(aside - normal * normal.dot(&aside));
    [tangent.x, tangent.y, tangent.z, 1.0]
}

/// Whether a buffer holds positions that can be read, all of them.
pub(crate) fn has_positions(vertices: &VertexBuffer) -> bool {
    let bytes = vertices.vertex_count() as usize * usize::from(vertices.vertex_size());
    has(vertices, Usage::Position, 3) && vertices.raw_data().len() >= bytes
}

fn has(vertices: &VertexBuffer, usage: Usage, components: u8) -> bool {
    holds(vertices, usage, VertexAttributeDataType::F32, components)
}

fn has_bytes(vertices: &VertexBuffer, usage: Usage) -> bool {
    holds(vertices, usage, VertexAttributeDataType::U8, 4)
}

/// Whether an attribute is there in at least the given format, inside the vertex.
fn holds(
    vertices: &VertexBuffer,
    usage: Usage,
    kind: VertexAttributeDataType,
    components: u8,
) -> bool {
    vertices.layout().iter().any(|attribute| {
        let end = u32::from(attribute.offset) + u32::from(components) * u32::from(kind.size());
        attribute.usage == usage
            && attribute.data_type == kind
            && attribute.size >= components
            && end <= u32::from(vertices.vertex_size())
    })
}

/// The triangles of one surface, with vertices of their own.
struct Part {
    vertices: Vec<u32>,
    triangles: Vec<TriangleDefinition>,
}

impl Part {
    /// The `count` triangles of a surface. `numbers` is scratch: one for each vertex of the mesh, all
    /// `u32::MAX` before and after. Triangles with corners that are not there are left out.
    fn of(mesh: &Mesh, (surface, count): (u32, usize), numbers: &mut [u32]) -> Self {
        let most = numbers.len().min(3 * count);
        let mut part = Self {
            vertices: Vec::with_capacity(most),
            triangles: Vec::with_capacity(count),
        };
        for (index, triangle) in mesh.triangles.iter().enumerate() {
            if mesh.surface(index) == surface {
                part.push(*triangle, numbers);
            }
        }
        for vertex in &part.vertices {
            if let Some(number) = numbers.get_mut(*vertex as usize) {
                *number = u32::MAX;
            }
        }
        part
    }

    fn push(&mut self, triangle: [u32; 3], numbers: &mut [u32]) {
        if triangle.iter().any(|v| *v as usize >= numbers.len()) {
            return;
        }
        let corners = triangle.map(|v| self.vertex(v, numbers));
        self.triangles.push(TriangleDefinition(corners));
    }

    fn vertex(&mut self, vertex: u32, numbers: &mut [u32]) -> u32 {
        let next = self.vertices.len() as u32;
        let number = numbers.get_mut(vertex as usize);
        match number {
            Some(number) if *number == u32::MAX => {
                *number = next;
                self.vertices.push(vertex);
                next
            }
            Some(number) => *number,
            None => next,
        }
    }

    fn build(self, mesh: &Mesh) -> Option<SurfaceResource> {
        let count = self.vertices.len();
        let mut plain = Vec::with_capacity(count);
        plain.extend(
            self.vertices
                .iter()
                .map(|v| static_vertex(mesh, *v as usize)),
        );
        let buffer = if mesh.colors.is_empty() {
            VertexBuffer::new(count, plain)
        } else {
            let color = |v: &u32| mesh.colors.get(*v as usize).copied().unwrap_or(WHITE);
            let colors = self.vertices.iter().map(color);
            let colored = plain.into_iter().zip(colors);
            let colored = colored.map(|(base, color)| ColoredVertex {
                base,
                color: color.map(|v| (v.clamp(0.0, 1.0) * 255.0).round() as u8),
            });
            VertexBuffer::new(count, colored.collect())
        };
        let data = SurfaceData::new(buffer.ok()?, TriangleBuffer::new(self.triangles));
        Some(SurfaceResource::new_ok(
            fresh_uuid(),
            ResourceKind::Embedded,
            data,
        ))
    }
}

/// A number that no other resource has. The engine asks the system for each, which takes longer than
/// all else about a small surface.
fn fresh_uuid() -> Uuid {
    static FIRST: OnceLock<u128> = OnceLock::new();
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let first = FIRST.get_or_init(|| Uuid::new_v4().as_u128());
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    Uuid::from_u128(first.wrapping_add(u128::from(next)))
}

fn static_vertex(mesh: &Mesh, v: usize) -> StaticVertex {
    let normal = mesh.normals.get(v).copied().unwrap_or([0.0, 1.0, 0.0]);
    let tangent = mesh.tangents.get(v).copied();
    let position = mesh.positions.get(v).copied();
    StaticVertex {
        position: position.map_or_else(Vector3::zeros, Vector3::from),
        tex_coord: mesh
            .uvs
            .get(v)
            .map_or_else(Vector2::zeros, |uv| Vector2::from(*uv)),
        normal: Vector3::from(normal),
        tangent: Vector4::from(tangent.unwrap_or_else(|| any_tangent(normal))),
    }
}

/// What the engine's standard vertex lacks: a colour.
#[derive(Clone, Copy)]
#[repr(C)]
struct ColoredVertex {
    base: StaticVertex,
    color: [u8; 4],
}

impl VertexTrait for ColoredVertex {
    fn layout() -> &'static [VertexAttributeDescriptor] {
        const fn attribute(
            usage: Usage,
            data_type: VertexAttributeDataType,
            size: u8,
            shader_location: u8,
        ) -> VertexAttributeDescriptor {
            VertexAttributeDescriptor {
                usage,
                data_type,
                size,
                divisor: 0,
                shader_location,
                normalized: matches!(data_type, VertexAttributeDataType::U8),
            }
        }
        const F32: VertexAttributeDataType = VertexAttributeDataType::F32;
        // The first four as in the engine's static vertex; 6 is where its shaders leave room.
        static LAYOUT: [VertexAttributeDescriptor; 5] = [
            attribute(Usage::Position, F32, 3, 0),
            attribute(Usage::TexCoord0, F32, 2, 1),
            attribute(Usage::Normal, F32, 3, 2),
            attribute(Usage::Tangent, F32, 4, 3),
            attribute(Usage::Color, VertexAttributeDataType::U8, 4, 6),
        ];
        &LAYOUT
    }
}
