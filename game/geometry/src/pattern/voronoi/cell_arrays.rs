//! Faces of all cells in flat arrays.

use crate::pattern::FaceEdge;

/// The faces of one cell.
#[derive(Clone, Default)]
pub struct CellFaces {
    /// By face: the cell on its other side.
    pub neighbors: Vec<u32>,
    /// By face: the end of its edges in `edges`.
    pub ends: Vec<u32>,
    /// Face edges, face by face.
    pub edges: Vec<FaceEdge>,
}

impl CellFaces {
    /// Removes all faces.
    pub fn clear(&mut self) {
        self.neighbors.clear();
        self.ends.clear();
        self.edges.clear();
    }

    /// Completes a face: the edges since the last face are those of the face to `neighbor`.
    pub fn end_face(&mut self, neighbor: u32) {
        self.neighbors.push(neighbor);
        self.ends.push(self.edges.len() as u32);
    }
}

/// Flat arrays with room for every cell. Cells may be placed in any order, so that cells near each
/// other are read one after the other.
pub struct CellArrays {
    /// By cell: its first face; one more at the end.
    pub neighbor_offsets: Vec<u32>,
    /// By face: the cell on its other side.
    pub neighbors: Vec<u32>,
    /// By face: its first face edge; one more at the end.
    pub face_edge_offsets: Vec<u32>,
    /// Face edges, face by face.
    pub face_edges: Vec<FaceEdge>,
    /// By cell: its first face edge.
    first_edge: Vec<u32>,
}

impl CellArrays {
    /// Room for cells of the given numbers of faces and face edges.
    pub fn new(sizes: impl ExactSizeIterator<Item = [usize; 2]>) -> Self {
        let cells = sizes.len();
        let mut neighbor_offsets = Vec::with_capacity(cells + 1);
        let mut first_edge = Vec::with_capacity(cells);
        let (mut faces, mut edges) = (0, 0);
        for [cell_faces, cell_edges] in sizes {
            neighbor_offsets.push(faces as u32);
            first_edge.push(edges as u32);
            faces += cell_faces;
            edges += cell_edges;
        }
        neighbor_offsets.push(faces as u32);
        Self {
            neighbor_offsets,
            neighbors: vec![0; faces],
            face_edge_offsets: vec![0; faces + 1],
            face_edges: vec![FaceEdge::default(); edges],
            first_edge,
        }
    }

    /// Copies the faces of a cell to its place.
    pub fn place(&mut self, cell: u32, faces: &CellFaces) {
        let cell = cell as usize;
        let (face, edge) = (self.neighbor_offsets[cell] as usize, self.first_edge[cell]);
        copy(&mut self.neighbors[face..], &faces.neighbors);
        copy(&mut self.face_edges[edge as usize..], &faces.edges);
        let ends = faces.ends.iter().map(|end| edge + end);
        let offsets = &mut self.face_edge_offsets[face + 1..];
        for (offset, end) in offsets.iter_mut().zip(ends) {
            *offset = end;
        }
    }
}

fn copy<T: Copy>(to: &mut [T], from: &[T]) {
    debug_assert!(from.len() <= to.len());
    let count = from.len().min(to.len());
    to[..count].copy_from_slice(&from[..count]);
}
