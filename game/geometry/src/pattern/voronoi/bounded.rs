//! Inner cells, whose outlines are read off the tetrahedra.

use super::cell_arrays::Outline;
use super::delaunay_neighbors::Near;
use super::dual_index::Numbers;
use crate::pattern::delaunay::{Delaunay, Facet};
use crate::pattern::Side;

/// The number of faces and sides of an inner cell. Three planes meet in each vertex, so sides are
/// three times as many; and then Euler's formula tells the faces.
pub fn size(vertices: usize) -> [usize; 2] {
    [vertices / 2 + 2, 3 * vertices]
}

/// Reads one cell after another.
pub struct Inner<'a> {
    sites: &'a [[i32; 3]],
    delaunay: &'a Delaunay,
    near: Near,
    outline: Outline,
}

impl<'a> Inner<'a> {
    pub fn new(sites: &'a [[i32; 3]], delaunay: &'a Delaunay) -> Self {
        Self {
            sites,
            delaunay,
            near: Near::new(sites.len()),
            outline: Outline::default(),
        }
    }

    pub fn read(&mut self, numbers: &mut Numbers, star: &[u32], cell: u32) -> &Outline {
        self.outline.clear();
        self.near.gather(self.sites, self.delaunay, star, cell);
        for &tet in star {
            numbers.vertex(self.delaunay, tet);
        }
        for (neighbor, tet) in self.near.nearest_first() {
            read_face(
                self.delaunay,
                numbers,
                [cell, neighbor],
                tet,
                &mut self.outline.sides,
            );
            self.outline.end_face(neighbor);
        }
        &self.outline
    }
}

/// Walks once around the face between two cells, counter-clockwise seen from outside of the first:
/// from tetrahedron to tetrahedron around the edge between their sites.
fn read_face(
    delaunay: &Delaunay,
    numbers: &mut Numbers,
    [cell, other]: [u32; 2],
    first: u32,
    sides: &mut Vec<Side>,
) {
    let mut at = first;
    let mut tet = delaunay.tet(first);
    let (mut exit, ahead) = tet.turn(cell, other);
    let mut third = tet.corners[ahead];
    let mut vertex = numbers.vertex(delaunay, first);
    loop {
        let beyond = tet.beyond[exit];
        let next = numbers.vertex(delaunay, beyond.tet());
        let facet = [Facet::new(at, exit), beyond];
        let edge = numbers.edge(facet, [cell, other, third], [vertex, next]);
        sides.push(Side {
            vertex,
            edge,
            third,
        });
        (at, vertex) = (beyond.tet(), next);
        if at == first {
            return;
        }
        tet = delaunay.tet(at);
        exit = tet.slot_of(third);
        third = tet.corners[beyond.slot()];
    }
}
