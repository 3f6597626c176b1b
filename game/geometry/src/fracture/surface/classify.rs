//! The surface against the cells: which triangles lie wholly in one, and the parts of the others.

use crate::fracture::active_cells::{ActiveCells, UNAFFECTED};
use crate::fracture::edge_point::EdgeCrossing;
use crate::fracture::grid::{CenteredAabb, GridFrame};
use crate::fracture::surface::candidates::{Candidate, CandidatePruner, SubtreeJob, WorkList};
use crate::fracture::surface::clip::{ClipPlane, TriangleClipper};
use crate::fracture::surface::clipped_polygon::PolygonVertices;
use crate::fracture::surface::edge_crossings::find_crossings;
use crate::fracture::surface::split::TriangleSplit;
use crate::math::predicates;
use std::ops::Range;

/// The part of a triangle in one affected cell.
#[derive(Clone, Copy, Debug)]
pub struct ClippedPolygon {
    pub triangle: u32,
    pub slot: u32,
    pub first: u32,
    pub count: u32,
}

/// What affected cells hold of one part of the surface.
#[derive(Debug, Default)]
pub struct ClipOutput {
    /// Slots and the triangles that lie wholly in their cells, ascending.
    pub runs: Vec<(u32, Range<u32>)>,
    /// By triangle, then by slot.
    pub cutouts: Vec<ClippedPolygon>,
    pub corners: PolygonVertices,
    /// Of pattern edges, each told by one cell.
    pub crossings: Vec<EdgeCrossing>,
}

impl ClipOutput {
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
pub struct SurfaceClipper {
    contest: CandidatePruner,
    /// Values of the rivals at the corners of a triangle.
    values: Vec<[i64; 3]>,
    rows: Vec<ClipPlane>,
    clipper: TriangleClipper,
}

/// What does not change within a part.
struct Visit<'a> {
    frame: &'a GridFrame<'a>,
    slots: &'a ActiveCells,
    rivals: &'a [Candidate],
    out: &'a mut ClipOutput,
}

impl SurfaceClipper {
    /// Cuts one part of the surface. Visits only tree nodes that more than one cell may hold.
    pub fn cut(
        &mut self,
        frame: &GridFrame,
        slots: &ActiveCells,
        reach: &WorkList,
        job: &SubtreeJob,
        out: &mut ClipOutput,
    ) {
        out.clear();
        self.contest.start(reach.of_job(job).iter().copied());
        let mut part = Visit {
            frame,
            slots,
            rivals: &reach.rivals,
            out,
        };
        self.visit(&mut part, job.node, 0);
    }

    /// Visits a node whose parents leave the rivals on the contest's stack from `parents` on.
    fn visit(&mut self, part: &mut Visit, index: u32, parents: usize) {
        let node = part.frame.solid.tree().node(index);
        let around = CenteredAabb::node(node);
        let start = self
            .contest
            .decide(part.frame, part.rivals, &around, parents);
        let triangles = node.first..node.first + node.count;
        let slot = |rival: &u32| part.rivals[*rival as usize].slot;
        let left = &self.contest.stack[start..];
        if let [only] = left {
            if slot(only) != UNAFFECTED {
                part.out.push_run(slot(only), triangles);
            }
        } else if left.iter().any(|rival| slot(rival) != UNAFFECTED) {
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

    fn triangle(&mut self, part: &mut Visit, triangle: u32, start: usize) {
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
            if slot != UNAFFECTED {
                part.out.push_run(slot, triangle..triangle + 1);
            }
            return;
        }
        if let Some(alone) = self.corner_alone(best) {
            self.split(part, triangle, start, best, alone);
            return;
        }
        let many = left.len() > MANY;
        for own in 0..left.len() {
            let rival = &part.rivals[self.contest.stack[start + own] as usize];
            if rival.slot == UNAFFECTED {
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

    /// When two rivals share the triangle: the corner that one of them holds alone. `best` are the
    /// rivals that hold the corners, not all the same.
    fn corner_alone(&self, best: [usize; 3]) -> Option<usize> {
        let alone = (0..3).find(|k| best[(k + 1) % 3] == best[(k + 2) % 3])?;
        let two = [best[alone], best[(alone + 1) % 3]];
        // Where one of the two beats a rival at all corners it beats it all over the triangle.
        let is_beaten = |at: usize, by: usize| {
            let mut corners = self.values[at].iter().zip(&self.values[by]);
            corners.all(|(own, over)| own < over || (own == over && by < at))
        };
        let is_out = |at: usize| two.contains(&at) || two.iter().any(|by| is_beaten(at, *by));
        (0..self.values.len()).all(is_out).then_some(alone)
    }

    /// Splits a triangle between the two rivals that hold its corners.
    fn split(&self, part: &mut Visit, triangle: u32, start: usize, best: [usize; 3], alone: usize) {
        let two = [best[alone], best[(alone + 1) % 3]];
        let (h, k) = (&self.values[two[0]], &self.values[two[1]]);
        let values = [h[0] - k[0], h[1] - k[1], h[2] - k[2]];
        let rivals = two.map(|at| &part.rivals[self.contest.stack[start + at] as usize]);
        let cells = rivals.map(|rival| rival.cell);
        let split = TriangleSplit::new(part.frame, triangle, alone, cells, values);
        let order = if two[0] < two[1] { [0, 1] } else { [1, 0] };
        for side in order {
            if rivals[side].slot != UNAFFECTED {
                let first = part.out.corners.len();
                split.write(side == 0, &mut part.out.corners);
                part.finish_polygon(triangle, rivals[side], first);
            }
        }
    }

    /// Finds the bisectors of a rival's cell that cross the triangle; false if one leaves nothing.
    fn find_rows(&mut self, part: &Visit, start: usize, own: usize) -> bool {
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
        frame: &GridFrame,
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
    fn clip(&mut self, part: &mut Visit, triangle: u32, rival: &Candidate) {
        let corners = &mut part.out.corners;
        let first = corners.len();
        self.clipper
            .clip(part.frame, rival.cell, triangle, &self.rows, corners);
        if corners.len() == first {
            return;
        }
        // A shell has no caps, and so no use for lines.
        if !part.frame.solid.is_shell() {
            let outline = corners.outline(first..corners.len());
            let crossings = &mut part.out.crossings;
            find_crossings(
                part.frame, part.slots, rival.cell, triangle, outline, crossings,
            );
        }
        part.finish_polygon(triangle, rival, first);
    }
}

impl Visit<'_> {
    /// Notes a polygon whose corners are those from `first` on.
    fn finish_polygon(&mut self, triangle: u32, rival: &Candidate, first: usize) {
        self.out.cutouts.push(ClippedPolygon {
            triangle,
            slot: rival.slot,
            first: first as u32,
            count: (self.out.corners.len() - first) as u32,
        });
    }
}

/// Takes the bisector of two cells if it crosses a triangle; false if it leaves nothing to the first.
fn push_row(
    rows: &mut Vec<ClipPlane>,
    [cell, other]: [u32; 2],
    h: &[i64; 3],
    k: &[i64; 3],
) -> bool {
    let values = [h[0] - k[0], h[1] - k[1], h[2] - k[2]];
    let inside = |p: &i64| predicates::at_vertex(cell, other, *p) > 0;
    match values.iter().filter(|p| inside(p)).count() {
        0 => return false,
        3 => {}
        _ => rows.push(ClipPlane {
            cell: other,
            values,
        }),
    }
    true
}
