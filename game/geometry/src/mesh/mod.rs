//! Triangle meshes as flat arrays: the input of a break, and what its pieces become.

pub(crate) mod area;
mod attribute;
pub(crate) mod bvh;
mod clustering;
mod collision_mesh;
mod edge_collapse;
mod edge_topology;
mod fans;
mod half_edges;
pub(crate) mod mass;
mod octree;
mod primitives;
pub(crate) mod ray;
mod validate;
mod weld;

pub use attribute::Attribute;
pub(crate) use edge_topology::EdgeTopology;
pub(crate) use half_edges::{half_edges_by_edge, is_closed_manifold, link_shell, pair_half_edges};
pub use octree::OctreeLeaf;
pub(crate) use validate::check_arrays;
pub use validate::{check_closed, Closedness};
pub(crate) use weld::{content_hash, position_bits, WeldedMesh};

use crate::math::SparseSet;
use glam::DVec3;

/// Most triangles, and most vertices, of a solid.
pub const MAX_TRIANGLES: usize = 8_000_000;
/// Surface of cap triangles in the pieces of a break; no mesh to be broken may use it.
pub const CAP_SURFACE: u32 = u32::MAX;

/// A render mesh: attributes with one entry per vertex, and triangles as vertex indices.
///
/// Attributes other than `positions` are either empty (the mesh does not have them) or as long as
/// `positions`. Positions are in metres, right-handed, y up; triangles are counter-clockwise seen
/// from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Vertex positions in metres.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals, or empty.
    pub normals: Vec<[f32; 3]>,
    /// Unit tangents with the handedness of the bitangent in `w`, or empty.
    pub tangents: Vec<[f32; 4]>,
    /// Texture coordinates, or empty.
    pub uvs: Vec<[f32; 2]>,
    /// Linear RGBA colours, or empty.
    pub colors: Vec<[f32; 4]>,
    /// Further attributes, mostly none.
    pub attributes: Vec<Attribute>,
    /// Three vertex indices a triangle.
    pub triangles: Vec<[u32; 3]>,
    /// The surface (material slot) of each triangle, or empty when all belong to surface 0.
    pub surfaces: Vec<u32>,
}

impl Mesh {
    /// A mesh of positions and triangles only.
    pub fn from_triangles(positions: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Self {
        Self {
            positions,
            triangles,
            ..Self::default()
        }
    }

    /// The surface of a triangle.
    pub fn surface(&self, triangle: usize) -> u32 {
        self.surfaces.get(triangle).copied().unwrap_or(0)
    }

    /// The number of surfaces: one more than the largest in use, at most `u32::MAX`; 0 for an empty mesh.
    pub fn surface_count(&self) -> u32 {
        if self.triangles.is_empty() {
            return 0;
        }
        let last = self.surfaces.iter().max();
        last.map_or(1, |last| last.saturating_add(1))
    }

    /// The corners of a triangle; `None` where it has an index of no vertex.
    pub(crate) fn corners(&self, triangle: [u32; 3]) -> Option<[DVec3; 3]> {
        let corner = |vertex: u32| {
            let at = self.positions.get(vertex as usize)?;
            Some(DVec3::from(at.map(f64::from)))
        };
        let [a, b, c] = triangle.map(corner);
        Some([a?, b?, c?])
    }

    /// Copies some triangles into a mesh of their own, with every attribute bit for bit. `vertices` is
    /// scratch.
    pub(crate) fn submesh(&self, triangles: &[u32], vertices: &mut SparseSet) -> Self {
        vertices.clear();
        let corners = triangles.iter().map(|t| self.triangles[*t as usize]);
        let corners = corners.map(|corners| corners.map(|vertex| vertices.insert(vertex)));
        let corners = corners.collect();
        let surfaces = if self.surfaces.is_empty() {
            Vec::new()
        } else {
            let surface = |t: &u32| self.surfaces[*t as usize];
            triangles.iter().map(surface).collect()
        };
        Self {
            triangles: corners,
            surfaces,
            ..self.copy_vertices(Some(vertices.ids()), 0)
        }
    }

    /// Copies some vertices, or all, into a mesh without triangles, with every attribute bit for bit and room for more.
    pub(crate) fn copy_vertices(&self, chosen: Option<&[u32]>, more: usize) -> Self {
        let attributes = self.attributes.iter();
        Self {
            positions: copy(&self.positions, chosen, more),
            normals: copy(&self.normals, chosen, more),
            tangents: copy(&self.tangents, chosen, more),
            uvs: copy(&self.uvs, chosen, more),
            colors: copy(&self.colors, chosen, more),
            attributes: attributes.map(|own| own.copy(chosen, more)).collect(),
            ..Self::default()
        }
    }
}

/// An attribute of some vertices, or of all; empty when the mesh does not have it.
fn copy<T: Copy>(attribute: &[T], chosen: Option<&[u32]>, more: usize) -> Vec<T> {
    if attribute.is_empty() {
        return Vec::new();
    }
    let count = chosen.map_or(attribute.len(), <[u32]>::len);
    let mut values = Vec::with_capacity(count + more);
    match chosen {
        None => values.extend_from_slice(attribute),
        Some(vertices) => {
            let value = |vertex: &u32| attribute.get(*vertex as usize).copied();
            values.extend(vertices.iter().filter_map(value));
        }
    }
    values
}
