//! What is left of a triangle when the polygons of affected cells are taken out of it.
//!
//! Bisectors between two cells that are not affected leave no trace: the rest of a triangle is
//! bounded by the stretches of its edges outside the polygons and by the polygons' own cuts,
//! reversed.

use crate::fracture::active_cells::ActiveCells;
use crate::fracture::grid::GridFrame;
use crate::fracture::surface::clipped_polygon::{EdgeLabel, PolygonEdge, PolygonView};
use crate::fracture::surface::clipped_surface::{ClippedSurface, PolygonRef};
use crate::math::predicates;
use crate::pattern::sorted;
use crate::polygon::{Loops, Segment as LoopSegment};
use crate::polygon::{Regions, Triangulator};
use glam::{DVec2, DVec3};
use std::cmp::Ordering;

/// A corner of what is left.
#[derive(Clone, Copy, Debug)]
pub struct ResidualVertex {
    pub at: DVec3,
    pub weights: [f64; 3],
}

/// What is left of one triangle.
#[derive(Debug, Default)]
pub struct Residual {
    pub triangle: u32,
    pub corners: Vec<ResidualVertex>,
    pub regions: Regions,
    /// The region beside each cut: (affected cell, other cell, region).
    pub cuts: Vec<([u32; 2], u32)>,
    /// The region beside each stretch of a triangle edge: (edge 0 to 2, its end keys, region).
    pub runs: Vec<(u8, [VertexKey; 2], u32)>,
}

/// What made a corner, the same in all triangles that share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VertexKey {
    /// A point of the solid.
    Point(u32),
    /// An edge of the solid and a bisector.
    Edge(u32, [u32; 2]),
    /// A triangle of the solid and a pattern edge.
    Inside(u32, [u32; 3]),
}

#[derive(Clone, Copy)]
enum ResidualBorder {
    Cut([u32; 2]),
    Run(u8),
}

type Segment = LoopSegment<VertexKey, (ResidualVertex, ResidualBorder)>;

impl Residual {
    fn clear(&mut self) {
        self.corners.clear();
        self.regions.clear();
        self.cuts.clear();
        self.runs.clear();
    }
}

/// What is taken out of triangles.
pub struct ResidualInput<'a> {
    pub frame: &'a GridFrame<'a>,
    pub slots: &'a ActiveCells,
    pub surface: &'a ClippedSurface,
}

impl ResidualInput<'_> {
    fn outline(&self, part: &PolygonRef) -> PolygonView<'_> {
        self.surface.outline(self.surface.polygon(part.polygon))
    }
}

/// Finds what is left of triangles, one after another.
#[derive(Default)]
pub struct ResidualBuilder {
    segments: Vec<Segment>,
    ends: Vec<[SpanEnd; 2]>,
    outline: Loops<VertexKey>,
    flat: Vec<DVec2>,
    filler: Triangulator,
}

impl ResidualBuilder {
    /// What is left of a triangle after the given polygons, which are all of its parts in affected
    /// cells.
    pub fn rest_of(&mut self, cuts: &ResidualInput, taken: &[PolygonRef], out: &mut Residual) {
        if matches!(taken, [only] if one_cut(cuts, only, out)) {
            return;
        }
        let triangle = taken.first().map_or(0, |t| t.triangle);
        self.segments.clear();
        for edge in 0..3 {
            self.runs_of_edge(cuts, taken, edge);
        }
        for part in taken {
            let cell = cuts.slots.cell(part.slot);
            let outline = cuts.outline(part);
            for step in outline.steps() {
                let EdgeLabel::Cell(other) = step.line else {
                    continue;
                };
                if cuts.slots.is_affected(other) {
                    continue;
                }
                let key = |before, after| corner_key(cuts.frame, triangle, cell, before, after);
                let after = outline.lines[step.next];
                self.segments.push(Segment {
                    from: key(step.line, after),
                    to: key(step.before, step.line),
                    data: (
                        rest_corner(&outline, step.next),
                        ResidualBorder::Cut([cell, other]),
                    ),
                });
            }
        }
        self.fill(triangle, out);
    }

    /// Appends the stretches of one triangle edge that lie in no polygon.
    fn runs_of_edge(&mut self, cuts: &ResidualInput, taken: &[PolygonRef], edge: u8) {
        let frame = cuts.frame;
        let triangle = taken.first().map_or(0, |t| t.triangle);
        let k = usize::from(edge);
        self.ends.clear();
        for part in taken {
            let cell = cuts.slots.cell(part.slot);
            let outline = cuts.outline(part);
            let own = |line: &EdgeLabel| *line == EdgeLabel::Edge(edge);
            let Some(at) = outline.lines.iter().position(own) else {
                continue;
            };
            let (step, next) = (outline.step(at), outline.step(outline.step(at).next));
            let end = |line: EdgeLabel, corner: PolygonEdge| SpanEnd {
                key: corner_key(frame, triangle, cell, corner.before, corner.line),
                corner: rest_corner(&outline, corner.at),
                bisector: match line {
                    EdgeLabel::Cell(other) => Some([cell, other]),
                    EdgeLabel::Edge(_) => None,
                },
            };
            self.ends
                .push([end(step.before, step), end(next.line, next)]);
        }
        self.ends
            .sort_unstable_by(|a, b| order(frame, triangle, k, &a[0], &b[0]));
        let points = frame.solid.points_of(triangle);
        let places = frame.solid.positions_of(triangle);
        let whole = |k: usize| (VertexKey::Point(points[k]), vertex_corner(&places, k));
        let mut from = whole(k);
        let last = whole((k + 1) % 3);
        let segments = &mut self.segments;
        let mut push = |from: (VertexKey, ResidualVertex), to: VertexKey| {
            if from.0 != to {
                segments.push(Segment {
                    from: from.0,
                    to,
                    data: (from.1, ResidualBorder::Run(edge)),
                });
            }
        };
        for [start, end] in &self.ends {
            push(from, start.key);
            from = (end.key, end.corner);
        }
        push(from, last.0);
    }

    /// Links the segments into loops and fills them in barycentric coordinates.
    fn fill(&mut self, triangle: u32, rest: &mut Residual) {
        rest.clear();
        rest.triangle = triangle;
        self.outline.link(&self.segments);
        let Loops { order, loops, .. } = &self.outline;
        let segment = |at: &u32| &self.segments[*at as usize];
        rest.corners
            .extend(order.iter().map(|at| segment(at).data.0));
        self.flat.clear();
        let corners = rest.corners.iter();
        self.flat
            .extend(corners.map(|c| DVec2::new(c.weights[1], c.weights[2])));
        self.filler.fill(&self.flat, loops, &mut rest.regions);
        for (outline, region) in loops.iter().zip(&self.filler.loop_regions) {
            for at in &order[outline.start as usize..outline.end as usize] {
                let segment = segment(at);
                match segment.data.1 {
                    ResidualBorder::Cut(cells) => rest.cuts.push((cells, *region)),
                    ResidualBorder::Run(edge) => {
                        rest.runs.push((edge, [segment.from, segment.to], *region));
                    }
                }
            }
        }
    }
}

/// What is left of a triangle that one bisector crosses, which is most of them: a triangle or a
/// quadrilateral. False if it is another case.
fn one_cut(cuts: &ResidualInput, part: &PolygonRef, rest: &mut Residual) -> bool {
    let outline = cuts.outline(part);
    let is_cut = |step: &PolygonEdge| matches!(step.line, EdgeLabel::Cell(_));
    let mut steps = outline.steps().filter(is_cut);
    let (Some(start), None) = (steps.next(), steps.next()) else {
        return false;
    };
    let end = outline.step(start.next);
    let (EdgeLabel::Edge(first), EdgeLabel::Cell(other), EdgeLabel::Edge(last)) =
        (start.before, start.line, end.line)
    else {
        return false;
    };
    let (triangle, cell) = (part.triangle, cuts.slots.cell(part.slot));
    let solid = cuts.frame.solid;
    let (points, places) = (solid.points_of(triangle), solid.positions_of(triangle));
    let key = |step: PolygonEdge| corner_key(cuts.frame, triangle, cell, step.before, step.line);
    rest.clear();
    rest.triangle = triangle;
    rest.cuts.push(([cell, other], 0));
    // Back along the cut, then on along the triangle's edges.
    let corners = [end, start].map(|step| rest_corner(&outline, step.at));
    rest.corners.extend(corners);
    let (mut edge, mut from) = (first, key(start));
    while edge != last {
        let next = usize::from(edge + 1) % 3;
        let to = VertexKey::Point(points[next]);
        rest.runs.push((edge, [from, to], 0));
        rest.corners.push(vertex_corner(&places, next));
        (edge, from) = (next as u8, to);
    }
    rest.runs.push((last, [from, key(end)], 0));
    rest.regions.fan(rest.corners.len() as u32);
    true
}

/// A corner of the triangle.
fn vertex_corner(places: &[DVec3; 3], k: usize) -> ResidualVertex {
    let mut weights = [0.0; 3];
    weights[k] = 1.0;
    let at = places[k];
    ResidualVertex { at, weights }
}

fn rest_corner(outline: &PolygonView, corner: usize) -> ResidualVertex {
    ResidualVertex {
        at: outline.places[corner],
        weights: outline.weights[corner],
    }
}

fn corner_key(
    frame: &GridFrame,
    triangle: u32,
    cell: u32,
    before: EdgeLabel,
    after: EdgeLabel,
) -> VertexKey {
    match (before, after) {
        (EdgeLabel::Edge(_), EdgeLabel::Edge(k)) => {
            VertexKey::Point(frame.solid.points_of(triangle)[usize::from(k)])
        }
        (EdgeLabel::Edge(k), EdgeLabel::Cell(j)) | (EdgeLabel::Cell(j), EdgeLabel::Edge(k)) => {
            let edge = frame.solid.edge(3 * triangle + u32::from(k));
            VertexKey::Edge(edge, sorted([cell, j]))
        }
        (EdgeLabel::Cell(j), EdgeLabel::Cell(k)) => {
            VertexKey::Inside(triangle, sorted([cell, j, k]))
        }
    }
}

/// Where a polygon's part of a triangle edge begins or ends.
#[derive(Clone, Copy)]
struct SpanEnd {
    key: VertexKey,
    corner: ResidualVertex,
    /// The cells of the bisector that crosses the edge there; nothing for an end of the edge.
    bisector: Option<[u32; 2]>,
}

/// The order of two starts along triangle edge `k`; the edge's own start comes first.
fn order(frame: &GridFrame, triangle: u32, k: usize, a: &SpanEnd, b: &SpanEnd) -> Ordering {
    let (Some(ab), Some(cd)) = (a.bisector, b.bisector) else {
        return a.bisector.is_some().cmp(&b.bisector.is_some());
    };
    let vertices = frame.vertices(triangle);
    let values = |[cell, other]: [u32; 2]| {
        let bisector = frame.bisector(cell, other);
        [bisector.at(vertices[k]), bisector.at(vertices[(k + 1) % 3])]
    };
    predicates::edge_order(ab, values(ab), cd, values(cd))
}
