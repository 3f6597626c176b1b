//! Reads engine surfaces into one mesh.

use super::{
    carried::{append_carried, is_common_color},
    vertex_transform::VertexTransform,
    vertex_values::{any_tangent, unit, WHITE},
};
use fracture_geometry::Mesh;
use fyrox::{
    core::{
        algebra::{Matrix4, Point3, Vector3},
        math::TriangleDefinition,
        pool::Handle,
    },
    scene::{
        mesh::{
            buffer::{
                VertexAttributeDataType, VertexAttributeUsage as Usage, VertexBuffer,
                VertexReadTrait,
            },
            surface::SurfaceResource,
        },
        node::Node,
    },
};
use std::sync::Arc;
use thiserror::Error;

/// A surface of a mesh node, with its transform to body space.
#[derive(Clone, Debug)]
pub struct SourceSurface {
    /// Name of the mesh node, for error messages.
    pub node: String,
    /// The engine's vertices and triangles.
    pub data: SurfaceResource,
    /// Mesh node space to body space, scale included.
    pub transform: Matrix4<f32>,
    /// Surface id of its triangles in the [`Mesh`].
    pub surface: u32,
    /// The bones that move its vertices in place of the transform; `None` of a surface without bones.
    pub skin: Option<Skin>,
}

/// The bones of a skinned surface, in a pose.
#[derive(Clone, Debug)]
pub struct Skin {
    /// The nodes of the bones, by the indices that vertices have.
    pub bones: Vec<Handle<Node>>,
    /// By bone: the space in which the mesh was bound to body space.
    pub matrices: Arc<[Matrix4<f32>]>,
}

/// Reason why engine surfaces cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ConversionError {
    /// The surface failed to load, or is still being loaded.
    #[error("the surface of mesh node \"{node}\" is not loaded; check its model file")]
    NotLoaded {
        /// The mesh node.
        node: String,
    },
    /// Positions are missing, or not stored as three 32-bit floats.
    #[error("mesh node \"{node}\" has no positions as three 32-bit floats; re-export the model with them")]
    Positions {
        /// The mesh node.
        node: String,
    },
}

/// Reads surfaces into one mesh in body space.
///
/// Normals are transformed by the inverse transpose of the transform. A mirroring transform flips the
/// triangles, so that they stay counter-clockwise seen from outside. Missing attributes are filled in:
/// normals from the triangles, tangents perpendicular to the normals, texture coordinates zero, colours
/// white. Further texture coordinates and custom attributes are carried as they are, and are zero where a surface has none; colours are white there.
pub fn read_surfaces(sources: &[SourceSurface]) -> Result<Mesh, ConversionError> {
    let mut mesh = Mesh::default();
    for source in sources {
        append(&mut mesh, source)?;
    }
    // Colours are rare, and white ones would only take memory.
    if mesh.colors.iter().all(|c| *c == WHITE) {
        mesh.colors = Vec::new();
    }
    Ok(mesh)
}

fn append(mesh: &mut Mesh, source: &SourceSurface) -> Result<(), ConversionError> {
    let node = || source.node.clone();
    if !source.data.is_ok() {
        return Err(ConversionError::NotLoaded { node: node() });
    }
    // The resource is locked only while it is copied, because the renderer may need it.
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
    append_vertices(mesh, &vertices, source);
    append_carried(mesh, &vertices, first);
    append_triangles(mesh, &triangles, first, source);
    if !has(&vertices, Usage::Normal, 3) {
        compute_normals(mesh, first, mesh.triangles.len() - triangles.len());
    }
    if !has(&vertices, Usage::Tangent, 4) {
        for (tangent, normal) in mesh.tangents.iter_mut().zip(&mesh.normals).skip(first) {
            *tangent = any_tangent(*normal);
        }
    }
    Ok(())
}

fn append_vertices(mesh: &mut Mesh, vertices: &VertexBuffer, source: &SourceSurface) {
    let transform = VertexTransform::new(source.transform);
    let has_bones = has(vertices, Usage::BoneWeight, 4)
        && has_attribute(vertices, Usage::BoneIndices, VertexAttributeDataType::U8, 4);
    let skin = source.skin.as_ref().filter(|_| has_bones);
    let (normals, tangents) = (
        has(vertices, Usage::Normal, 3),
        has(vertices, Usage::Tangent, 4),
    );
    let uvs = has_coordinates(vertices);
    let colors = vertices.layout().iter().any(is_common_color)
        && has_attribute(vertices, Usage::Color, VertexAttributeDataType::U8, 4);
    for vertex in vertices.iter() {
        let by_bones = skin.and_then(|skin| VertexTransform::by_bones(&skin.matrices, &vertex));
        let transform = by_bones.as_ref().unwrap_or(&transform);
        let vec3 = |usage| vertex.read_3_f32(usage).unwrap_or_default();
        let position = transform
            .matrix
            .transform_point(&Point3::from(vec3(Usage::Position)));
        mesh.positions.push(position.coords.into());
        let normal = if normals {
            unit(transform.normal * vec3(Usage::Normal))
        } else {
            Vector3::y()
        };
        mesh.normals.push(normal.into());
        let tangent = vertex
            .read_4_f32(Usage::Tangent)
            .ok()
            .filter(|_| tangents)
            .unwrap_or_default();
        let along = unit(transform.linear * tangent.xyz());
        mesh.tangents
            .push([along.x, along.y, along.z, tangent.w * transform.mirror]);
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
    let bone = source.skin.as_ref().and_then(|skin| skin.matrices.first());
    let matrix = bone.unwrap_or(&source.transform);
    let mirrored = matrix.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
    let first = u32::try_from(first).unwrap_or(u32::MAX);
    for triangle in triangles {
        let [a, b, c] = triangle.0.map(|v| v.saturating_add(first));
        mesh.triangles
            .push(if mirrored { [a, c, b] } else { [a, b, c] });
        mesh.surfaces.push(source.surface);
    }
}

/// Computes area-weighted normals of the vertices from `first_vertex` on.
fn compute_normals(mesh: &mut Mesh, first_vertex: usize, first_triangle: usize) {
    let mut sums = vec![Vector3::<f32>::zeros(); mesh.positions.len() - first_vertex];
    for triangle in mesh.triangles.iter().skip(first_triangle) {
        let corner = |v: u32| mesh.positions.get(v as usize).map(|p| Vector3::from(*p));
        let [a, b, c] = triangle.map(corner);
        let (Some(a), Some(b), Some(c)) = (a, b, c) else {
            continue; // an invalid index is refused later
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

/// Whether all positions of a buffer can be read.
pub(crate) fn has_positions(vertices: &VertexBuffer) -> bool {
    let bytes = vertices.vertex_count() as usize * usize::from(vertices.vertex_size());
    has(vertices, Usage::Position, 3) && vertices.raw_data().len() >= bytes
}

/// Whether vertices have texture coordinates.
pub(crate) fn has_coordinates(vertices: &VertexBuffer) -> bool {
    has(vertices, Usage::TexCoord0, 2)
}

/// Whether vertices have colours of any kind.
pub(crate) fn has_colors(vertices: &VertexBuffer) -> bool {
    let mut layout = vertices.layout().iter();
    layout.any(|attribute| attribute.usage == Usage::Color)
}

/// Whether the vertices have an attribute of at least `components` floats.
fn has(vertices: &VertexBuffer, usage: Usage, components: u8) -> bool {
    has_attribute(vertices, usage, VertexAttributeDataType::F32, components)
}

/// Whether the layout has an attribute with at least the given components, within the vertex.
fn has_attribute(
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
