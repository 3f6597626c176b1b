//! The vertices of a solid in the order in which its triangles use them: neighbours in space are
//! neighbours in memory, whatever the order of the mesh.

use crate::math::NONE;
use crate::mesh::Mesh;
use glam::{DVec3, Vec3};

/// Vertices in the order of first use, and triangles over them.
#[derive(Clone, Debug, Default)]
pub struct FetchOrderedVertices {
    /// By triangle: its vertices.
    pub corners: Vec<[u32; 3]>,
    /// By vertex.
    pub positions: Vec<[f32; 3]>,
    /// By vertex: its point, the same for vertices of the same position.
    pub points: Vec<u32>,
    /// By vertex: its index in the mesh.
    pub source: Vec<u32>,
    /// By vertex of the mesh: the vertex here, or [`NONE`] where no triangle uses it.
    pub of_source: Vec<u32>,
}

impl FetchOrderedVertices {
    /// Orders the vertices of some triangles of a mesh; `points` are those of the triangles' corners.
    pub fn new(mesh: &Mesh, triangles: &[u32], points: &[[u32; 3]]) -> Self {
        let mut vertices = Self {
            corners: Vec::with_capacity(triangles.len()),
            of_source: vec![NONE; mesh.positions.len()],
            ..Self::default()
        };
        for (triangle, points) in triangles.iter().zip(points) {
            let source = mesh.triangles[*triangle as usize];
            let corners = [0, 1, 2].map(|k| {
                let vertex = &mut vertices.of_source[source[k] as usize];
                if *vertex == NONE {
                    *vertex = vertices.points.len() as u32;
                    vertices.positions.push(mesh.positions[source[k] as usize]);
                    vertices.points.push(points[k]);
                    vertices.source.push(source[k]);
                }
                *vertex
            });
            vertices.corners.push(corners);
        }
        vertices.positions.shrink_to_fit();
        vertices.points.shrink_to_fit();
        vertices.source.shrink_to_fit();
        vertices
    }

    /// The positions of a triangle's corners.
    pub fn positions_of(&self, triangle: u32) -> [DVec3; 3] {
        let position = |vertex: u32| Vec3::from(self.positions[vertex as usize]).as_dvec3();
        self.corners[triangle as usize].map(position)
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        12 * (self.corners.len() + self.positions.len())
            + 4 * (self.points.len() + self.source.len() + self.of_source.len())
    }
}
