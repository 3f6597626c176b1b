//! Edges with something to tell: open borders, more than two triangles, triangles facing two ways.

use super::{diagonal, EdgePositions};
use crate::mesh::EdgeTopology;

/// A border where the surface ends: edges of one triangle, joined to a loop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoundaryLoop {
    /// Its points in order; the last is joined to the first when the border is closed.
    pub points: Vec<[f32; 3]>,
    /// Whether it comes back to where it starts.
    pub closed: bool,
    /// Metres.
    pub length: f64,
    /// The diagonal of its box, metres.
    pub diagonal: f64,
}

#[derive(Default)]
pub struct Edges {
    pub borders: Vec<BoundaryLoop>,
    pub crowded: Vec<EdgePositions>,
    pub unbalanced: Vec<EdgePositions>,
    pub turned: Vec<EdgePositions>,
}

pub fn look(welded: &EdgeTopology) -> Edges {
    let mut edges = Edges::default();
    let mut open = Vec::new();
    for edge in welded.edges() {
        let Some(&(_, first)) = edge.first() else {
            continue;
        };
        let place = welded.ends(first).map(|p| welded.points[p as usize]);
        let excess = welded.excess(edge).count();
        match edge.len() {
            1 => open.push(first),
            2 if excess > 0 => edges.turned.push(place),
            2 => {}
            _ => {
                edges.crowded.push(place);
                if excess > 0 {
                    edges.unbalanced.push(place);
                }
            }
        }
    }
    let loops = welded.loops(open);
    edges.borders = loops.iter().map(|l| border(welded, l)).collect();
    edges.borders.sort_by(|a, b| b.length.total_cmp(&a.length));
    edges
}

fn border(welded: &EdgeTopology, half_edges: &[u32]) -> BoundaryLoop {
    let ends = |h: &u32| welded.ends(*h);
    let mut points: Vec<u32> = half_edges.iter().map(|h| ends(h)[0]).collect();
    let last = half_edges.last().map(|h| ends(h)[1]);
    let closed = last == points.first().copied();
    points.extend(last.filter(|_| !closed));
    let points: Vec<[f32; 3]> = points.iter().map(|p| welded.points[*p as usize]).collect();
    let length = |h: &u32| {
        let [a, b] = ends(h).map(|p| welded.position(p));
        a.distance(b)
    };
    BoundaryLoop {
        closed,
        length: half_edges.iter().map(length).sum(),
        diagonal: diagonal(&points),
        points,
    }
}
