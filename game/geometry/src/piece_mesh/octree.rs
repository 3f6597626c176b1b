//! Meshes sorted into cubes that stay where they are, so that what has not changed is recognised.

use crate::mesh::Mesh;
use glam::Vec3;
use xxhash_rust::xxh3::xxh3_64;

/// Cubes are halved at most so often: what lies in one point is never apart.
const DEEPEST: u32 = 12;

/// The triangles of a mesh whose middles lie in one cube.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OctreeLeaf {
    /// The triangles, with the attributes that they have.
    pub mesh: Mesh,
    /// The same for the same triangles in any order, and for no others: from the bits of positions.
    pub hash: u64,
}

impl Mesh {
    /// Sorts the triangles into cubes of at most `most`, found by dividing the cube between `low`
    /// and `high` (metres) into eight, and those again. Given the same first cube, what changes in
    /// one place leaves the cells elsewhere as they are.
    ///
    /// More than `most` triangles whose middles coincide stay together. Triangles without a vertex
    /// are left out.
    pub fn cells(&self, [low, high]: [Vec3; 2], most: usize) -> Vec<OctreeLeaf> {
        let middle = |triangle: &[u32; 3]| {
            let at = |v: u32| self.positions.get(v as usize).map(|p| Vec3::from(*p));
            Some((at(triangle[0])? + at(triangle[1])? + at(triangle[2])?) / 3.0)
        };
        let triangles = (0..).zip(&self.triangles);
        let items = triangles.filter_map(|(index, t)| Some((index, middle(t)?)));
        let mut sorter = Sorter {
            mesh: self,
            most: most.max(1),
            number: vec![u32::MAX; self.positions.len()],
            cells: Vec::new(),
        };
        sorter.sort(items.collect(), [low, high], 0);
        sorter.cells
    }

    /// A hash of the triangles, from the bits of positions, that does not depend on their order.
    fn content(&self) -> u64 {
        let bits = |v: u32| self.positions[v as usize].map(f32::to_bits);
        let hash = |triangle: &[u32; 3]| {
            let mut corners = triangle.map(bits);
            let first = (0..3).min_by_key(|k| corners[*k]).unwrap_or(0);
            corners.rotate_left(first);
            let bytes = corners.map(|corner| corner.map(u32::to_le_bytes));
            xxh3_64(bytes.as_flattened().as_flattened())
        };
        let triangles = self.triangles.iter().map(hash);
        triangles.fold(0, u64::wrapping_add)
    }
}

struct Sorter<'a> {
    mesh: &'a Mesh,
    most: usize,
    number: Vec<u32>,
    cells: Vec<OctreeLeaf>,
}

impl Sorter<'_> {
    fn sort(&mut self, items: Vec<(u32, Vec3)>, [low, high]: [Vec3; 2], depth: u32) {
        if items.is_empty() {
            return;
        }
        if items.len() <= self.most || depth == DEEPEST {
            let triangles: Vec<u32> = items.iter().map(|(triangle, _)| *triangle).collect();
            let mesh = self.mesh.part(&triangles, &mut self.number);
            let hash = mesh.content();
            return self.cells.push(OctreeLeaf { mesh, hash });
        }
        let middle = 0.5 * (low + high);
        let mut eighths: [Vec<(u32, Vec3)>; 8] = Default::default();
        for item in items {
            eighths[item.1.cmpgt(middle).bitmask() as usize].push(item);
        }
        for (octant, items) in eighths.into_iter().enumerate() {
            let above = [0, 1, 2].map(|axis| octant >> axis & 1 == 1);
            let pick = |yes: Vec3, no: Vec3| {
                Vec3::from_array(
                    [0, 1, 2].map(|axis| if above[axis] { yes[axis] } else { no[axis] }),
                )
            };
            self.sort(items, [pick(middle, low), pick(high, middle)], depth + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const CUBE: [Vec3; 2] = [Vec3::splat(-1.0), Vec3::ONE];

    fn hashes(mesh: &Mesh) -> BTreeSet<u64> {
        let cells = mesh.cells(CUBE, 100);
        assert!(cells.iter().all(|cell| cell.mesh.triangles.len() <= 100));
        let sum: usize = cells.iter().map(|cell| cell.mesh.triangles.len()).sum();
        assert_eq!(sum, mesh.triangles.len());
        cells.iter().map(|cell| cell.hash).collect()
    }

    #[test]
    fn what_has_not_changed_is_recognised() {
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
        assert!(Mesh::default().cells(CUBE, 10).is_empty());
        let mut mesh = Mesh::from_triangles(vec![[0.5; 3]; 3], vec![[0, 1, 2]; 500]);
        assert_eq!(mesh.cells(CUBE, 10).len(), 1);
        mesh.positions[0] = [f32::NAN, f32::INFINITY, 0.0];
        mesh.triangles.push([0, 1, 77]);
        mesh.cells([Vec3::NAN, Vec3::ZERO], 0);
    }
}
