//! A mesh's surface over its distinct positions: corners, half-edges by edge, loops of half-edges.

use super::{half_edges_by_edge, Mesh, WeldedMesh};
use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;

/// Triangles over distinct positions; those that use one twice are left out. A *half-edge*
/// `3 t + k` runs from corner `k` of triangle `t` to the next.
pub struct EdgeTopology {
    pub points: Vec<[f32; 3]>,
    pub corners: Vec<[u32; 3]>,
    /// The triangle's index in the mesh, ascending.
    pub source: Vec<u32>,
    /// Half-edges with the key of their edge, sorted.
    half_edges: Vec<(u64, u32)>,
}

impl EdgeTopology {
    /// Welds a mesh whose arrays fit together.
    pub fn new(mesh: &Mesh) -> Self {
        let WeldedMesh {
            points,
            corners,
            source,
        } = WeldedMesh::new(mesh);
        Self {
            half_edges: half_edges_by_edge(&corners),
            points,
            corners,
            source,
        }
    }

    /// The points that a half-edge runs between.
    pub fn ends(&self, half_edge: u32) -> [u32; 2] {
        let (corner, k) = (self.corners[half_edge as usize / 3], half_edge as usize % 3);
        [corner[k], corner[(k + 1) % 3]]
    }

    /// The half-edges of each edge.
    pub fn edges(&self) -> impl Iterator<Item = &[(u64, u32)]> {
        self.half_edges.chunk_by(|a, b| a.0 == b.0)
    }

    /// Whether a half-edge runs from its smaller point to its larger one.
    pub fn is_forward(&self, half_edge: u32) -> bool {
        let [from, to] = self.ends(half_edge);
        from < to
    }

    /// The half-edges of an edge that have no opposite.
    pub fn excess(&self, edge: &[(u64, u32)]) -> impl Iterator<Item = u32> + use<'_> {
        let list: Vec<u32> = edge.iter().map(|(_, h)| *h).collect();
        let (forward, backward): (Vec<u32>, Vec<u32>) =
            list.into_iter().partition(|h| self.is_forward(*h));
        let both = forward.len().min(backward.len());
        forward
            .into_iter()
            .skip(both)
            .chain(backward.into_iter().skip(both))
    }

    pub fn position(&self, point: u32) -> DVec3 {
        Vec3::from(self.points[point as usize]).as_dvec3()
    }

    /// The corners of a triangle in space.
    pub fn place(&self, triangle: u32) -> [DVec3; 3] {
        self.corners[triangle as usize].map(|p| self.position(p))
    }

    /// All triangles in space.
    pub fn places(&self) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        (0..self.corners.len() as u32).map(|triangle| self.place(triangle))
    }

    /// A triangle's points from the smallest on: the same for the same triangle facing the same way.
    pub fn turned_key(&self, triangle: u32) -> [u32; 3] {
        let [a, b, c] = self.corners[triangle as usize];
        match a.min(b).min(c) {
            least if least == a => [a, b, c],
            least if least == b => [b, c, a],
            _ => [c, a, b],
        }
    }

    /// The triangles of the mesh that are left out.
    pub fn repeated(&self, triangles: u32) -> Vec<u32> {
        let is_out = |t: &u32| self.source.binary_search(t).is_err();
        (0..triangles).filter(is_out).collect()
    }

    /// Half-edges joined head to tail: simple loops first cut off where a point comes up again; what
    /// does not close is a chain.
    pub fn loops(&self, mut half_edges: Vec<u32>) -> Vec<Vec<u32>> {
        half_edges.sort_unstable_by_key(|h| (self.ends(*h)[0], *h));
        let mut used = vec![false; half_edges.len()];
        let mut loops = Vec::new();
        for first in 0..half_edges.len() {
            let mut path: Vec<u32> = Vec::new();
            let mut on_path: FxHashMap<u32, usize> = FxHashMap::default();
            let mut next = (!used[first]).then_some(first);
            while let Some(at) = next {
                used[at] = true;
                let [from, to] = self.ends(half_edges[at]);
                on_path.insert(from, path.len());
                path.push(half_edges[at]);
                if let Some(start) = on_path.get(&to).copied() {
                    let closed = path.split_off(start);
                    for h in &closed {
                        on_path.remove(&self.ends(*h)[0]);
                    }
                    loops.push(closed);
                }
                let begin = half_edges.partition_point(|h| self.ends(*h)[0] < to);
                next = (begin..half_edges.len())
                    .take_while(|n| self.ends(half_edges[*n])[0] == to)
                    .find(|n| !used[*n]);
            }
            if !path.is_empty() {
                loops.push(path);
            }
        }
        loops
    }
}
