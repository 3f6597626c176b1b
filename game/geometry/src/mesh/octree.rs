//! Meshes partitioned by an octree of fixed cubes, so that unchanged parts are recognised by hash.

use super::Mesh;
use crate::math::{Aabb, SparseSet};
use glam::{BVec3, Vec3};
use xxhash_rust::xxh3::xxh3_64;

/// Levels of the octree; triangles with one centroid are never separated.
const MAX_DEPTH: u32 = 12;

/// The triangles of a mesh whose centroids lie in one cube.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OctreeLeaf {
    /// The triangles with the attributes that they have.
    pub mesh: Mesh,
    /// Hash of the triangles' position bits: the same for the same triangles in any order.
    pub hash: u64,
}

/// Sorts the triangles of a mesh into leaves; see [`Mesh::partition_octree`].
pub(super) fn partition(mesh: &Mesh, root: Aabb, max_triangles: usize) -> Vec<OctreeLeaf> {
    let centroid = |triangle: &[u32; 3]| {
        let at = |v: u32| mesh.positions.get(v as usize).map(|p| Vec3::from(*p));
        Some((at(triangle[0])? + at(triangle[1])? + at(triangle[2])?) / 3.0)
    };
    let triangles = (0..).zip(&mesh.triangles);
    let items = triangles.filter_map(|(index, t)| Some((index, centroid(t)?)));
    let mut partition = Partition {
        mesh,
        max_triangles: max_triangles.max(1),
        vertices: SparseSet::default(),
        leaves: Vec::new(),
    };
    partition.divide(items.collect(), root.as_vec3(), 0);
    partition.leaves
}

/// Hash of the triangles' position bits, independent of their order.
fn order_free_hash(mesh: &Mesh) -> u64 {
    let bits = |v: u32| mesh.positions[v as usize].map(f32::to_bits);
    let hash = |triangle: &[u32; 3]| {
        let mut corners = triangle.map(bits);
        let first = (0..3).min_by_key(|k| corners[*k]).unwrap_or(0);
        corners.rotate_left(first);
        let bytes = corners.map(|corner| corner.map(u32::to_le_bytes));
        xxh3_64(bytes.as_flattened().as_flattened())
    };
    let triangles = mesh.triangles.iter().map(hash);
    triangles.fold(0, u64::wrapping_add)
}

/// An octree under construction, whose leaves alone are kept.
struct Partition<'a> {
    mesh: &'a Mesh,
    max_triangles: usize,
    /// Scratch.
    vertices: SparseSet,
    leaves: Vec<OctreeLeaf>,
}

impl Partition<'_> {
    /// Divides triangles, given with their centroids, that lie in a cube.
    fn divide(&mut self, items: Vec<(u32, Vec3)>, [low, high]: [Vec3; 2], depth: u32) {
        if items.is_empty() {
            return;
        }
        if items.len() <= self.max_triangles || depth == MAX_DEPTH {
            let triangles: Vec<u32> = items.iter().map(|(triangle, _)| *triangle).collect();
            let mesh = self.mesh.submesh(&triangles, &mut self.vertices);
            let hash = order_free_hash(&mesh);
            return self.leaves.push(OctreeLeaf { mesh, hash });
        }
        let center = 0.5 * (low + high);
        let mut octants: [Vec<(u32, Vec3)>; 8] = Default::default();
        for item in items {
            octants[item.1.cmpgt(center).bitmask() as usize].push(item);
        }
        for (octant, items) in octants.into_iter().enumerate() {
            let is_upper = BVec3::new(octant & 1 != 0, octant & 2 != 0, octant & 4 != 0);
            let corners = [
                Vec3::select(is_upper, center, low),
                Vec3::select(is_upper, high, center),
            ];
            self.divide(items, corners, depth + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use std::collections::BTreeSet;

    const CUBE: Aabb = Aabb {
        min: DVec3::NEG_ONE,
        max: DVec3::ONE,
    };

    fn hashes(mesh: &Mesh) -> BTreeSet<u64> {
        let leaves = mesh.partition_octree(CUBE, 100);
        assert!(leaves.iter().all(|leaf| leaf.mesh.triangles.len() <= 100));
        let sum: usize = leaves.iter().map(|leaf| leaf.mesh.triangles.len()).sum();
        assert_eq!(sum, mesh.triangles.len());
        leaves.iter().map(|leaf| leaf.hash).collect()
    }

    #[test]
    fn unchanged_leaves_are_recognised() {
        let mesh = Mesh::sphere(0.5, 40, 30);
        let mut other = mesh.clone();
        other.triangles.reverse();
        other.triangles.iter_mut().for_each(|t| t.rotate_left(1));
        let before = hashes(&mesh);
        assert_eq!(before, hashes(&other));
        let top = |position: &[f32; 3]| position[1] > 0.45;
        other
            .triangles
            .retain(|t| !t.iter().any(|v| top(&other.positions[*v as usize])));
        let after = hashes(&other);
        let same = before.intersection(&after).count();
        assert!(
            same < before.len() && 2 * same > before.len(),
            "{same} of {}",
            before.len()
        );
        let mut turned = mesh.clone();
        turned.triangles[0].swap(0, 1);
        assert_ne!(before, hashes(&turned));
    }

    #[test]
    fn odd_input_ends() {
        assert!(Mesh::default().partition_octree(CUBE, 10).is_empty());
        let mut mesh = Mesh::from_triangles(vec![[0.5; 3]; 3], vec![[0, 1, 2]; 500]);
        assert_eq!(mesh.partition_octree(CUBE, 10).len(), 1);
        mesh.positions[0] = [f32::NAN, f32::INFINITY, 0.0];
        mesh.triangles.push([0, 1, 77]);
        let root = Aabb {
            min: DVec3::NAN,
            max: DVec3::ZERO,
        };
        mesh.partition_octree(root, 0);
    }
}
