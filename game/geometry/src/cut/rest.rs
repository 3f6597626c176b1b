//! What is left of a triangle when the polygons of affected cells are taken out of it.
//!
//! Bisectors between two cells that are not affected leave no trace: the rest of a triangle is
//! bounded by the stretches of its edges outside the polygons and by the polygons' own cuts,
//! reversed.

use super::clip::{Corner, Line};
use super::fill::{self, Regions};
use super::frame::Frame;
use super::outline;
use super::surface::{CellSurface, Polygon};
use crate::exact;
use crate::pattern::sorted;
use glam::{DVec2, DVec3};
use std::cmp::Ordering;

/// A corner of what is left.
#[derive(Clone, Copy, Debug)]
pub struct RestCorner {
    pub at: DVec3,
    pub weights: [f64; 3],
}

/// What is left of one triangle.
#[derive(Debug, Default)]
pub struct Rest {
    pub triangle: u32,
    pub corners: Vec<RestCorner>,
    pub regions: Regions,
    /// The region beside each cut: (affected cell, other cell, region).
    pub cuts: Vec<([u32; 2], u32)>,
    /// The region beside each stretch of a triangle edge: (edge 0 to 2, its end keys, region).
    pub runs: Vec<(u8, [Key; 2], u32)>,
}

/// What made a corner, the same in all triangles that share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A point of the solid.
    Point(u32),
    /// An edge of the solid and a bisector.
    Edge(u32, [u32; 2]),
    /// A triangle of the solid and a pattern edge.
    Inside(u32, [u32; 3]),
}

#[derive(Clone, Copy)]
enum Beside {
    Cut([u32; 2]),
    Run(u8),
}

type Segment = outline::Segment<Key, (RestCorner, Beside)>;

/// What is left of a triangle after the given polygons, which are all of its parts in affected
/// cells.
pub fn rest_of(
    frame: &Frame,
    triangle: u32,
    parts: &[(&CellSurface, &Polygon)],
    is_affected: &dyn Fn(u32) -> bool,
) -> Rest {
    let mut segments = Vec::new();
    for edge in 0..3 {
        runs_of_edge(frame, triangle, edge, parts, &mut segments);
    }
    for (surface, polygon) in parts {
        for step in surface.steps(polygon) {
            let Line::Cell(other) = step.from.line else {
                continue;
            };
            if is_affected(other) {
                continue;
            }
            let keys = keys_of(frame, triangle, surface, polygon, step.from);
            segments.push(Segment {
                from: keys[1],
                to: keys[0],
                data: (rest_corner(step.to), Beside::Cut([surface.cell, other])),
            });
        }
    }
    filled(triangle, segments)
}

fn rest_corner(corner: &Corner) -> RestCorner {
    RestCorner {
        at: corner.at,
        weights: corner.weights,
    }
}

/// The keys of both ends of the polygon edge that starts at `from`.
fn keys_of(
    frame: &Frame,
    triangle: u32,
    surface: &CellSurface,
    polygon: &Polygon,
    from: &Corner,
) -> [Key; 2] {
    let corners = surface.corners(polygon);
    let count = corners.len();
    let at = corners
        .iter()
        .position(|c| std::ptr::eq(c, from))
        .unwrap_or(0);
    let line = |k: usize| corners[k % count].line;
    let key = |before: Line, after: Line| corner_key(frame, triangle, surface.cell, before, after);
    [
        key(line(at + count - 1), line(at)),
        key(line(at), line(at + 1)),
    ]
}

fn corner_key(frame: &Frame, triangle: u32, cell: u32, before: Line, after: Line) -> Key {
    match (before, after) {
        (Line::Edge(_), Line::Edge(k)) => {
            Key::Point(frame.solid.points_of(triangle)[usize::from(k)])
        }
        (Line::Edge(k), Line::Cell(j)) | (Line::Cell(j), Line::Edge(k)) => {
            let edge = frame.solid.edge(3 * triangle + u32::from(k));
            Key::Edge(edge, sorted([cell, j]))
        }
        (Line::Cell(j), Line::Cell(k)) => Key::Inside(triangle, sorted([cell, j, k])),
    }
}

/// Where a polygon's part of a triangle edge begins or ends.
struct End {
    key: Key,
    corner: RestCorner,
    /// The bisector's cells and values at the edge's ends; nothing for an end of the edge.
    crossing: Option<([u32; 2], [i64; 2])>,
}

/// Appends the stretches of one triangle edge that lie in no polygon.
fn runs_of_edge(
    frame: &Frame,
    triangle: u32,
    edge: u8,
    parts: &[(&CellSurface, &Polygon)],
    out: &mut Vec<Segment>,
) {
    let k = usize::from(edge);
    let mut taken: Vec<[End; 2]> = Vec::new();
    for (surface, polygon) in parts {
        let corners = surface.corners(polygon);
        let Some(at) = corners.iter().position(|c| c.line == Line::Edge(edge)) else {
            continue;
        };
        let count = corners.len();
        let (before, next) = (
            corners[(at + count - 1) % count].line,
            &corners[(at + 1) % count],
        );
        let end = |line: Line, corner: &Corner, before: Line, after: Line| End {
            key: corner_key(frame, triangle, surface.cell, before, after),
            corner: rest_corner(corner),
            crossing: crossing(frame, triangle, k, surface.cell, line),
        };
        taken.push([
            end(before, &corners[at], before, corners[at].line),
            end(next.line, next, corners[at].line, next.line),
        ]);
    }
    taken.sort_by(|a, b| order(&a[0], &b[0]));
    let points = frame.solid.points_of(triangle);
    let places = frame.solid.positions_of(triangle);
    let whole = |corner: usize| {
        let mut weights = [0.0; 3];
        weights[corner] = 1.0;
        let at = places[corner];
        (Key::Point(points[corner]), RestCorner { at, weights })
    };
    let mut from = whole(k);
    let last = whole((k + 1) % 3);
    let mut push = |from: (Key, RestCorner), to: Key| {
        if from.0 != to {
            out.push(Segment {
                from: from.0,
                to,
                data: (from.1, Beside::Run(edge)),
            });
        }
    };
    for [start, end] in &taken {
        push(from, start.key);
        from = (end.key, end.corner);
    }
    push(from, last.0);
}

/// The crossing of triangle edge `k` with a polygon's line; nothing where the line is an edge.
fn crossing(
    frame: &Frame,
    triangle: u32,
    k: usize,
    cell: u32,
    line: Line,
) -> Option<([u32; 2], [i64; 2])> {
    let Line::Cell(other) = line else {
        return None;
    };
    let bisector = frame.bisector(cell, other);
    let vertices = frame.vertices(triangle);
    let values = [bisector.at(vertices[k]), bisector.at(vertices[(k + 1) % 3])];
    Some(([cell, other], values))
}

/// The order of two starts along an edge; the edge's own start comes first.
fn order(a: &End, b: &End) -> Ordering {
    match (a.crossing, b.crossing) {
        (Some((ab, p)), Some((cd, q))) => exact::edge_order(ab, p, cd, q),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

/// Links the segments into loops and fills them in barycentric coordinates.
fn filled(triangle: u32, mut segments: Vec<Segment>) -> Rest {
    let (order, loops) = outline::link(&mut segments);
    let corners: Vec<RestCorner> = order.iter().map(|s| segments[*s as usize].data.0).collect();
    let flat: Vec<DVec2> = corners
        .iter()
        .map(|c| DVec2::new(c.weights[1], c.weights[2]))
        .collect();
    let filled = fill::fill(&flat, &loops);
    let mut rest = Rest {
        triangle,
        corners,
        regions: filled.regions,
        ..Rest::default()
    };
    for (outline, region) in loops.iter().zip(&filled.loop_regions) {
        for at in outline.clone() {
            let segment = &segments[order[at as usize] as usize];
            match segment.data.1 {
                Beside::Cut(cells) => rest.cuts.push((cells, *region)),
                Beside::Run(edge) => rest.runs.push((edge, [segment.from, segment.to], *region)),
            }
        }
    }
    rest
}
