//! The part of the surface inside one cell: whole triangles in runs, and clipped ones as polygons.

use super::clip::{Clipper, Corner, Line, Row};
use super::frame::{Around, Bisector, Frame};
use super::places::Crossing;
use crate::exact;
use std::ops::Range;

/// A clipped triangle.
#[derive(Clone, Copy, Debug)]
pub struct Polygon {
    pub triangle: u32,
    first: u32,
    count: u32,
}

/// What a cell holds of the surface.
#[derive(Debug, Default)]
pub struct CellSurface {
    pub cell: u32,
    /// Runs of triangles that lie wholly inside.
    pub runs: Vec<Range<u32>>,
    pub polygons: Vec<Polygon>,
    /// Of pattern edges, as far as this cell tells of them.
    pub crossings: Vec<Crossing>,
    corners: Vec<Corner>,
}

/// A polygon edge, from its corner to the next.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The line on which the outline arrives at `from`.
    pub before: Line,
    /// The line of this edge is `from.line`.
    pub from: &'a Corner,
    pub to: &'a Corner,
}

impl CellSurface {
    /// A polygon's corners, counter-clockwise.
    pub fn corners(&self, polygon: &Polygon) -> &[Corner] {
        &self.corners[polygon.first as usize..(polygon.first + polygon.count) as usize]
    }

    /// A polygon's edges.
    pub fn steps<'a>(&'a self, polygon: &Polygon) -> impl Iterator<Item = Step<'a>> {
        let corners = self.corners(polygon);
        let count = corners.len();
        (0..count).map(move |at| Step {
            before: corners[(at + count - 1) % count].line,
            from: &corners[at],
            to: &corners[(at + 1) % count],
        })
    }

    fn clear(&mut self) {
        self.runs.clear();
        self.polygons.clear();
        self.corners.clear();
    }

    /// Whether no part of the surface lies in the cell.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.polygons.is_empty()
    }
}

/// Scratch for cutting cells out of the surface.
#[derive(Default)]
pub struct Cutter {
    bisectors: Vec<Bisector>,
    /// A stack of lists: the bisectors that a tree node and its parents do not lie inside of.
    active: Vec<u32>,
    rows: Vec<Row>,
    clipper: Clipper,
    /// Used ones, to make new ones of.
    pub spare: Vec<CellSurface>,
}

impl Cutter {
    /// Cuts one cell out of the surface. Visits only the tree nodes that its planes leave.
    pub fn cut(&mut self, frame: &Frame, cell: u32) -> CellSurface {
        frame.bisectors(cell, &mut self.bisectors);
        self.active.clear();
        self.active.extend(0..self.bisectors.len() as u32);
        let mut out = self.spare.pop().unwrap_or_default();
        out.clear();
        out.cell = cell;
        self.visit(frame, 0, 0, &mut out);
        out
    }

    /// Visits a node whose parents leave the bisectors `active[parents..]` undecided.
    fn visit(&mut self, frame: &Frame, index: u32, parents: usize, out: &mut CellSurface) {
        let node = frame.solid.tree().node(index);
        let start = self.active.len();
        let around = Around::node(node);
        for at in parents..start {
            let bisector = self.active[at];
            let (low, high) = self.bisectors[bisector as usize].range(&around);
            if high < 0.0 {
                self.active.truncate(start);
                return;
            }
            if low <= 0.0 {
                self.active.push(bisector);
            }
        }
        let triangles = node.first..node.first + node.count;
        if self.active.len() == start {
            push_run(&mut out.runs, triangles);
        } else if node.right == 0 {
            for triangle in triangles {
                self.triangle(frame, triangle, start, out);
            }
        } else {
            let right = node.right;
            self.visit(frame, index + 1, start, out);
            self.visit(frame, right, start, out);
        }
        self.active.truncate(start);
    }

    fn triangle(&mut self, frame: &Frame, triangle: u32, start: usize, out: &mut CellSurface) {
        let vertices = frame.vertices(triangle);
        self.rows.clear();
        for &index in &self.active[start..] {
            let bisector = &self.bisectors[index as usize];
            let values = bisector.row(&vertices);
            let inside = |p: &i64| exact::at_vertex(out.cell, bisector.cell, *p) > 0;
            match values.iter().filter(|p| inside(p)).count() {
                0 => return,
                3 => {}
                _ => self.rows.push(Row {
                    cell: bisector.cell,
                    values,
                }),
            }
        }
        if self.rows.is_empty() {
            push_run(&mut out.runs, triangle..triangle + 1);
            return;
        }
        let first = out.corners.len() as u32;
        self.clipper
            .clip(frame, out.cell, triangle, &self.rows, &mut out.corners);
        let count = out.corners.len() as u32 - first;
        if count > 0 {
            out.polygons.push(Polygon {
                triangle,
                first,
                count,
            });
        }
    }
}

fn push_run(runs: &mut Vec<Range<u32>>, run: Range<u32>) {
    match runs.last_mut() {
        Some(last) if last.end == run.start => last.end = run.end,
        _ => runs.push(run),
    }
}
