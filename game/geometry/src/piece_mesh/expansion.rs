//! A piece with the triangles of its patches, in the numbers of vertices alone: of a large remainder, these are nearly
//! all, and their attributes are copied from the solid's mesh as they are.

use crate::fracture::{Piece, VertexSource};
use crate::math::NONE;
use crate::solid::Solid;

/// The triangles of a piece, its own and those of its patches.
pub(super) struct Expansion {
    /// The vertices of the solid's mesh that come after the piece's own ones.
    pub vertices: Vec<u32>,
    pub triangles: Vec<[u32; 3]>,
    /// By triangle.
    pub surfaces: Vec<u32>,
    /// By triangle: its index in the solid's mesh, if it is one of a patch; else [`NONE`].
    pub source_triangles: Vec<u32>,
}

impl Expansion {
    /// Sorted by surface; within a surface the piece's own triangles come first.
    pub fn new(piece: &Piece, solid: &Solid) -> Self {
        let patches = piece.patches.iter();
        let of_patches = || patches.clone().flat_map(|patch| solid.triangles_of(*patch));
        let own = piece.triangles.len();
        let count = own + of_patches().count();
        let mut expansion = Self {
            // A closed surface has half as many vertices as triangles, but for seams.
            vertices: Vec::with_capacity((count - own) / 2),
            triangles: with_room(&piece.triangles, count),
            surfaces: with_room(&piece.surfaces, count),
            source_triangles: Vec::with_capacity(count),
        };
        expansion.source_triangles.resize(own, NONE);
        if !piece.patches.is_empty() {
            expansion.add(piece, solid, of_patches());
        }
        expansion.group_by_surface(own);
        expansion
    }

    /// Adds triangles of the solid. Vertices are looked up by the solid's order of them, in which those of neighbours are
    /// near each other in memory.
    fn add(&mut self, piece: &Piece, solid: &Solid, added: impl Iterator<Item = u32>) {
        let mut index_of_vertex = vec![NONE; solid.vertex_count()];
        for (index, vertex) in (0..).zip(&piece.vertices) {
            if let VertexSource::Vertex(source) = vertex.source {
                let vertex = solid.vertex_of_source(source) as usize;
                if let Some(known) = index_of_vertex.get_mut(vertex) {
                    *known = index;
                }
            }
        }
        let own = piece.vertices.len();
        // Not a loop: through two nested iterators that takes twice as long.
        added.for_each(|triangle| {
            let corners = solid.vertices_of(triangle).map(|vertex| {
                let index = &mut index_of_vertex[vertex as usize];
                if *index == NONE {
                    *index = (own + self.vertices.len()) as u32;
                    self.vertices.push(solid.vertex(vertex).1);
                }
                *index
            });
            self.triangles.push(corners);
            self.surfaces.push(solid.surface(triangle));
            self.source_triangles.push(solid.source_triangle(triangle));
        });
    }

    /// Sorts the triangles, and the source of each, by surface; within a surface the order is kept. The first `own`
    /// triangles are not of patches.
    fn group_by_surface(&mut self, own: usize) {
        if self.surfaces.is_sorted() {
            return;
        }
        let (before, of_patches) = self.surfaces.split_at(own);
        // Mostly all patches are of one surface, and go as they are between the piece's own triangles.
        if let Some(surface) = of_patches.first() {
            if before.is_sorted() && of_patches.iter().all(|other| other == surface) {
                let at = before.partition_point(|own| own <= surface);
                self.triangles[at..].rotate_left(own - at);
                self.surfaces[at..].rotate_left(own - at);
                self.source_triangles[at..].rotate_left(own - at);
                return;
            }
        }
        let mut order: Vec<u32> = (0..self.surfaces.len() as u32).collect();
        // Few runs of one surface each, which a stable sort merges.
        order.sort_by_key(|index| self.surfaces[*index as usize]);
        let order = || order.iter().map(|index| *index as usize);
        self.triangles = order().map(|index| self.triangles[index]).collect();
        self.surfaces = order().map(|index| self.surfaces[index]).collect();
        self.source_triangles = order().map(|index| self.source_triangles[index]).collect();
    }
}

/// A copy with room for `capacity` values.
fn with_room<T: Copy>(values: &[T], capacity: usize) -> Vec<T> {
    let mut copy = Vec::with_capacity(capacity);
    copy.extend_from_slice(values);
    copy
}
