//! What a break reaches: the cells that compete for the surface, and the parts of the tree of
//! triangles where more than one of them may hold something.

use crate::fracture::active_cells::{ActiveCells, UNAFFECTED};
use crate::fracture::grid::{CenteredAabb, GridFrame, SiteFunction};

/// A cell that competes for the surface: an affected one, or a neighbour of one.
///
/// Where an affected cell is the largest among these it is the largest of all, because it is so among
/// its neighbours.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub cell: u32,
    /// Its slot, [`UNAFFECTED`] when it is not affected.
    pub slot: u32,
    pub height: SiteFunction,
}

/// A node of the tree, and the rivals that may hold something of it.
#[derive(Clone, Copy, Debug)]
pub struct SubtreeJob {
    pub node: u32,
    first: u32,
    count: u32,
}

/// Nodes of so many triangles or less are one job.
const JOB: u32 = 2048;

/// The rivals of a break and how the work on the surface is divided.
#[derive(Default)]
pub struct WorkList {
    /// Ascending by cell.
    pub rivals: Vec<Candidate>,
    pub jobs: Vec<SubtreeJob>,
    /// The rivals of each job.
    of_job: Vec<u32>,
    cells: Vec<u32>,
    contest: CandidatePruner,
}

impl WorkList {
    /// Finds rivals and jobs.
    pub fn fill(&mut self, frame: &GridFrame, slots: &ActiveCells) {
        self.cells.clear();
        self.cells.extend_from_slice(slots.cells());
        if slots.count() < frame.pattern.cell_count() {
            let around = slots
                .cells()
                .iter()
                .flat_map(|c| frame.pattern.neighbors(*c));
            self.cells.extend(around);
            self.cells.sort_unstable();
            self.cells.dedup();
        }
        self.rivals.clear();
        self.rivals.extend(self.cells.iter().map(|&cell| Candidate {
            cell,
            slot: slots.of(cell),
            height: frame.height(cell),
        }));
        self.jobs.clear();
        self.of_job.clear();
        if self.rivals.is_empty() {
            return;
        }
        let mut contest = std::mem::take(&mut self.contest);
        contest.start(0..self.rivals.len() as u32);
        self.divide(frame, 0, 0, &mut contest);
        self.contest = contest;
    }

    /// The rivals of a job.
    pub fn of_job(&self, job: &SubtreeJob) -> &[u32] {
        &self.of_job[job.first as usize..(job.first + job.count) as usize]
    }

    /// Makes jobs of what is below a node whose rivals are on the contest's stack from `parents` on.
    fn divide(
        &mut self,
        frame: &GridFrame,
        index: u32,
        parents: usize,
        contest: &mut CandidatePruner,
    ) {
        let node = frame.solid.tree().node(index);
        let start = contest.decide(frame, &self.rivals, &CenteredAabb::node(node), parents);
        let left = &contest.stack[start..];
        if left
            .iter()
            .any(|r| self.rivals[*r as usize].slot != UNAFFECTED)
        {
            if node.count <= JOB || left.len() == 1 || node.right == 0 {
                self.jobs.push(SubtreeJob {
                    node: index,
                    first: self.of_job.len() as u32,
                    count: left.len() as u32,
                });
                self.of_job.extend_from_slice(left);
            } else {
                let right = node.right;
                self.divide(frame, index + 1, start, contest);
                self.divide(frame, right, start, contest);
            }
        }
        contest.stack.truncate(start);
    }
}

/// Finds which rivals may be the largest somewhere in a box.
#[derive(Default)]
pub struct CandidatePruner {
    /// A stack of lists of rivals, ascending: those that may win somewhere in a node.
    pub stack: Vec<u32>,
    /// Their values in the middle of the last box.
    values: Vec<f64>,
}

impl CandidatePruner {
    pub fn start(&mut self, rivals: impl IntoIterator<Item = u32>) {
        self.stack.clear();
        self.stack.extend(rivals);
    }

    /// Puts those of the rivals from `parents` on that may be the largest somewhere in a box on top
    /// of the stack, and tells where they start.
    ///
    /// Only what the winner in the middle beats all over the box is left out. The rest is for the
    /// children, and for exact tests.
    pub fn decide(
        &mut self,
        frame: &GridFrame,
        rivals: &[Candidate],
        around: &CenteredAabb,
        parents: usize,
    ) -> usize {
        let start = self.stack.len();
        let around = frame.about_middle(around);
        self.values.clear();
        let mut best = (f64::NEG_INFINITY, 0);
        for rival in &self.stack[parents..] {
            let value = rivals[*rival as usize].height.middle(&around);
            if value > best.0 {
                best = (value, *rival);
            }
            self.values.push(value);
        }
        let winner = &rivals[best.1 as usize].height;
        for at in parents..start {
            let rival = self.stack[at];
            let lead = best.0 - self.values[at - parents];
            if lead <= winner.spread(&rivals[rival as usize].height, &around) {
                self.stack.push(rival);
            }
        }
        start
    }
}
