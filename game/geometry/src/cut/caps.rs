//! Caps: for every cell face with an affected cell, the region of the face inside the solid.
//!
//! Its outline is the segments that the surface left on the face and the stretches of the face's own
//! edges that lie inside. They are joined by what made their ends, filled once, and given to both
//! sides.

use super::clip::Line;
use super::fill::{Filler, Regions};
use super::frame::Frame;
use super::lines::Stretch;
use super::outline::{self, Loops};
use super::places::What;
use super::surface::CellSurface;
use crate::pattern::{parity, Side};
use glam::{DVec2, DVec3};

/// What a piece of a cap's outline touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// The surface: the polygon with this index of the cap's cell.
    Surface(u32),
    /// The caps of the neighbouring faces, along a stretch (its index).
    Stretch(u32),
}

/// The filled region of one face. Triangles are counter-clockwise seen from outside `cell`.
#[derive(Debug, Default)]
pub struct Cap {
    /// The affected cell, and the other one (affected with a larger id, or not affected).
    pub cells: [u32; 2],
    /// Unit normal, outward from the first cell.
    pub normal: DVec3,
    pub points: Vec<DVec3>,
    pub regions: Regions,
    /// What the outline touches, and the region that does.
    pub borders: Vec<(Border, u32)>,
    pub rough: bool,
}

/// Where a segment of the outline starts, and what it touches.
type Segment = outline::Segment<u64, (DVec3, Border)>;

impl Cap {
    fn clear(&mut self) {
        self.points.clear();
        self.regions.clear();
        self.borders.clear();
    }
}

/// Makes caps, one after another; keeps used ones to make new ones of.
#[derive(Default)]
pub struct CapMaker {
    pub spare: Vec<Cap>,
    pub spare_lists: Vec<Vec<Cap>>,
    cuts: Vec<(u32, Segment)>,
    segments: Vec<Segment>,
    outline: Loops,
    flat: Vec<DVec2>,
    filler: Filler,
}

impl CapMaker {
    /// The caps of one cell, but for those that a smaller affected cell makes.
    pub fn caps_of(
        &mut self,
        frame: &Frame,
        surface: &CellSurface,
        stretches: &[Stretch],
        is_affected: &dyn Fn(u32) -> bool,
    ) -> Vec<Cap> {
        let cell = surface.cell;
        self.collect_cuts(frame, surface);
        let mut caps = self.spare_lists.pop().unwrap_or_default();
        for face in frame.pattern.faces(cell) {
            let other = frame.pattern.neighbor_of_face(face);
            if other < cell && is_affected(other) {
                continue;
            }
            let start = self.cuts.partition_point(|(neighbor, _)| *neighbor < other);
            let own = self.cuts[start..].iter();
            let own = own.take_while(|(neighbor, _)| *neighbor == other);
            self.segments.clear();
            self.segments.extend(own.map(|(_, segment)| *segment));
            for side in frame.pattern.sides(face) {
                let forwards = parity([cell, other, side.third]) > 0;
                push_stretches(stretches, side, forwards, &mut self.segments);
            }
            if !self.segments.is_empty() {
                caps.push(self.cap(frame, [cell, other]));
            }
        }
        caps
    }

    /// The segments that the surface leaves on each face, reversed: the outline of the cap.
    fn collect_cuts(&mut self, frame: &Frame, surface: &CellSurface) {
        self.cuts.clear();
        for (index, polygon) in surface.polygons.iter().enumerate() {
            let corners = surface.corners(polygon);
            for (at, step) in surface.steps(polygon).enumerate() {
                let Line::Cell(neighbor) = step.from.line else {
                    continue;
                };
                let after = corners[(at + 1) % corners.len()].line;
                let segment = Segment {
                    from: node(frame, polygon.triangle, after),
                    to: node(frame, polygon.triangle, step.before),
                    data: (step.to.at, Border::Surface(index as u32)),
                };
                self.cuts.push((neighbor, segment));
            }
        }
        self.cuts
            .sort_unstable_by_key(|(neighbor, s)| (*neighbor, s.from, s.to));
    }

    /// The cap whose outline is in `segments`.
    fn cap(&mut self, frame: &Frame, cells: [u32; 2]) -> Cap {
        let normal = frame.face_normal(cells[0], cells[1]);
        let mut cap = self.spare.pop().unwrap_or_default();
        cap.clear();
        (cap.cells, cap.normal) = (cells, normal);
        self.outline.link(&mut self.segments);
        let Loops { order, loops, .. } = &self.outline;
        let data = |at: &u32| self.segments[*at as usize].data;
        cap.points.extend(order.iter().map(|at| data(at).0));
        self.flat.clear();
        self.flat
            .extend(cap.points.iter().map(|p| project(*p, normal)));
        cap.rough = self.filler.fill(&self.flat, loops, &mut cap.regions);
        for (outline, region) in loops.iter().zip(&self.filler.loop_regions) {
            let own = &order[outline.start as usize..outline.end as usize];
            cap.borders
                .extend(own.iter().map(|at| (data(at).1, *region)));
        }
        cap
    }
}

const TRIANGLE: u64 = 1 << 62;
const VERTEX: u64 = 2 << 62;

/// The key of a point of a face on the surface: where the triangle's other line meets the face.
fn node(frame: &Frame, triangle: u32, line: Line) -> u64 {
    match line {
        Line::Edge(k) => u64::from(frame.solid.edge(3 * triangle + u32::from(k))),
        Line::Cell(third) => TRIANGLE | u64::from(triangle) << 20 | u64::from(third),
    }
}

fn push_stretches(all: &[Stretch], side: &Side, forwards: bool, out: &mut Vec<Segment>) {
    let key = |what: What| match what {
        What::Triangle(t) => TRIANGLE | u64::from(t) << 20 | u64::from(side.third),
        What::Vertex(vertex) => VERTEX | u64::from(vertex),
    };
    let start = all.partition_point(|s| s.edge < side.edge);
    let own = all.iter().enumerate().skip(start);
    for (index, stretch) in own.take_while(|(_, s)| s.edge == side.edge) {
        let (mut from, mut to) = (&stretch.from, &stretch.to);
        if forwards != (stretch.winding > 0) {
            std::mem::swap(&mut from, &mut to);
        }
        for _ in 0..stretch.winding.unsigned_abs() {
            out.push(Segment {
                from: key(from.what),
                to: key(to.what),
                data: (from.at, Border::Stretch(index as u32)),
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
