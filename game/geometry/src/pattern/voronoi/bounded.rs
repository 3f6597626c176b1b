//! Bounded cells, whose faces are read off the Delaunay tetrahedra.

use super::cell_arrays::CellFaces;
use super::delaunay_neighbors::DelaunayNeighbors;
use super::dual_index::DualIndex;
use crate::pattern::delaunay::{Delaunay, Facet};
use crate::pattern::FaceEdge;

/// The number of faces and of face edges of a bounded cell: three faces meet in each vertex, so it has
/// three face edges a vertex, and Euler's formula gives the number of faces.
pub fn cell_size(vertices: usize) -> [usize; 2] {
    [vertices / 2 + 2, 3 * vertices]
}

/// Reads bounded cells, one after another.
pub struct BoundedCells<'a> {
    sites: &'a [[i32; 3]],
    delaunay: &'a Delaunay,
    neighbors: DelaunayNeighbors,
    faces: CellFaces,
}

impl<'a> BoundedCells<'a> {
    /// For the cells of some sites.
    pub fn new(sites: &'a [[i32; 3]], delaunay: &'a Delaunay) -> Self {
        Self {
            sites,
            delaunay,
            neighbors: DelaunayNeighbors::new(sites.len()),
            faces: CellFaces::default(),
        }
    }

    /// The faces of a cell; `star` are the tetrahedra around its site.
    pub fn read(&mut self, index: &mut DualIndex, star: &[u32], cell: u32) -> &CellFaces {
        self.faces.clear();
        self.neighbors.gather(self.sites, self.delaunay, star, cell);
        for &tet in star {
            index.vertex(self.delaunay, tet);
        }
        for (neighbor, tet) in self.neighbors.nearest_first() {
            let edges = &mut self.faces.edges;
            read_face(self.delaunay, index, cell, neighbor, tet, edges);
            self.faces.end_face(neighbor);
        }
        &self.faces
    }
}

/// Walks once around the face between two cells, counter-clockwise seen from outside of the first:
/// from tetrahedron to tetrahedron around the Delaunay edge between their sites.
fn read_face(
    delaunay: &Delaunay,
    index: &mut DualIndex,
    cell: u32,
    neighbor: u32,
    first: u32,
    edges: &mut Vec<FaceEdge>,
) {
    let mut current = first;
    let mut tet = delaunay.tet(first);
    let (mut exit, ahead) = tet.turn(cell, neighbor);
    let mut third = tet.corners[ahead];
    let mut vertex = index.vertex(delaunay, first);
    loop {
        let across = tet.across[exit];
        let next = index.vertex(delaunay, across.tet());
        let facet = [Facet::new(current, exit), across];
        let edge = index.edge(facet, [cell, neighbor, third], [vertex, next]);
        edges.push(FaceEdge {
            vertex,
            edge,
            third,
        });
        (current, vertex) = (across.tet(), next);
        if current == first {
            return;
        }
        tet = delaunay.tet(current);
        exit = tet.slot_of(third);
        third = tet.corners[across.slot()];
    }
}
