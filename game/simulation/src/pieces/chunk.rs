//! A chunk of a mesh, the data derived from it, and the pool in which chunks are found by name.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use fracture_geometry::Mesh;
use glam::Vec3;
use rapier3d::geometry::SharedShape;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::piece_hooks::SharedPayload;
use crate::mesh_codec;

/// How meshes are divided into chunks: chunks of saves that were divided in another way have other names.
const DIVISION: u64 = 2;

/// Marks a vertex that has no number yet.
const UNNUMBERED: u32 = u32::MAX;

/// Identity of a chunk of an intact body's mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChunkName {
    /// Hash of the whole mesh, and of how it is divided.
    pub mesh: u64,
    pub number: u32,
}

/// Data derived from a chunk's triangles.
#[derive(Default)]
pub(super) struct Chunk {
    /// Set for chunks of an intact body.
    pub name: Option<ChunkName>,
    /// Output of the render hook.
    pub render: OnceLock<SharedPayload>,
    /// The chunk with fewer triangles, within the tolerance of the collision mesh.
    pub simplified: OnceLock<Mesh>,
    /// The chunk with vertices joined, for a provisional collision mesh.
    pub coarse: OnceLock<Mesh>,
    /// Triangle mesh in the debris world; `None` where the triangles make no shape.
    pub collider: OnceLock<Option<SharedShape>>,
    /// The same with fewer triangles, of a chunk that a break has made, from the end of its refinement on.
    pub simplified_collider: OnceLock<SharedShape>,
}

impl ChunkName {
    /// Names of all chunks of a mesh, in order.
    pub fn all(mesh: &Mesh, count: u32) -> impl Iterator<Item = Self> {
        let mut bytes = Vec::new();
        mesh_codec::write(&mut bytes, mesh);
        let mesh = xxh3_64_with_seed(&bytes, DIVISION);
        (0..count).map(move |number| Self { mesh, number })
    }
}

impl Chunk {
    /// A chunk of an intact body, without derived data.
    pub fn named(name: ChunkName) -> Self {
        Self {
            name: Some(name),
            ..Self::default()
        }
    }

    /// The collider with the fewest triangles that there is.
    pub fn best_collider(&self) -> Option<&SharedShape> {
        let full = || self.collider.get()?.as_ref();
        self.simplified_collider.get().or_else(full)
    }

    /// Builds the collider unless it exists. Bodies that share the chunk hold its triangles in different
    /// orders; sorting makes the collider, and so the motion of debris, independent of which body comes
    /// first.
    pub fn build_collider(&self, mesh: &Mesh) {
        let build = || compact_triangle_mesh(&mesh.positions, sorted_triangles(mesh));
        self.collider.get_or_init(build);
    }
}

/// Chunks of one mesh that are still in use, by name. Data derived from a chunk is reused for a body that
/// is restored from a save.
#[derive(Default)]
pub(crate) struct ChunkPool(Mutex<BTreeMap<ChunkName, Weak<Chunk>>>);

impl ChunkPool {
    /// The chunk of that name; a new one when none is in use.
    pub(super) fn get(&self, name: ChunkName) -> Arc<Chunk> {
        // A panic elsewhere cannot leave the map half written.
        let mut chunks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = chunks.entry(name).or_default();
        entry.upgrade().unwrap_or_else(|| {
            let chunk = Arc::new(Chunk::named(name));
            *entry = Arc::downgrade(&chunk);
            chunk
        })
    }
}

/// The triangles in an order that follows from their positions alone, each from its lowest corner on.
fn sorted_triangles(mesh: &Mesh) -> Vec<[u32; 3]> {
    let ranks: Vec<[u32; 3]> = mesh.positions.iter().map(|p| p.map(rank)).collect();
    let corners = |triangle: &[u32; 3]| {
        triangle.map(|vertex| ranks.get(vertex as usize).copied().unwrap_or_default())
    };
    let keyed = mesh.triangles.iter().map(|triangle| {
        let corners = corners(triangle);
        // Three quarters of the sum of the corners, the same whichever corner is the first.
        let middle = |axis: usize| corners.map(|rank| rank[axis] >> 2).iter().sum::<u32>();
        let lowest = (0..3).min_by_key(|k| corners[*k]).unwrap_or(0);
        let mut triangle = *triangle;
        triangle.rotate_left(lowest);
        // One integer, so that most comparisons are of that alone.
        let first = u64::from(middle(0)) << 32 | u64::from(middle(1));
        (first, middle(2), triangle)
    });
    let mut keyed: Vec<_> = keyed.collect();
    keyed.sort_unstable_by(|a, b| {
        let by_middle = || a.1.cmp(&b.1);
        let by_corners = || corners(&a.2).cmp(&corners(&b.2));
        a.0.cmp(&b.0).then_with(by_middle).then_with(by_corners)
    });
    keyed.into_iter().map(|(_, _, triangle)| triangle).collect()
}

/// An integer that sorts as the number does.
fn rank(number: f32) -> u32 {
    let bits = number.to_bits();
    let is_negative = bits >> 31 == 1;
    bits ^ if is_negative { u32::MAX } else { 1 << 31 }
}

/// A triangle mesh collider; `None` without triangles.
pub(crate) fn triangle_mesh(points: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Option<SharedShape> {
    SharedShape::trimesh(points, triangles).ok()
}

/// A triangle mesh collider of the given triangles, without the points that they leave out.
pub(super) fn compact_triangle_mesh(
    points: &[[f32; 3]],
    mut triangles: Vec<[u32; 3]>,
) -> Option<SharedShape> {
    let mut numbers = vec![UNNUMBERED; points.len()];
    let mut used = Vec::new();
    for vertex in triangles.as_flattened_mut() {
        let index = *vertex as usize;
        let (number, point) = numbers.get_mut(index).zip(points.get(index))?;
        if *number == UNNUMBERED {
            *number = used.len() as u32;
            used.push(Vec3::from(*point));
        }
        *vertex = *number;
    }
    triangle_mesh(used, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(chunk: &Chunk) -> Vec<[Vec3; 3]> {
        let shape = chunk.collider.get().and_then(Option::as_ref).unwrap();
        let mesh = shape.as_trimesh().unwrap();
        let corners = |t: &[u32; 3]| t.map(|v| mesh.vertices()[v as usize]);
        mesh.indices().iter().map(corners).collect()
    }

    #[test]
    fn colliders_are_the_same_in_whatever_order_the_triangles_are() {
        let mesh = Mesh::torus(0.8, 0.3, 20, 12);
        let mut reordered = mesh.clone();
        reordered.triangles.reverse();
        reordered
            .triangles
            .iter_mut()
            .for_each(|t| t.rotate_left(2));
        let [a, b] = [&mesh, &reordered].map(|mesh| {
            let chunk = Chunk::default();
            chunk.build_collider(mesh);
            corners(&chunk)
        });
        assert_eq!(a.len(), mesh.triangles.len());
        assert_eq!(a, b);
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
