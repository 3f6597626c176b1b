//! A chunk of a surface, and what has been made of it.

use std::sync::OnceLock;

use fracture_geometry::Mesh;
use glam::Vec3;
use rapier3d::geometry::SharedShape;
use xxhash_rust::xxh3::xxh3_64;

use super::piece_hooks::SharedPayload;
use crate::mesh_codec;

/// The number of what has none.
const NONE: u32 = u32::MAX;

/// Names a chunk of a mesh that was divided as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChunkName {
    /// A hash of all of the mesh.
    pub mesh: u64,
    pub number: u32,
}

/// What has been made of a chunk.
#[derive(Default)]
pub(crate) struct Chunk {
    /// Of one that is the whole body's.
    pub name: Option<ChunkName>,
    pub look: OnceLock<SharedPayload>,
    /// Near the chunk, with fewer triangles.
    pub light: OnceLock<Mesh>,
    /// Its triangles in the debris world; nothing where they make no shape.
    pub tree: OnceLock<Option<SharedShape>>,
}

impl ChunkName {
    /// Those of a mesh, in order.
    pub fn all(mesh: &Mesh, count: u32) -> impl Iterator<Item = Self> {
        let mut bytes = Vec::new();
        mesh_codec::write(&mut bytes, mesh);
        let mesh = xxh3_64(&bytes);
        (0..count).map(move |number| Self { mesh, number })
    }
}

impl Chunk {
    /// One of which nothing has been made.
    pub fn named(name: ChunkName) -> Self {
        Self {
            name: Some(name),
            ..Self::default()
        }
    }

    /// Makes the tree of its triangles, if it is not there yet. They are in another order in each body that
    /// has the chunk; whose tree comes first must not show in how debris moves.
    pub fn make_tree(&self, mesh: &Mesh) {
        let make = || tree_of_some(&mesh.positions, sorted(mesh));
        self.tree.get_or_init(make);
    }
}

/// The triangles in an order that follows from where they are alone, each from its lowest corner on.
fn sorted(mesh: &Mesh) -> Vec<[u32; 3]> {
    let places: Vec<[u32; 3]> = mesh.positions.iter().map(|p| p.map(rank)).collect();
    let place = |vertex: &u32| places.get(*vertex as usize).copied().unwrap_or_default();
    let keyed = mesh.triangles.iter().map(|triangle| {
        let [a, b, c] = triangle.each_ref().map(place);
        // About three times the middle, whichever corner is the first.
        let middle = |axis: usize| [a, b, c].map(|at| at[axis] >> 2).iter().sum::<u32>();
        let first = (0..3).min_by_key(|k| [a, b, c][*k]).unwrap_or(0);
        let mut triangle = *triangle;
        triangle.rotate_left(first);
        ([0, 1, 2].map(middle), triangle)
    });
    let mut keyed: Vec<_> = keyed.collect();
    keyed.sort_unstable_by(|(one, a), (other, b)| {
        let corners = |triangle: &[u32; 3]| triangle.each_ref().map(place);
        one.cmp(other).then_with(|| corners(a).cmp(&corners(b)))
    });
    keyed.into_iter().map(|(_, triangle)| triangle).collect()
}

/// A number that is larger for a larger one.
fn rank(number: f32) -> u32 {
    let bits = number.to_bits();
    let is_negative = bits >> 31 == 1;
    bits ^ if is_negative { u32::MAX } else { 1 << 31 }
}

/// A triangle mesh; `None` without triangles.
pub(crate) fn tree(points: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Option<SharedShape> {
    SharedShape::trimesh(points, triangles).ok()
}

/// The triangle mesh of triangles that leave points out.
pub(crate) fn tree_of_some(
    points: &[[f32; 3]],
    mut triangles: Vec<[u32; 3]>,
) -> Option<SharedShape> {
    let mut numbers = vec![NONE; points.len()];
    let mut used = Vec::new();
    for vertex in triangles.as_flattened_mut() {
        let at = *vertex as usize;
        let (number, point) = numbers.get_mut(at).zip(points.get(at))?;
        if *number == NONE {
            *number = used.len() as u32;
            used.push(Vec3::from(*point));
        }
        *vertex = *number;
    }
    tree(used, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(chunk: &Chunk) -> Vec<[Vec3; 3]> {
        let shape = chunk.tree.get().and_then(Option::as_ref).unwrap();
        let mesh = shape.as_trimesh().unwrap();
        let corners = |t: &[u32; 3]| t.map(|v| mesh.vertices()[v as usize]);
        mesh.indices().iter().map(corners).collect()
    }

    #[test]
    fn trees_are_the_same_in_whatever_order_the_triangles_are() {
        let mesh = Mesh::torus(0.8, 0.3, 20, 12);
        let mut other = mesh.clone();
        other.triangles.reverse();
        other.triangles.iter_mut().for_each(|t| t.rotate_left(2));
        let [one, two] = [&mesh, &other].map(|mesh| {
            let chunk = Chunk::default();
            chunk.make_tree(mesh);
            corners(&chunk)
        });
        assert_eq!(one.len(), mesh.triangles.len());
        assert_eq!(one, two);
    }

    #[test]
    fn ranks_are_in_the_order_of_numbers() {
        let numbers = [
            f32::NEG_INFINITY,
            -2.0,
            -1e-20,
            -0.0,
            0.0,
            1e-20,
            3.5,
            f32::INFINITY,
        ];
        assert!(numbers.windows(2).all(|pair| rank(pair[0]) < rank(pair[1])));
    }
}
