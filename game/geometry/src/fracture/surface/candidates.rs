//! Broad phase: the cells that may contain part of the surface, pruned down the bounding-volume tree.

use crate::fracture::affected_cells::AffectedCells;
use crate::fracture::grid::{CenteredAabb, GridFrame, SiteFunction};
use crate::fracture::ids::LocalCell;

/// Cell whose site function is compared with others': an affected cell or a neighbour of one.
///
/// Where an affected cell has the largest value among the candidates it has the largest of all cells,
/// because that holds among its neighbours.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub cell: u32,
    /// Local number of the cell if it is affected.
    pub local: Option<LocalCell>,
    pub function: SiteFunction,
}

/// Unit of work: a subtree, and the candidates that may contain part of it.
#[derive(Clone, Copy, Debug)]
pub struct SubtreeJob {
    pub node: u32,
    first: u32,
    count: u32,
}

/// Largest number of triangles in one job: fewer make threads share the work more evenly, more repeat less
/// pruning.
const MAX_JOB_TRIANGLES: u32 = 2048;

/// Candidates of a break, and the subtrees to be clipped.
#[derive(Default)]
pub struct WorkList {
    /// Ascending by cell.
    pub candidates: Vec<Candidate>,
    pub jobs: Vec<SubtreeJob>,
    /// Candidates of all jobs, one job after another.
    job_candidates: Vec<u32>,
    cells: Vec<u32>,
    pruner: CandidatePruner,
}

impl WorkList {
    /// Replaces candidates and jobs by those of a new break.
    pub fn fill(&mut self, frame: &GridFrame, affected: &AffectedCells) {
        self.cells.clear();
        self.cells.extend_from_slice(affected.cells());
        if affected.count() < frame.pattern.cell_count() {
            let cells = affected.cells().iter();
            let neighbors = cells.flat_map(|cell| frame.pattern.neighbors(*cell));
            self.cells.extend(neighbors);
            self.cells.sort_unstable();
            self.cells.dedup();
        }
        self.candidates.clear();
        self.candidates
            .extend(self.cells.iter().map(|&cell| Candidate {
                cell,
                local: affected.local(cell),
                function: frame.site_function(cell),
            }));
        self.jobs.clear();
        self.job_candidates.clear();
        if self.candidates.is_empty() {
            return;
        }
        let mut pruner = std::mem::take(&mut self.pruner);
        pruner.start(0..self.candidates.len() as u32);
        self.add_jobs(frame, 0, 0, &mut pruner);
        self.pruner = pruner;
    }

    /// Candidates of a job, as indices.
    pub fn candidates_of(&self, job: &SubtreeJob) -> &[u32] {
        &self.job_candidates[job.first as usize..(job.first + job.count) as usize]
    }

    /// Adds the jobs below a node; its parent's candidates start at `parent` on the pruner's stack.
    fn add_jobs(
        &mut self,
        frame: &GridFrame,
        index: u32,
        parent: usize,
        pruner: &mut CandidatePruner,
    ) {
        let node = frame.solid.bvh().node(index);
        let bounds = CenteredAabb::of_node(node);
        let start = pruner.prune(frame, &self.candidates, &bounds, parent);
        let own = &pruner.stack[start..];
        let is_affected = |index: &u32| self.candidates[*index as usize].local.is_some();
        if own.iter().any(is_affected) {
            if node.count <= MAX_JOB_TRIANGLES || own.len() == 1 || node.right == 0 {
                self.jobs.push(SubtreeJob {
                    node: index,
                    first: self.job_candidates.len() as u32,
                    count: own.len() as u32,
                });
                self.job_candidates.extend_from_slice(own);
            } else {
                self.add_jobs(frame, index + 1, start, pruner);
                self.add_jobs(frame, node.right, start, pruner);
            }
        }
        pruner.stack.truncate(start);
    }
}

/// Interval pruning of candidates down the tree.
#[derive(Default)]
pub struct CandidatePruner {
    /// Stack of candidate lists, each ascending: one for every node from the root to the current one.
    pub stack: Vec<u32>,
    /// Values of the last list's candidates at the centre of its box.
    values: Vec<f64>,
}

impl CandidatePruner {
    /// Starts a traversal with the candidates of its root.
    pub fn start(&mut self, candidates: impl IntoIterator<Item = u32>) {
        self.stack.clear();
        self.stack.extend(candidates);
    }

    /// Pushes the candidates of the top list (from `parent` on) that may have the largest value somewhere
    /// in a box; returns the start of the new list.
    ///
    /// Drops only candidates that are below the largest one at the centre all over the box; subtrees and
    /// exact tests decide the others.
    pub fn prune(
        &mut self,
        frame: &GridFrame,
        candidates: &[Candidate],
        bounds: &CenteredAabb,
        parent: usize,
    ) -> usize {
        let start = self.stack.len();
        let bounds = frame.relative_to_center(bounds);
        self.values.clear();
        let (mut largest, mut winner) = (f64::NEG_INFINITY, 0);
        for &candidate in &self.stack[parent..] {
            let value = candidates[candidate as usize]
                .function
                .center_value(&bounds);
            if value > largest {
                (largest, winner) = (value, candidate);
            }
            self.values.push(value);
        }
        let winner = &candidates[winner as usize].function;
        for at in parent..start {
            let candidate = self.stack[at];
            let lead = largest - self.values[at - parent];
            if lead <= winner.spread(&candidates[candidate as usize].function, &bounds) {
                self.stack.push(candidate);
            }
        }
        start
    }
}
