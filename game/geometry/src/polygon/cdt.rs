//! Constrained Delaunay triangulation of outlines with holes, by `spade`.

use glam::DVec2;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};
use std::ops::Range;

/// Constrained Delaunay triangulation of the area that the outlines enclose; `None` if rounding makes them
/// touch or cross.
pub fn constrained_delaunay(points: &[DVec2], outlines: &[Range<u32>]) -> Option<Vec<[u32; 3]>> {
    let mut mesh = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
    let mut index = Vec::new();
    let mut segments = Vec::new();
    for outline in outlines {
        let start = index.len();
        for at in outline.clone() {
            let point = points[at as usize];
            let handle = mesh.insert(Point2::new(point.x, point.y)).ok()?;
            if handle.index() != index.len() {
                return None; // two points coincide
            }
            index.push(at);
        }
        let count = outline.len();
        segments.extend((0..count).map(|k| (start + k, start + (k + 1) % count)));
    }
    let handle = spade::handles::FixedVertexHandle::from_index;
    for &(from, to) in &segments {
        if !mesh.can_add_constraint(handle(from), handle(to)) {
            return None;
        }
        mesh.add_constraint(handle(from), handle(to));
    }
    let inside = inner_faces(&mesh);
    let mut triangles = Vec::new();
    for face in mesh.inner_faces() {
        if inside[face.fix().index()] {
            triangles.push(face.vertices().map(|v| index[v.fix().index()]));
        }
    }
    let outline: Vec<[u32; 2]> = segments.iter().map(|s| [index[s.0], index[s.1]]).collect();
    closes(&triangles, outline).then_some(triangles)
}

/// By face: whether an odd number of outlines separates it from the outside.
fn inner_faces(mesh: &ConstrainedDelaunayTriangulation<Point2<f64>>) -> Vec<bool> {
    let mut inside: Vec<Option<bool>> = vec![None; mesh.num_all_faces()];
    let mut stack = vec![(mesh.outer_face(), false)];
    while let Some((face, state)) = stack.pop() {
        let known = &mut inside[face.fix().index()];
        if known.is_some() {
            continue;
        }
        *known = Some(state);
        // The other side of an outline is the other state.
        match face.as_inner() {
            Some(inner) => stack.extend(
                inner
                    .adjacent_edges()
                    .map(|edge| (edge.rev().face(), state ^ edge.is_constraint_edge())),
            ),
            None => stack.extend(
                mesh.convex_hull()
                    .map(|edge| (edge.rev().face(), state ^ edge.is_constraint_edge())),
            ),
        }
    }
    inside
        .into_iter()
        .map(|state| state == Some(true))
        .collect()
}

/// Whether the triangles' edges cancel to exactly the outline.
pub fn closes(triangles: &[[u32; 3]], mut outline: Vec<[u32; 2]>) -> bool {
    let mut edges: Vec<[u32; 2]> = triangles
        .iter()
        .flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
        .collect();
    edges.sort_unstable();
    let is_border = |edge: &&[u32; 2]| edges.binary_search(&[edge[1], edge[0]]).is_err();
    let border: Vec<[u32; 2]> = edges.iter().filter(is_border).copied().collect();
    outline.sort_unstable();
    border == outline
}
