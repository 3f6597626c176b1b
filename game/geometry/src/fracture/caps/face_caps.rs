//! Caps: for every face of an affected cell, the region of the face inside the solid.
//!
//! The outline of a cap consists of the segments that the surface leaves on the face, and of the spans of
//! the face's own edges inside the solid. Segments are linked by the keys of their ends, the loops are
//! triangulated once, and both sides of the face use the triangles.

use crate::fracture::affected_cells::AffectedCells;
use crate::fracture::caps::edge_spans::EdgeSpans;
use crate::fracture::grid::GridFrame;
use crate::fracture::ids::{LocalCell, PolygonId, SpanId};
use crate::fracture::output::round_position;
use crate::fracture::surface::clipped_surface::ClippedSurface;
use crate::fracture::surface::edge_crossings::EdgePointSource;
use crate::fracture::surface::polygon::EdgeLabel;
use crate::math::PooledVec;
use crate::mesh::mass::MassAccumulator;
use crate::pattern::{parity, FaceEdge};
use crate::polygon::{Loops, Regions, Segment, Triangulator};
use crate::solid::Solid;
use glam::{DVec2, DVec3, Vec3};

/// Element that a segment of a cap's outline borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapBorder {
    /// Clipped polygon of the cap's first cell.
    Surface(PolygonId),
    /// Caps of the adjacent faces, along a span of a Voronoi edge.
    Span(SpanId),
}

/// Triangulated region of one face. Triangles are counter-clockwise seen from outside the first cell.
#[derive(Debug, Default)]
pub struct Cap {
    /// Affected cell, and the cell across the face (affected with a larger id, or not affected).
    pub cells: [u32; 2],
    /// Unit normal, outward from the first cell.
    pub normal: DVec3,
    /// Positions as in the output.
    pub points: Vec<[f32; 3]>,
    pub regions: Regions,
    /// Measures by region, seen from outside the first cell.
    pub measures: Vec<RegionMeasure>,
    /// Bordering elements of the outline, and the region that each borders.
    pub borders: Vec<(CapBorder, u32)>,
    /// Whether the outline crossed itself after rounding and was filled loop by loop.
    pub rough: bool,
    /// Whether some triangle has no area, or corners at one position.
    pub has_flat: bool,
}

/// Area and mass contribution of a cap's region.
#[derive(Clone, Copy, Debug, Default)]
pub struct RegionMeasure {
    /// Area, square metres.
    pub area: f64,
    /// Tetrahedra of its triangles about the solid's origin.
    pub sum: MassAccumulator,
}

impl Cap {
    fn clear(&mut self) {
        self.points.clear();
        self.regions.clear();
        self.measures.clear();
        self.borders.clear();
    }

    /// Triangles of a region in object space.
    pub fn triangles(&self, region: u32) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        let position = |point: u32| Vec3::from(self.points[point as usize]).as_dvec3();
        let triangles = self.regions.triangles(region).iter();
        triangles.map(move |triangle| triangle.map(position))
    }

    fn measure(&mut self, solid: &Solid) {
        let origin = solid.origin();
        self.has_flat = false;
        for region in 0..self.regions.count() {
            let mut measure = RegionMeasure::default();
            let mut has_flat = false;
            for [a, b, c] in self.triangles(region) {
                let cross = (b - a).cross(c - a);
                has_flat |= cross == DVec3::ZERO;
                measure.area += 0.5 * cross.length();
                solid.add_to(&mut measure.sum, [a - origin, b - origin, c - origin]);
            }
            self.measures.push(measure);
            self.has_flat |= has_flat;
        }
    }
}

/// Caps that one cell makes: those of its faces, but for faces to a smaller affected cell.
pub type CellCaps = PooledVec<Cap>;

/// Place of a cap: the cell that makes it, and its index there.
#[derive(Clone, Copy, Debug)]
pub struct CapRef {
    pub cell: LocalCell,
    pub index: u32,
}

/// Lists all caps, by cell.
pub fn list_caps(cell_caps: &[CellCaps], out: &mut Vec<CapRef>) {
    out.clear();
    for (cell, caps) in (0..).map(LocalCell).zip(cell_caps) {
        let indices = 0..caps.len() as u32;
        out.extend(indices.map(|index| CapRef { cell, index }));
    }
}

/// Identity of a vertex of a cap's outline within its face, as `VertexKey` is for polygons. The face's two cells
/// are implied, so that 64 bits suffice: sorting keys is a tenth of the work of a break.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct FaceVertexKey(u64);

impl FaceVertexKey {
    /// Edge of the solid that crosses the face.
    fn edge(edge: u32) -> Self {
        Self(u64::from(edge))
    }

    /// Triangle of the solid on the Voronoi edge of the face and a third cell.
    fn triangle(triangle: u32, third: u32) -> Self {
        Self(1 << 62 | u64::from(triangle) << 20 | u64::from(third))
    }

    /// Vertex of the pattern.
    fn pattern(vertex: u32) -> Self {
        Self(2 << 62 | u64::from(vertex))
    }

    /// Intersection of the face with the line of another edge of a polygon.
    fn on_line(solid: &Solid, triangle: u32, line: EdgeLabel) -> Self {
        match line {
            EdgeLabel::Edge(k) => Self::edge(solid.edge(3 * triangle + u32::from(k))),
            EdgeLabel::Cell(third) => Self::triangle(triangle, third),
        }
    }
}

/// Directed segment of a cap's outline.
type CapSegment = Segment<FaceVertexKey, SegmentStart>;

/// Start position of a segment, and the element that the segment borders.
#[derive(Clone, Copy)]
struct SegmentStart {
    position: DVec3,
    border: CapBorder,
}

/// Builds caps; reused from one cell to the next.
#[derive(Default)]
pub struct CapBuilder {
    /// Segments that the surface leaves on the faces of the current cell.
    surface_segments: Vec<CapSegment>,
    /// Neighbour across the face and index of each of these segments, sorted.
    by_neighbor: Vec<(u32, u32)>,
    /// Outline of the current cap.
    segments: Vec<CapSegment>,
    loops: Loops<FaceVertexKey>,
    /// Points of the current outline, projected along an axis.
    projected: Vec<DVec2>,
    triangulator: Triangulator,
}

/// Input of the caps.
pub struct CapInput<'a> {
    pub frame: &'a GridFrame<'a>,
    pub affected: &'a AffectedCells,
    pub surface: &'a ClippedSurface,
    pub spans: &'a EdgeSpans,
}

impl CapInput<'_> {
    /// Whether the cap between a cell and its neighbour is made by the neighbour.
    fn is_made_by_neighbor(&self, cell: u32, neighbor: u32) -> bool {
        neighbor < cell && self.affected.is_affected(neighbor)
    }
}

impl CapBuilder {
    /// Builds the caps that one cell makes.
    pub fn build_caps(&mut self, input: &CapInput, local: LocalCell, out: &mut CellCaps) {
        let cell = input.affected.cell(local);
        let pattern = input.frame.pattern;
        self.collect_surface_segments(input, local);
        out.resize(0);
        for face in pattern.faces(cell) {
            let neighbor = pattern.neighbor_of_face(face);
            if input.is_made_by_neighbor(cell, neighbor) {
                continue;
            }
            let start = self.by_neighbor.partition_point(|own| own.0 < neighbor);
            let own = self.by_neighbor[start..].iter();
            let own = own.take_while(|own| own.0 == neighbor);
            self.segments.clear();
            self.segments
                .extend(own.map(|own| self.surface_segments[own.1 as usize]));
            for edge in pattern.face_edges(face) {
                push_spans(input.spans, [cell, neighbor], edge, &mut self.segments);
            }
            if !self.segments.is_empty() {
                self.build_cap(input.frame, [cell, neighbor], out.push_reused());
            }
        }
    }

    /// Collects the polygon edges on the faces of caps to be made. The outline of a cap has them reversed.
    fn collect_surface_segments(&mut self, input: &CapInput, local: LocalCell) {
        self.surface_segments.clear();
        self.by_neighbor.clear();
        let (solid, cell) = (input.frame.solid, input.affected.cell(local));
        for &id in input.surface.polygons_in(local) {
            let triangle = input.surface.polygon(id).triangle;
            let polygon = input.surface.view(input.surface.polygon(id));
            for edge in polygon.edges() {
                let EdgeLabel::Cell(neighbor) = edge.label else {
                    continue;
                };
                if input.is_made_by_neighbor(cell, neighbor) {
                    continue;
                }
                let key = |line| FaceVertexKey::on_line(solid, triangle, line);
                let index = self.surface_segments.len() as u32;
                self.by_neighbor.push((neighbor, index));
                self.surface_segments.push(Segment {
                    from: key(polygon.labels[edge.end]),
                    to: key(edge.previous),
                    data: SegmentStart {
                        position: polygon.positions[edge.end],
                        border: CapBorder::Surface(id),
                    },
                });
            }
        }
        self.by_neighbor.sort_unstable();
    }

    /// Builds the cap whose outline is in `segments`.
    fn build_cap(&mut self, frame: &GridFrame, cells: [u32; 2], cap: &mut Cap) {
        let normal = frame.face_normal(cells[0], cells[1]);
        cap.clear();
        (cap.cells, cap.normal) = (cells, normal);
        self.loops.link(&self.segments);
        let Loops { order, loops, .. } = &self.loops;
        let start = |at: &u32| self.segments[*at as usize].data;
        let positions = || order.iter().map(|at| start(at).position);
        cap.points.extend(positions().map(round_position));
        let [u, v] = projected_axes(normal);
        self.projected.clear();
        self.projected
            .extend(positions().map(|position| DVec2::new(position[u], position[v])));
        cap.rough = self
            .triangulator
            .fill(&self.projected, loops, &mut cap.regions);
        for (outline, region) in loops.iter().zip(&self.triangulator.loop_regions) {
            let own = &order[outline.start as usize..outline.end as usize];
            cap.borders
                .extend(own.iter().map(|at| (start(at).border, *region)));
        }
        cap.measure(frame.solid);
    }
}

/// Adds the spans of one edge of a face as segments of the outline, as often as the solid winds around them.
fn push_spans(spans: &EdgeSpans, cells: [u32; 2], edge: &FaceEdge, out: &mut Vec<CapSegment>) {
    let key = |source: EdgePointSource| match source {
        EdgePointSource::Triangle(triangle) => FaceVertexKey::triangle(triangle, edge.third),
        EdgePointSource::Vertex(vertex) => FaceVertexKey::pattern(vertex),
    };
    let is_forward = parity([cells[0], cells[1], edge.third]) > 0;
    for id in spans.spans_of(edge.edge) {
        let span = spans.span(id);
        let (mut from, mut to) = (&span.from, &span.to);
        if is_forward != (span.winding > 0) {
            std::mem::swap(&mut from, &mut to);
        }
        for _ in 0..span.winding.unsigned_abs() {
            out.push(Segment {
                from: key(from.source),
                to: key(to.source),
                data: SegmentStart {
                    position: from.position,
                    border: CapBorder::Span(id),
                },
            });
        }
    }
}

/// Axes that are left after the one along which a normal is largest is dropped; keeps the sense of rotation.
fn projected_axes(normal: DVec3) -> [usize; 2] {
    let axis = normal.abs().max_position();
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    if normal[axis] > 0.0 {
        [u, v]
    } else {
        [v, u]
    }
}
