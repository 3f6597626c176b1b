//! The vertices that a solid's triangles use, numbered as the triangles come: what is near in space
//! is near in memory, whatever the mesh's own order is.

use crate::mesh::Mesh;
use glam::{DVec3, Vec3};

/// Vertices by number, and the triangles over them.
#[derive(Clone, Debug, Default)]
pub struct FetchOrderedVertices {
    /// By triangle.
    pub corners: Vec<[u32; 3]>,
    pub positions: Vec<[f32; 3]>,
    /// The point of each: the same for vertices of the same position.
    pub points: Vec<u32>,
    /// The vertex of the mesh.
    pub source: Vec<u32>,
}

impl FetchOrderedVertices {
    /// Numbers the vertices of some triangles of a mesh; `points` are those of the triangles' corners.
    pub fn new(mesh: &Mesh, triangles: &[u32], points: &[[u32; 3]]) -> Self {
        let mut numbers = vec![u32::MAX; mesh.positions.len()];
        let mut vertices = Self {
            corners: Vec::with_capacity(triangles.len()),
            ..Self::default()
        };
        for (triangle, points) in triangles.iter().zip(points) {
            let corner = mesh.triangles[*triangle as usize];
            let numbered = [0, 1, 2].map(|k| {
                let number = &mut numbers[corner[k] as usize];
                if *number == u32::MAX {
                    *number = vertices.source.len() as u32;
                    vertices.positions.push(mesh.positions[corner[k] as usize]);
                    vertices.points.push(points[k]);
                    vertices.source.push(corner[k]);
                }
                *number
            });
            vertices.corners.push(numbered);
        }
        vertices.positions.shrink_to_fit();
        vertices.points.shrink_to_fit();
        vertices.source.shrink_to_fit();
        vertices
    }

    /// The corners of a triangle in space.
    pub fn places(&self, triangle: u32) -> [DVec3; 3] {
        let place = |vertex: u32| Vec3::from(self.positions[vertex as usize]).as_dvec3();
        self.corners[triangle as usize].map(place)
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        12 * (self.corners.len() + self.positions.len())
            + 4 * (self.points.len() + self.source.len())
    }
}
