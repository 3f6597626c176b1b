//! Edges that are open, non-manifold or between triangles of opposite orientation.

use crate::math::Aabb;
use crate::mesh::EdgeTopology;
use glam::Vec3;

/// Positions of an edge's ends, metres.
pub type EdgePositions = [[f32; 3]; 2];

/// A boundary of the surface: edges of one triangle, linked to a loop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoundaryLoop {
    /// Positions in order, metres; the last is joined to the first if the loop is closed.
    pub points: Vec<[f32; 3]>,
    /// Whether the loop ends where it starts.
    pub is_closed: bool,
    /// Length, metres.
    pub length: f64,
    /// Diagonal of the loop's box, metres.
    pub diagonal: f64,
}

/// Faulty edges by kind, as in [`MeshReport`](super::MeshReport).
#[derive(Default)]
pub struct FaultyEdges {
    pub boundary_loops: Vec<BoundaryLoop>,
    pub non_manifold: Vec<EdgePositions>,
    pub unbalanced: Vec<EdgePositions>,
    pub inconsistent: Vec<EdgePositions>,
}

impl FaultyEdges {
    /// Sorts the edges of a mesh by kind.
    pub fn new(topology: &EdgeTopology) -> Self {
        let mut faulty = Self::default();
        let mut open = Vec::new();
        for edge in topology.edges() {
            let Some(&(_, first)) = edge.first() else {
                continue;
            };
            let positions = topology.ends(first).map(|p| topology.points[p as usize]);
            let is_balanced = topology.unpaired(edge).next().is_none();
            match edge.len() {
                1 => open.push(first),
                2 if is_balanced => {}
                2 => faulty.inconsistent.push(positions),
                _ => {
                    faulty.non_manifold.push(positions);
                    if !is_balanced {
                        faulty.unbalanced.push(positions);
                    }
                }
            }
        }
        let loops = topology.loops(open);
        let loops = loops
            .iter()
            .map(|half_edges| boundary(topology, half_edges));
        faulty.boundary_loops = loops.collect();
        let by_length = |a: &BoundaryLoop, b: &BoundaryLoop| b.length.total_cmp(&a.length);
        faulty.boundary_loops.sort_by(by_length);
        faulty
    }
}

fn boundary(topology: &EdgeTopology, half_edges: &[u32]) -> BoundaryLoop {
    let ends = |h: &u32| topology.ends(*h);
    let mut points: Vec<u32> = half_edges.iter().map(|h| ends(h)[0]).collect();
    let last = half_edges.last().map(|h| ends(h)[1]);
    let is_closed = last == points.first().copied();
    points.extend(last.filter(|_| !is_closed));
    let position = |p: &u32| topology.points[*p as usize];
    let points: Vec<[f32; 3]> = points.iter().map(position).collect();
    let length = |h: &u32| {
        let [a, b] = ends(h).map(|p| topology.position(p));
        a.distance(b)
    };
    BoundaryLoop {
        is_closed,
        length: half_edges.iter().map(length).sum(),
        diagonal: diagonal(&points),
        points,
    }
}

/// The diagonal of the box around positions.
pub(crate) fn diagonal<'a>(positions: impl IntoIterator<Item = &'a [f32; 3]>) -> f64 {
    let points = positions.into_iter().map(|p| Vec3::from(*p).as_dvec3());
    Aabb::from_points(points).diagonal()
}
