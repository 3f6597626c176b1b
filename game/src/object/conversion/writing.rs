//! Builds engine surfaces from a mesh.

use super::{
    carried::carrying_buffer,
    vertex_values::{any_tangent, WHITE},
};
use fracture_geometry::Mesh;
use fyrox::{
    asset::untyped::ResourceKind,
    core::{
        algebra::{Vector2, Vector3, Vector4},
        math::TriangleDefinition,
        uuid::Uuid,
    },
    scene::mesh::{
        buffer::{TriangleBuffer, VertexBuffer},
        surface::{SurfaceData, SurfaceResource},
        vertex::StaticVertex,
    },
};
use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{
        atomic::{AtomicU64, Ordering},
        OnceLock,
    },
};

/// Builds the engine's surfaces of a mesh, by ascending surface id.
pub fn write_surfaces(mesh: &Mesh) -> BTreeMap<u32, SurfaceResource> {
    let surfaces = SurfaceUse::all(mesh);
    let built: Vec<_> = if SurfaceUse::are_contiguous(&surfaces) {
        surfaces.iter().map(|own| build_run(mesh, own)).collect()
    } else {
        let mut remap = vec![UNMAPPED; mesh.positions.len()];
        let build = |own: &SurfaceUse| SurfaceSubset::new(mesh, own, &mut remap).build(mesh);
        surfaces.iter().map(build).collect()
    };
    let by_id = surfaces.iter().zip(built);
    by_id
        .filter_map(|(own, built)| Some((own.surface, built?)))
        .collect()
}

/// Entry of a vertex that the surface being built does not use yet.
const UNMAPPED: u32 = u32::MAX;

/// The triangles and vertices of a mesh that a surface uses.
struct SurfaceUse {
    surface: u32,
    /// Number of its triangles.
    triangles: usize,
    /// The range from its first to its last vertex.
    vertices: Range<u32>,
}

impl SurfaceUse {
    /// The uses of all surfaces, by ascending id. Triangles with invalid indices are counted, too.
    fn all(mesh: &Mesh) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for (index, corners) in mesh.triangles.iter().enumerate() {
            let surface = mesh.surface(index);
            let [first, last] = corners.iter().fold([u32::MAX, 0], |[first, last], corner| {
                [first.min(*corner), last.max(*corner)]
            });
            let end = last.saturating_add(1);
            // Triangles are mostly in the order of their surfaces, and those are few.
            match all.iter_mut().rev().find(|own| own.surface == surface) {
                Some(own) => {
                    own.triangles += 1;
                    own.vertices = own.vertices.start.min(first)..own.vertices.end.max(end);
                }
                None => all.push(Self {
                    surface,
                    triangles: 1,
                    vertices: first..end,
                }),
            }
        }
        all.sort_unstable_by_key(|own| own.surface);
        all
    }

    /// Whether each surface has a contiguous range of vertices for itself, without more vertices than its
    /// triangles can use.
    fn are_contiguous(all: &[Self]) -> bool {
        let is_dense = |own: &Self| own.vertices.len() <= 3 * own.triangles;
        let mut runs: Vec<&Range<u32>> = all.iter().map(|own| &own.vertices).collect();
        runs.sort_unstable_by_key(|run| run.start);
        all.iter().all(is_dense) && runs.windows(2).all(|pair| pair[0].end <= pair[1].start)
    }
}

/// The triangles of one surface, with renumbered vertices.
struct SurfaceSubset {
    /// Vertices of the mesh, in the order of their new remap.
    vertices: Vec<u32>,
    triangles: Vec<TriangleDefinition>,
}

impl SurfaceSubset {
    /// Collects the triangles of a surface, without those with invalid indices. `remap` is scratch memory:
    /// an entry for each vertex of the mesh, all [`UNMAPPED`] before and after.
    fn new(mesh: &Mesh, own: &SurfaceUse, remap: &mut [u32]) -> Self {
        let max_vertices = remap.len().min(3 * own.triangles);
        let mut part = Self {
            vertices: Vec::with_capacity(max_vertices),
            triangles: Vec::with_capacity(own.triangles),
        };
        for (index, triangle) in mesh.triangles.iter().enumerate() {
            if mesh.surface(index) == own.surface {
                part.push(*triangle, remap);
            }
        }
        for vertex in &part.vertices {
            if let Some(number) = remap.get_mut(*vertex as usize) {
                *number = UNMAPPED;
            }
        }
        part
    }

    fn push(&mut self, triangle: [u32; 3], remap: &mut [u32]) {
        if triangle.iter().any(|v| *v as usize >= remap.len()) {
            return;
        }
        let corners = triangle.map(|v| self.vertex(v, remap));
        self.triangles.push(TriangleDefinition(corners));
    }

    fn vertex(&mut self, vertex: u32, remap: &mut [u32]) -> u32 {
        let next = self.vertices.len() as u32;
        let number = remap.get_mut(vertex as usize);
        match number {
            Some(number) if *number == UNMAPPED => {
                *number = next;
                self.vertices.push(vertex);
                next
            }
            Some(number) => *number,
            None => next,
        }
    }

    fn build(self, mesh: &Mesh) -> Option<SurfaceResource> {
        build(mesh, self.vertices.into_iter(), self.triangles)
    }
}

/// Builds a surface with a contiguous range of vertices, without a search.
fn build_run(mesh: &Mesh, own: &SurfaceUse) -> Option<SurfaceResource> {
    let end = own.vertices.end.min(mesh.positions.len() as u32);
    let mut triangles = Vec::with_capacity(own.triangles);
    for (index, corners) in mesh.triangles.iter().enumerate() {
        if mesh.surface(index) == own.surface && corners.iter().all(|corner| *corner < end) {
            let corners = corners.map(|corner| corner - own.vertices.start);
            triangles.push(TriangleDefinition(corners));
        }
    }
    build(mesh, own.vertices.start..end, triangles)
}

/// Builds a surface of some vertices of a mesh.
fn build(
    mesh: &Mesh,
    vertices: impl ExactSizeIterator<Item = u32>,
    triangles: Vec<TriangleDefinition>,
) -> Option<SurfaceResource> {
    let count = vertices.len();
    let color_of = (!mesh.colors.is_empty()).then_some(|v| color(mesh, v));
    let buffer = if mesh.attributes.is_empty() && color_of.is_none() {
        let plain = vertices.map(|v| static_vertex(mesh, v as usize));
        VertexBuffer::new(count, plain.collect::<Vec<_>>()).ok()
    } else {
        carrying_buffer(mesh, vertices, |v| static_vertex(mesh, v), color_of)
    };
    let data = SurfaceData::new(buffer?, TriangleBuffer::new(triangles));
    Some(SurfaceResource::new_ok(
        fresh_uuid(),
        ResourceKind::Embedded,
        data,
    ))
}

/// A unique id for a resource. A random id for each would take longer than building a small surface.
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

fn color(mesh: &Mesh, v: usize) -> [u8; 4] {
    let color = mesh.colors.get(v).copied().unwrap_or(WHITE);
    color.map(|v| (v.clamp(0.0, 1.0) * 255.0).round() as u8)
}
