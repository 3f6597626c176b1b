//! Caps: for every cell face with an affected cell, the region of the face inside the solid.
//!
//! Its outline is the segments that the surface left on the face and the stretches of the face's own
//! edges that lie inside. They are joined by what made their ends, filled once, and given to both
//! sides.

use crate::fracture::active_cells::ActiveCells;
use crate::fracture::caps::edge_spans::EdgeSpans;
use crate::fracture::edge_point::{round, EdgePointSource};
use crate::fracture::grid::GridFrame;
use crate::fracture::surface::clipped_polygon::EdgeLabel;
use crate::fracture::surface::clipped_surface::ClippedSurface;
use crate::math::PooledVec;
use crate::mesh::mass::MassAccumulator;
use crate::pattern::{parity, FaceEdge};
use crate::polygon::{Loops, Segment as LoopSegment};
use crate::polygon::{Regions, Triangulator};
use crate::solid::Solid;
use glam::{DVec2, DVec3, Vec3};

/// What a piece of a cap's outline touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapBorder {
    /// The surface: this polygon of the cap's cell.
    Surface(u32),
    /// The caps of the neighbouring faces, along a stretch (its index).
    Span(u32),
}

/// The filled region of one face. Triangles are counter-clockwise seen from outside `cell`.
#[derive(Debug, Default)]
pub struct Cap {
    /// The affected cell, and the other one (affected with a larger id, or not affected).
    pub cells: [u32; 2],
    /// Unit normal, outward from the first cell.
    pub normal: DVec3,
    /// As they are written out.
    pub points: Vec<[f32; 3]>,
    pub regions: Regions,
    /// By region, seen from outside the first cell.
    pub measures: Vec<RegionMeasure>,
    /// What the outline touches, and the region that does.
    pub borders: Vec<(CapBorder, u32)>,
    pub rough: bool,
}

/// Where a segment of the outline starts, and what it touches.
type Segment = LoopSegment<u64, (DVec3, CapBorder)>;

/// What a region of a cap comes to.
#[derive(Clone, Copy, Debug, Default)]
pub struct RegionMeasure {
    /// Square metres.
    pub area: f64,
    /// Its tetrahedra about the solid's origin.
    pub sum: MassAccumulator,
}

impl Cap {
    fn clear(&mut self) {
        self.points.clear();
        self.regions.clear();
        self.measures.clear();
        self.borders.clear();
    }

    /// The triangles of a region in space.
    pub fn places(&self, region: u32) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        let place = |point: u32| Vec3::from(self.points[point as usize]).as_dvec3();
        let triangles = self.regions.triangles(region).iter();
        triangles.map(move |triangle| triangle.map(place))
    }

    fn measure(&mut self, solid: &Solid) {
        let origin = solid.origin();
        for region in 0..self.regions.count() {
            let mut measure = RegionMeasure::default();
            for [a, b, c] in self.places(region) {
                measure.area += 0.5 * (b - a).cross(c - a).length();
                solid.add_to(&mut measure.sum, [a - origin, b - origin, c - origin]);
            }
            self.measures.push(measure);
        }
    }
}

/// The caps that one cell makes.
#[derive(Debug, Default)]
pub struct CellCaps {
    pub caps: PooledVec<Cap>,
}

/// Where a cap is: the slot of its cell, and the index among those that it makes.
#[derive(Clone, Copy, Debug)]
pub struct CapRef {
    pub slot: u32,
    pub index: u32,
}

/// Lists where the caps of all slots are.
pub fn places(cell_caps: &[CellCaps], out: &mut Vec<CapRef>) {
    out.clear();
    for (slot, own) in cell_caps.iter().enumerate() {
        let slot = slot as u32;
        let own = 0..own.caps.len() as u32;
        out.extend(own.map(|index| CapRef { slot, index }));
    }
}

/// Makes caps, one after another.
#[derive(Default)]
pub struct CapBuilder {
    /// The segments that the surface leaves on faces, and (neighbour, index) of each, sorted.
    cuts: Vec<Segment>,
    by_neighbor: Vec<(u32, u32)>,
    segments: Vec<Segment>,
    outline: Loops<u64>,
    flat: Vec<DVec2>,
    filler: Triangulator,
}

/// What caps are made from.
pub struct CapInput<'a> {
    pub frame: &'a GridFrame<'a>,
    pub slots: &'a ActiveCells,
    pub surface: &'a ClippedSurface,
    pub lines: &'a EdgeSpans,
}

impl CapBuilder {
    /// The caps of one cell, but for those that a smaller affected cell makes.
    pub fn caps_of(&mut self, from: &CapInput, slot: u32, out: &mut CellCaps) {
        let cell = from.slots.cell(slot);
        let pattern = from.frame.pattern;
        self.collect_cuts(from, slot);
        out.caps.resize(0);
        for face in pattern.faces(cell) {
            let other = pattern.neighbor_of_face(face);
            if other < cell && from.slots.is_affected(other) {
                continue;
            }
            let start = self.by_neighbor.partition_point(|cut| cut.0 < other);
            let own = self.by_neighbor[start..].iter();
            let own = own.take_while(|cut| cut.0 == other);
            self.segments.clear();
            self.segments
                .extend(own.map(|cut| self.cuts[cut.1 as usize]));
            for side in pattern.face_edges(face) {
                let forwards = parity([cell, other, side.third]) > 0;
                push_stretches(from.lines, side, forwards, &mut self.segments);
            }
            if !self.segments.is_empty() {
                self.cap(from.frame, [cell, other], out.caps.push_reused());
            }
        }
    }

    /// The segments that the surface leaves on the faces of caps to be made, reversed: their outlines.
    fn collect_cuts(&mut self, from: &CapInput, slot: u32) {
        self.cuts.clear();
        self.by_neighbor.clear();
        let cell = from.slots.cell(slot);
        for index in from.surface.polygons_of(slot) {
            let polygon = from.surface.polygon(index);
            let outline = from.surface.outline(polygon);
            for step in outline.steps() {
                let EdgeLabel::Cell(neighbor) = step.line else {
                    continue;
                };
                if neighbor < cell && from.slots.is_affected(neighbor) {
                    continue;
                }
                let (after, to) = (outline.lines[step.next], outline.places[step.next]);
                self.by_neighbor.push((neighbor, self.cuts.len() as u32));
                self.cuts.push(Segment {
                    from: node(from.frame, polygon.triangle, after),
                    to: node(from.frame, polygon.triangle, step.before),
                    data: (to, CapBorder::Surface(index)),
                });
            }
        }
        self.by_neighbor.sort_unstable();
    }

    /// The cap whose outline is in `segments`.
    fn cap(&mut self, frame: &GridFrame, cells: [u32; 2], cap: &mut Cap) {
        let normal = frame.face_normal(cells[0], cells[1]);
        cap.clear();
        (cap.cells, cap.normal) = (cells, normal);
        self.outline.link(&self.segments);
        let Loops { order, loops, .. } = &self.outline;
        let data = |at: &u32| self.segments[*at as usize].data;
        cap.points.extend(order.iter().map(|at| round(data(at).0)));
        self.flat.clear();
        self.flat
            .extend(order.iter().map(|at| project(data(at).0, normal)));
        cap.rough = self.filler.fill(&self.flat, loops, &mut cap.regions);
        for (outline, region) in loops.iter().zip(&self.filler.loop_regions) {
            let own = &order[outline.start as usize..outline.end as usize];
            cap.borders
                .extend(own.iter().map(|at| (data(at).1, *region)));
        }
        cap.measure(frame.solid);
    }
}

const TRIANGLE: u64 = 1 << 62;
const VERTEX: u64 = 2 << 62;

/// The key of a point of a face on the surface: where the triangle's other line meets the face.
fn node(frame: &GridFrame, triangle: u32, line: EdgeLabel) -> u64 {
    match line {
        EdgeLabel::Edge(k) => u64::from(frame.solid.edge(3 * triangle + u32::from(k))),
        EdgeLabel::Cell(third) => TRIANGLE | u64::from(triangle) << 20 | u64::from(third),
    }
}

fn push_stretches(lines: &EdgeSpans, side: &FaceEdge, forwards: bool, out: &mut Vec<Segment>) {
    let key = |what: EdgePointSource| match what {
        EdgePointSource::Triangle(t) => TRIANGLE | u64::from(t) << 20 | u64::from(side.third),
        EdgePointSource::Vertex(vertex) => VERTEX | u64::from(vertex),
    };
    for index in lines.stretches_of(side.edge) {
        let stretch = &lines.stretches[index as usize];
        let (mut from, mut to) = (&stretch.from, &stretch.to);
        if forwards != (stretch.winding > 0) {
            std::mem::swap(&mut from, &mut to);
        }
        for _ in 0..stretch.winding.unsigned_abs() {
            out.push(Segment {
                from: key(from.what),
                to: key(to.what),
                data: (from.at, CapBorder::Span(index)),
            });
        }
    }
}

/// Drops the coordinate that the normal points along; keeps the sense of rotation.
fn project(p: DVec3, normal: DVec3) -> DVec2 {
    let axis = normal.abs().max_position();
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    if normal[axis] > 0.0 {
        DVec2::new(p[u], p[v])
    } else {
        DVec2::new(p[v], p[u])
    }
}
