//! The surface against the cells: which triangles lie wholly in one, and the parts of the others.

use super::clip::{Clipper, Row};
use super::crossings::find_crossings;
use super::frame::{Around, Frame};
use super::places::Crossing;
use super::polygon::Corners;
use super::reach::{Contest, Job, Reach, Rival};
use super::slots::{Slots, REST};
use crate::exact;
use std::ops::Range;

/// The part of a triangle in one affected cell.
#[derive(Clone, Copy, Debug)]
pub struct Cutout {
    pub triangle: u32,
    pub slot: u32,
    pub first: u32,
    pub count: u32,
}

/// What affected cells hold of one part of the surface.
#[derive(Debug, Default)]
pub struct Chunk {
    /// Slots and the triangles that lie wholly in their cells, ascending.
    pub runs: Vec<(u32, Range<u32>)>,
    /// By triangle, then by slot.
    pub cutouts: Vec<Cutout>,
    pub corners: Corners,
    /// Of pattern edges, each told by one cell.
    pub crossings: Vec<Crossing>,
}

impl Chunk {
    fn clear(&mut self) {
        self.runs.clear();
        self.cutouts.clear();
        self.corners.clear();
        self.crossings.clear();
    }

    fn push_run(&mut self, slot: u32, run: Range<u32>) {
        match self.runs.last_mut() {
            Some((last, own)) if *last == slot && own.end == run.start => own.end = run.end,
            _ => self.runs.push((slot, run)),
        }
    }
}

/// More rivals than this for one triangle are more than a cell has neighbours.
const MANY: usize = 20;

/// Cuts the surface, one part after another.
#[derive(Default)]
pub struct Cutter {
    contest: Contest,
    /// Values of the rivals at the corners of a triangle.
    values: Vec<[i64; 3]>,
    rows: Vec<Row>,
    clipper: Clipper,
}

/// What does not change within a part.
struct Part<'a> {
    frame: &'a Frame<'a>,
    slots: &'a Slots,
    rivals: &'a [Rival],
    out: &'a mut Chunk,
}

impl Cutter {
    /// Cuts one part of the surface. Visits only tree nodes that more than one cell may hold.
    pub fn cut(&mut self, frame: &Frame, slots: &Slots, reach: &Reach, job: &Job, out: &mut Chunk) {
        out.clear();
        self.contest.start(reach.of_job(job).iter().copied());
        let mut part = Part {
            frame,
            slots,
            rivals: &reach.rivals,
            out,
        };
        self.visit(&mut part, job.node, 0);
    }

    /// Visits a node whose parents leave the rivals on the contest's stack from `parents` on.
    fn visit(&mut self, part: &mut Part, index: u32, parents: usize) {
        let node = part.frame.solid.tree().node(index);
        let around = Around::node(node);
        let start = self
            .contest
            .decide(part.frame, part.rivals, &around, parents);
        let triangles = node.first..node.first + node.count;
        let slot = |rival: &u32| part.rivals[*rival as usize].slot;
        let left = &self.contest.stack[start..];
        if let [only] = left {
            if slot(only) != REST {
                part.out.push_run(slot(only), triangles);
            }
        } else if left.iter().any(|rival| slot(rival) != REST) {
            if node.right == 0 {
                triangles.for_each(|triangle| self.triangle(part, triangle, start));
            } else {
                let right = node.right;
                self.visit(part, index + 1, start);
                self.visit(part, right, start);
            }
        }
        self.contest.stack.truncate(start);
    }

    fn triangle(&mut self, part: &mut Part, triangle: u32, start: usize) {
        let x = part.frame.vertices(triangle);
        let left = &self.contest.stack[start..];
        self.values.clear();
        let rivals = left.iter().map(|rival| &part.rivals[*rival as usize]);
        self.values.extend(rivals.map(|rival| rival.height.row(&x)));
        // Rivals come in the order of their cells: of equal ones the first wins.
        let mut best = [0; 3];
        for (at, values) in self.values.iter().enumerate() {
            for k in 0..3 {
                if values[k] > self.values[best[k]][k] {
                    best[k] = at;
                }
            }
        }
        if best[0] == best[1] && best[1] == best[2] {
            // A cell is convex.
            let slot = part.rivals[left[best[0]] as usize].slot;
            if slot != REST {
                part.out.push_run(slot, triangle..triangle + 1);
            }
            return;
        }
        let many = left.len() > MANY;
        for own in 0..left.len() {
            let rival = &part.rivals[self.contest.stack[start + own] as usize];
            if rival.slot == REST {
                continue;
            }
            let is_reached = match many {
                true => self.find_rows_of_neighbors(part.frame, rival.cell, own, &x),
                false => self.find_rows(part, start, own),
            };
            if is_reached {
                self.clip(part, triangle, rival);
            }
        }
    }

    /// Finds the bisectors of a rival's cell that cross the triangle; false if one leaves nothing.
    fn find_rows(&mut self, part: &Part, start: usize, own: usize) -> bool {
        let left = &self.contest.stack[start..];
        let cell = part.rivals[left[own] as usize].cell;
        self.rows.clear();
        let others = left.iter().zip(&self.values).enumerate();
        let mut others = others.filter(|(at, _)| *at != own);
        others.all(|(_, (rival, values))| {
            let other = part.rivals[*rival as usize].cell;
            push_row(&mut self.rows, [cell, other], &self.values[own], values)
        })
    }

    /// The same by the cell's neighbours, which are fewer than the rivals for a triangle as large as
    /// many cells.
    fn find_rows_of_neighbors(
        &mut self,
        frame: &Frame,
        cell: u32,
        own: usize,
        x: &[[i64; 3]; 3],
    ) -> bool {
        self.rows.clear();
        let mut others = frame.pattern.neighbors(cell).iter();
        others.all(|&other| {
            let values = frame.height(other).row(x);
            push_row(&mut self.rows, [cell, other], &self.values[own], &values)
        })
    }

    /// Clips a triangle to a rival's cell by the rows.
    fn clip(&mut self, part: &mut Part, triangle: u32, rival: &Rival) {
        let Chunk {
            cutouts,
            corners,
            crossings,
            ..
        } = &mut *part.out;
        let first = corners.len();
        self.clipper
            .clip(part.frame, rival.cell, triangle, &self.rows, corners);
        let count = corners.len() - first;
        if count == 0 {
            return;
        }
        cutouts.push(Cutout {
            triangle,
            slot: rival.slot,
            first: first as u32,
            count: count as u32,
        });
        // A shell has no caps, and so no use for lines.
        if !part.frame.solid.is_shell() {
            let outline = corners.outline(first..corners.len());
            find_crossings(
                part.frame, part.slots, rival.cell, triangle, outline, crossings,
            );
        }
    }
}

/// Takes the bisector of two cells if it crosses a triangle; false if it leaves nothing to the first.
fn push_row(rows: &mut Vec<Row>, [cell, other]: [u32; 2], h: &[i64; 3], k: &[i64; 3]) -> bool {
    let values = [h[0] - k[0], h[1] - k[1], h[2] - k[2]];
    let inside = |p: &i64| exact::at_vertex(cell, other, *p) > 0;
    match values.iter().filter(|p| inside(p)).count() {
        0 => return false,
        3 => {}
        _ => rows.push(Row {
            cell: other,
            values,
        }),
    }
    true
}
