//! Narrow phase: finds the triangles that lie in a single cell, and clips the others.

use crate::fracture::affected_cells::AffectedCells;
use crate::fracture::grid::{CenteredAabb, GridFrame};
use crate::fracture::ids::LocalCell;
use crate::fracture::surface::candidates::{Candidate, CandidatePruner, SubtreeJob, WorkList};
use crate::fracture::surface::clip::{ClipPlane, TriangleClipper};
use crate::fracture::surface::edge_crossings::{find_crossings, EdgeCrossing};
use crate::fracture::surface::polygon::{EdgeLabel, PolygonVertices};
use crate::fracture::surface::split::TriangleSplit;
use crate::math::{predicates, SparseSet, NONE};

/// Range of triangles that lie in one affected cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct CellRange {
    pub cell: LocalCell,
    pub start: u32,
    pub end: u32,
}

/// Part of a triangle in one affected cell.
#[derive(Clone, Copy, Debug)]
pub struct ClippedPolygon {
    pub triangle: u32,
    pub cell: LocalCell,
    /// Index of its first vertex in [`ClipOutput::vertices`].
    pub first: u32,
    pub count: u32,
}

/// Part of the surface in affected cells, for one subtree.
#[derive(Debug, Default)]
pub struct ClipOutput {
    /// Ascending by triangle.
    pub ranges: Vec<CellRange>,
    /// Ascending by triangle, then by cell.
    pub polygons: Vec<ClippedPolygon>,
    pub vertices: PolygonVertices,
    /// Intersections with Voronoi edges, each once.
    pub crossings: Vec<EdgeCrossing>,
}

impl ClipOutput {
    fn clear(&mut self) {
        self.ranges.clear();
        self.polygons.clear();
        self.vertices.clear();
        self.crossings.clear();
    }

    fn push_range(&mut self, cell: LocalCell, start: u32, end: u32) {
        match self.ranges.last_mut() {
            Some(last) if last.cell == cell && last.end == start => last.end = end,
            _ => self.ranges.push(CellRange { cell, start, end }),
        }
    }

    /// Adds the polygon whose vertices start at `first`.
    fn push_polygon(&mut self, triangle: u32, cell: LocalCell, first: usize) {
        self.polygons.push(ClippedPolygon {
            triangle,
            cell,
            first: first as u32,
            count: (self.vertices.len() - first) as u32,
        });
    }
}

/// Number of candidates above which a triangle is clipped by all neighbours of a cell, rather than by the
/// candidates: more than most cells have neighbours.
const MANY_CANDIDATES: usize = 20;

/// Traverses the tree, classifies triangles and clips them; reused from one subtree to the next.
#[derive(Default)]
pub struct SurfaceClipper {
    pruner: CandidatePruner,
    /// Values of the candidates at the vertices of the current triangle.
    values: Vec<[i64; 3]>,
    /// Cells of the candidates of a triangle with many, by index of their values.
    cells: SparseSet,
    /// Candidates that the current triangle was followed to.
    reached: SparseSet,
    planes: Vec<ClipPlane>,
    clipper: TriangleClipper,
}

/// Arguments that stay the same within a subtree.
struct Visit<'a> {
    frame: &'a GridFrame<'a>,
    affected: &'a AffectedCells,
    candidates: &'a [Candidate],
    out: &'a mut ClipOutput,
}

impl SurfaceClipper {
    /// Clips the triangles of one subtree. Visits only nodes that more than one cell may overlap.
    pub fn clip_subtree(
        &mut self,
        frame: &GridFrame,
        affected: &AffectedCells,
        work: &WorkList,
        job: &SubtreeJob,
        out: &mut ClipOutput,
    ) {
        out.clear();
        self.pruner.start(work.candidates_of(job).iter().copied());
        let mut visit = Visit {
            frame,
            affected,
            candidates: &work.candidates,
            out,
        };
        self.visit_node(&mut visit, job.node, 0);
    }

    /// Visits a node; its parent's candidates start at `parent` on the pruner's stack.
    fn visit_node(&mut self, visit: &mut Visit, index: u32, parent: usize) {
        let node = visit.frame.solid.bvh().node(index);
        let bounds = CenteredAabb::of_node(node);
        let start = self
            .pruner
            .prune(visit.frame, visit.candidates, &bounds, parent);
        let end = node.first + node.count;
        let local = |index: &u32| visit.candidates[*index as usize].local;
        let own = &self.pruner.stack[start..];
        if let [only] = own {
            if let Some(cell) = local(only) {
                visit.out.push_range(cell, node.first, end);
            }
        } else if own.iter().any(|index| local(index).is_some()) {
            if node.right == 0 {
                (node.first..end).for_each(|triangle| self.visit_triangle(visit, triangle, start));
            } else {
                self.visit_node(visit, index + 1, start);
                self.visit_node(visit, node.right, start);
            }
        }
        self.pruner.stack.truncate(start);
    }

    /// Classifies a triangle and clips it; its candidates start at `start` on the pruner's stack.
    fn visit_triangle(&mut self, visit: &mut Visit, triangle: u32, start: usize) {
        let x = visit.frame.vertices(triangle);
        let own = &self.pruner.stack[start..];
        let count = own.len();
        let candidate = |index: &u32| &visit.candidates[*index as usize];
        self.values.clear();
        self.values
            .extend(own.iter().map(|index| candidate(index).function.values(&x)));
        let largest = self.largest_at_vertices();
        if largest[0] == largest[1] && largest[1] == largest[2] {
            // A cell is convex: it contains the triangle.
            if let Some(cell) = candidate(&own[largest[0]]).local {
                visit.out.push_range(cell, triangle, triangle + 1);
            }
            return;
        }
        if let Some(apex) = self.apex_of_split(largest) {
            let sides = [largest[apex], largest[(apex + 1) % 3]];
            self.split(visit, triangle, start, sides, apex);
            return;
        }
        if count <= MANY_CANDIDATES {
            for at in 0..count {
                let candidate = &visit.candidates[self.pruner.stack[start + at] as usize];
                let Some(cell) = candidate.local else {
                    continue;
                };
                if self.collect_candidate_planes(visit, start, at) {
                    self.clip(visit, triangle, candidate.cell, cell);
                }
            }
            return;
        }
        self.cells.clear();
        for index in own {
            self.cells.insert(candidate(index).cell);
        }
        if own.iter().all(|index| candidate(index).local.is_some()) {
            self.follow(visit, triangle, start, &x, largest);
        } else {
            (0..count).for_each(|at| self.clip_by_neighbors(visit, triangle, start, &x, at));
        }
    }

    /// Clips a triangle to one candidate after another, from those at its vertices (`largest`) to those across
    /// the edges of their polygons: so all are found that overlap it, and few others are tried.
    fn follow(
        &mut self,
        visit: &mut Visit,
        triangle: u32,
        start: usize,
        x: &[[i64; 3]; 3],
        largest: [usize; 3],
    ) {
        let first = visit.out.polygons.len();
        self.reached.clear();
        for at in largest {
            self.reached.insert(at as u32);
        }
        let mut next = 0;
        while let Some(at) = self.reached.ids().get(next) {
            let at = *at as usize;
            let known = visit.out.vertices.len();
            self.clip_by_neighbors(visit, triangle, start, x, at);
            let polygon = visit.out.vertices.view(known..visit.out.vertices.len());
            for label in polygon.labels {
                if let EdgeLabel::Cell(other) = label {
                    let other = self.cells.index_of(*other);
                    if other != NONE {
                        self.reached.insert(other);
                    }
                }
            }
            next += 1;
        }
        visit.out.polygons[first..].sort_unstable_by_key(|polygon| polygon.cell);
    }

    /// Clips a triangle to the affected cell of a candidate by the cell's neighbours.
    fn clip_by_neighbors(
        &mut self,
        visit: &mut Visit,
        triangle: u32,
        start: usize,
        x: &[[i64; 3]; 3],
        at: usize,
    ) {
        let candidate = &visit.candidates[self.pruner.stack[start + at] as usize];
        let Some(cell) = candidate.local else {
            return;
        };
        if self.collect_neighbor_planes(visit.frame, candidate.cell, at, x) {
            self.clip(visit, triangle, candidate.cell, cell);
        }
    }

    /// Candidate with the largest value at each vertex of the triangle. Candidates ascend by cell: of equal
    /// ones the first wins.
    fn largest_at_vertices(&self) -> [usize; 3] {
        let mut largest = [0; 3];
        for (at, values) in self.values.iter().enumerate() {
            for k in 0..3 {
                if values[k] > self.values[largest[k]][k] {
                    largest[k] = at;
                }
            }
        }
        largest
    }

    /// Vertex that one of two candidates has alone, if these two share the triangle. `largest` are the
    /// candidates at the vertices, not all the same.
    fn apex_of_split(&self, largest: [usize; 3]) -> Option<usize> {
        let apex = (0..3).find(|k| largest[(k + 1) % 3] == largest[(k + 2) % 3])?;
        let sides = [largest[apex], largest[(apex + 1) % 3]];
        // A candidate that is below another one at all vertices is so all over the triangle.
        let is_below = |at: usize, other: usize| {
            let mut values = self.values[at].iter().zip(&self.values[other]);
            values.all(|(own, over)| own < over || (own == over && other < at))
        };
        let is_out =
            |at: usize| sides.contains(&at) || sides.iter().any(|side| is_below(at, *side));
        (0..self.values.len()).all(is_out).then_some(apex)
    }

    /// Splits a triangle between two candidates: `sides[0]` has the vertex `apex`, `sides[1]` the others.
    fn split(
        &self,
        visit: &mut Visit,
        triangle: u32,
        start: usize,
        sides: [usize; 2],
        apex: usize,
    ) {
        let [h, k] = sides.map(|at| &self.values[at]);
        let values = [h[0] - k[0], h[1] - k[1], h[2] - k[2]];
        let candidates = sides.map(|at| &visit.candidates[self.pruner.stack[start + at] as usize]);
        let cells = candidates.map(|candidate| candidate.cell);
        let split = TriangleSplit::new(visit.frame, triangle, apex, cells, values);
        let mut write_part = |side: usize| {
            let Some(cell) = candidates[side].local else {
                return;
            };
            let vertices = &mut visit.out.vertices;
            let first = vertices.len();
            if side == 0 {
                split.write_apex(vertices);
            } else {
                split.write_base(vertices);
            }
            visit.out.push_polygon(triangle, cell, first);
        };
        // In the order of the cells.
        let first = usize::from(sides[0] > sides[1]);
        write_part(first);
        write_part(1 - first);
    }

    /// Collects the bisectors to other candidates that cross the triangle. Returns whether the cell of
    /// candidate `own` may overlap it.
    fn collect_candidate_planes(&mut self, visit: &Visit, start: usize, own: usize) -> bool {
        let indices = &self.pruner.stack[start..];
        let cell = visit.candidates[indices[own] as usize].cell;
        self.planes.clear();
        let others = indices.iter().zip(&self.values).enumerate();
        let mut others = others.filter(|(at, _)| *at != own);
        others.all(|(_, (index, values))| {
            let other = visit.candidates[*index as usize].cell;
            push_plane(&mut self.planes, cell, other, &self.values[own], values)
        })
    }

    /// Collects the bisectors to the neighbours of a cell that cross the triangle: fewer than those to
    /// candidates if the triangle is as large as many cells. Returns whether the cell may overlap it.
    fn collect_neighbor_planes(
        &mut self,
        frame: &GridFrame,
        cell: u32,
        own: usize,
        x: &[[i64; 3]; 3],
    ) -> bool {
        self.planes.clear();
        let mut neighbors = frame.pattern.neighbors(cell).iter();
        neighbors.all(|&other| {
            let known = self.values.get(self.cells.index_of(other) as usize);
            let values = known.copied();
            let values = values.unwrap_or_else(|| frame.site_function(other).values(x));
            push_plane(&mut self.planes, cell, other, &self.values[own], &values)
        })
    }

    /// Clips a triangle to a cell by the collected planes.
    fn clip(&mut self, visit: &mut Visit, triangle: u32, cell: u32, local: LocalCell) {
        let vertices = &mut visit.out.vertices;
        let first = vertices.len();
        self.clipper
            .clip(visit.frame, cell, triangle, &self.planes, vertices);
        if vertices.len() == first {
            return;
        }
        // Only caps need crossings; a shell has none.
        if !visit.frame.solid.is_shell() {
            let polygon = vertices.view(first..vertices.len());
            let crossings = &mut visit.out.crossings;
            find_crossings(
                visit.frame,
                visit.affected,
                cell,
                triangle,
                polygon,
                crossings,
            );
        }
        visit.out.push_polygon(triangle, local, first);
    }
}

/// Adds the bisector of two cells if it crosses a triangle. Returns whether part of the triangle may lie on
/// the side of the first cell; `h` and `k` are the values of the two site functions.
fn push_plane(
    planes: &mut Vec<ClipPlane>,
    cell: u32,
    other: u32,
    h: &[i64; 3],
    k: &[i64; 3],
) -> bool {
    let values = [h[0] - k[0], h[1] - k[1], h[2] - k[2]];
    let is_inside = |value: &&i64| predicates::is_inside(cell, other, **value);
    let inside = values.iter().filter(is_inside).count();
    if inside == 1 || inside == 2 {
        let cell = other;
        planes.push(ClipPlane { cell, values });
    }
    inside > 0
}
