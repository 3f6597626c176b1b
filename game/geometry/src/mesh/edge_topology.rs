//! Half-edges of a welded mesh, sorted by edge, and boundary loops of them.

use super::{half_edges_by_edge, Mesh, WeldedMesh};
use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;

/// A welded mesh with its half-edges sorted by edge. Half-edge `3 t + k` runs from corner `k` of
/// triangle `t` to the next corner.
pub struct EdgeTopology {
    /// Distinct positions.
    pub points: Vec<[f32; 3]>,
    /// By triangle: its points.
    pub corners: Vec<[u32; 3]>,
    /// By triangle: its index in the mesh, ascending.
    pub source: Vec<u32>,
    /// Half-edges with the key of their edge, sorted.
    half_edges: Vec<(u64, u32)>,
}

impl EdgeTopology {
    /// Welds a mesh whose indices are in range.
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

    /// The points at which a half-edge starts and ends.
    pub fn ends(&self, half_edge: u32) -> [u32; 2] {
        let (corners, k) = (self.corners[half_edge as usize / 3], half_edge as usize % 3);
        [corners[k], corners[(k + 1) % 3]]
    }

    /// Edges, each as its half-edges with the edge's key.
    pub fn edges(&self) -> impl Iterator<Item = &[(u64, u32)]> {
        self.half_edges.chunk_by(|a, b| a.0 == b.0)
    }

    /// Whether a half-edge runs from its smaller point to its larger one.
    pub fn is_forward(&self, half_edge: u32) -> bool {
        let [from, to] = self.ends(half_edge);
        from < to
    }

    /// The half-edges of an edge that remain when opposite ones are paired.
    pub fn unpaired(&self, edge: &[(u64, u32)]) -> impl Iterator<Item = u32> + use<'_> {
        let half_edges = edge.iter().map(|(_, half_edge)| *half_edge);
        let (forward, backward): (Vec<u32>, Vec<u32>) =
            half_edges.partition(|half_edge| self.is_forward(*half_edge));
        let pairs = forward.len().min(backward.len());
        let forward = forward.into_iter().skip(pairs);
        forward.chain(backward.into_iter().skip(pairs))
    }

    /// The position of a point.
    pub fn position(&self, point: u32) -> DVec3 {
        Vec3::from(self.points[point as usize]).as_dvec3()
    }

    /// The positions of a triangle's corners.
    pub fn positions_of(&self, triangle: u32) -> [DVec3; 3] {
        self.corners[triangle as usize].map(|p| self.position(p))
    }

    /// The positions of all triangles' corners.
    pub fn triangle_positions(&self) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        (0..self.corners.len() as u32).map(|triangle| self.positions_of(triangle))
    }

    /// A triangle's points, rotated to begin with the smallest: equal for equal triangles of the same
    /// orientation.
    pub fn oriented_key(&self, triangle: u32) -> [u32; 3] {
        let [a, b, c] = self.corners[triangle as usize];
        match a.min(b).min(c) {
            least if least == a => [a, b, c],
            least if least == b => [b, c, a],
            _ => [c, a, b],
        }
    }

    /// The triangles of a mesh of `triangles` triangles that were left out: those that use one point
    /// twice.
    pub fn degenerate(&self, triangles: u32) -> Vec<u32> {
        let is_left_out = |t: &u32| self.source.binary_search(t).is_err();
        (0..triangles).filter(is_left_out).collect()
    }

    /// Links half-edges head to tail. Where a path comes back to one of its points, the simple loop is
    /// split off; what is left at the end is an open chain.
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
