//! Triangle meshes as flat arrays: what is broken, and what a piece becomes.

pub(crate) mod area;
pub(crate) mod bvh;
mod edge_topology;
mod half_edges;
pub(crate) mod mass;
mod primitives;
pub(crate) mod ray;
mod validate;
mod weld;

pub(crate) use edge_topology::EdgeTopology;
pub(crate) use half_edges::{half_edges_by_edge, link_shell, pair_half_edges};
pub(crate) use validate::check_arrays;
pub use validate::{check_closed, Closedness};
pub(crate) use weld::{content_hash, WeldedMesh};

/// Most triangles (and vertices) of a solid.
pub const MAX_TRIANGLES: usize = 8_000_000;
/// The surface of cap triangles in the pieces of a break; no mesh that is broken may use it.
pub const CAP_SURFACE: u32 = u32::MAX;

/// A render mesh: one entry per vertex in every attribute, triangles as vertex indices.
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

    /// One more than the largest surface in use (at most `u32::MAX`); 0 for an empty mesh.
    pub fn surface_count(&self) -> u32 {
        if self.triangles.is_empty() {
            return 0;
        }
        let last = self.surfaces.iter().max();
        last.map_or(1, |last| last.saturating_add(1))
    }

    /// Some of the triangles as a mesh of their own, with the attributes that they have, bit for bit.
    /// `number` is scratch: as long as `positions`, all `u32::MAX` before and after.
    pub(crate) fn part(&self, triangles: &[u32], number: &mut [u32]) -> Self {
        let mut vertices: Vec<u32> = Vec::with_capacity(triangles.len());
        let mut part = Self {
            triangles: Vec::with_capacity(triangles.len()),
            ..Self::default()
        };
        for triangle in triangles {
            let corners = self.triangles[*triangle as usize].map(|vertex| {
                let number = &mut number[vertex as usize];
                if *number == u32::MAX {
                    *number = vertices.len() as u32;
                    vertices.push(vertex);
                }
                *number
            });
            part.triangles.push(corners);
        }
        for vertex in &vertices {
            number[*vertex as usize] = u32::MAX;
        }
        if !self.surfaces.is_empty() {
            let surface = |t: &u32| self.surfaces[*t as usize];
            part.surfaces = triangles.iter().map(surface).collect();
        }
        part.positions = picked(&self.positions, &vertices);
        part.normals = picked(&self.normals, &vertices);
        part.tangents = picked(&self.tangents, &vertices);
        part.uvs = picked(&self.uvs, &vertices);
        part.colors = picked(&self.colors, &vertices);
        part
    }
}

/// An attribute of some vertices; nothing when the mesh does not have it.
fn picked<T: Copy>(attribute: &[T], vertices: &[u32]) -> Vec<T> {
    let of = |vertex: &u32| attribute.get(*vertex as usize).copied();
    let has_it = !attribute.is_empty();
    let mut picked = Vec::with_capacity(if has_it { vertices.len() } else { 0 });
    picked.extend(vertices.iter().filter_map(of));
    picked
}
