//! Triangle meshes as flat arrays: what is broken, and what a piece becomes.

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

    /// One more than the largest surface in use; 0 for an empty mesh.
    pub fn surface_count(&self) -> u32 {
        if self.triangles.is_empty() {
            return 0;
        }
        self.surfaces.iter().max().map_or(1, |last| last + 1)
    }
}
