//! Scratch memory of a break, cancellation, and loops over threads of the caller.

use crate::error::FractureError;
use crate::fracture::affected_cells::AffectedCells;
use crate::fracture::caps::edge_spans::EdgeSpans;
use crate::fracture::caps::face_caps::{CapBuilder, CapRef, CellCaps};
use crate::fracture::emit::{EmittedPiece, Emitter};
use crate::fracture::islands::components::Components;
use crate::fracture::islands::connect::ConnectScratch;
use crate::fracture::islands::elements::CutSolid;
use crate::fracture::islands::pieces::PieceAssembly;
use crate::fracture::output::Fracture;
use crate::fracture::residual::{Residual, ResidualBuilder};
use crate::fracture::surface::candidates::WorkList;
use crate::fracture::surface::classify::SurfaceClipper;
use crate::fracture::surface::clipped_surface::ClippedSurface;
use crate::math::PooledVec;
use crate::solid::Solid;
use crate::steps::pause;
use crate::tasks::{next, TaskRunner};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Scratch memory that breaks reuse, one for each thread. Its past does not influence results.
///
/// After a similar break whose pieces came back ([`Workspace::recycle`]), a break allocates nothing, but
/// for caps with holes.
#[derive(Default)]
pub struct Workspace {
    pub(super) clipper: SurfaceClipper,
    pub(super) caps: CapBuilder,
    pub(super) residuals: ResidualBuilder,
    pub(super) connect: ConnectScratch,
    pub(super) emitter: Emitter,
    /// Buffers of the whole break; only those of the first workspace are used.
    pub(super) buffers: Buffers,
    cancel: Option<Arc<AtomicBool>>,
}

/// Buffers of a break.
#[derive(Default)]
pub(super) struct Buffers {
    pub intermediates: Intermediates,
    pub components: Components,
    pub assembly: PieceAssembly,
    pub emitted: PooledVec<EmittedPiece>,
    /// Recycled result, without its pieces.
    pub result: Fracture,
}

/// Results of the phases before connectivity.
#[derive(Default)]
pub(super) struct Intermediates {
    pub affected: AffectedCells,
    pub work: WorkList,
    pub surface: ClippedSurface,
    pub spans: EdgeSpans,
    pub cell_caps: PooledVec<CellCaps>,
    pub caps: Vec<CapRef>,
    /// By clipped triangle: the range of its polygons.
    pub clipped_triangles: Vec<Range<usize>>,
    pub residuals: PooledVec<Residual>,
}

impl Intermediates {
    /// View of the cut solid.
    pub fn cut_solid<'a>(&'a self, solid: &'a Solid) -> CutSolid<'a> {
        CutSolid {
            solid,
            affected: &self.affected,
            surface: &self.surface,
            cell_caps: &self.cell_caps,
            caps: &self.caps,
            residuals: &self.residuals,
        }
    }
}

impl Workspace {
    /// Creates a workspace whose breaks stop soon after the flag is set.
    pub fn with_cancel(flag: Arc<AtomicBool>) -> Self {
        Self {
            cancel: Some(flag),
            ..Self::default()
        }
    }

    /// Replaces the flag that cancels breaks.
    pub fn set_cancel(&mut self, flag: Option<Arc<AtomicBool>>) {
        self.cancel = flag;
    }

    /// Takes back the result of a break, so that another one reuses its memory.
    pub fn recycle(&mut self, mut fracture: Fracture) {
        // Each piece to its place: a similar break makes a piece of that size there.
        for (at, piece) in fracture.pieces.drain(..).enumerate() {
            self.buffers.emitted.slot(at).piece = piece;
        }
        self.buffers.result = fracture;
    }

    fn is_cancelled(&self) -> bool {
        let flag = self.cancel.as_ref();
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// Items of a loop that are done in one step: the smallest take a microsecond each, and a clock is asked after a step.
const ITEMS_PER_STEP: usize = 4;

/// Number of batches per workspace: more balance the load better, fewer lock less often.
const BATCHES_PER_WORKSPACE: usize = 16;

/// Parallel loops: a runner and one workspace for each thread.
pub(super) struct ParallelFor<'a> {
    pub runner: &'a dyn TaskRunner,
    pub workspaces: &'a mut [Workspace],
}

impl ParallelFor<'_> {
    /// Runs one independent job for each index below `count`.
    pub async fn for_each_index(
        &mut self,
        count: usize,
        job: impl Fn(usize, &mut Workspace) + Send + Sync,
    ) -> Result<(), FractureError> {
        let mut items = vec![(); count];
        self.for_each(&mut items, |index, (), workspace| job(index, workspace))
            .await
    }

    /// Runs one independent job for each item; with one workspace, in steps.
    pub async fn for_each<T: Send>(
        &mut self,
        items: &mut [T],
        job: impl Fn(usize, &mut T, &mut Workspace) + Send + Sync,
    ) -> Result<(), FractureError> {
        let is_done = if let [workspace] = &mut *self.workspaces {
            run_in_steps(items, &job, workspace).await
        } else {
            self.run_batches(items, &job)
        };
        if is_done {
            Ok(())
        } else {
            Err(FractureError::Cancelled)
        }
    }

    /// Spreads the items over the workspaces in batches. Returns false if cancelled.
    fn run_batches<T: Send>(
        &mut self,
        items: &mut [T],
        job: &(impl Fn(usize, &mut T, &mut Workspace) + Sync),
    ) -> bool {
        let count = self.workspaces.len();
        let size = (items.len() / (BATCHES_PER_WORKSPACE * count.max(1))).max(1);
        let cancelled = &AtomicBool::new(count == 0);
        let batches = &Mutex::new(items.chunks_mut(size).enumerate());
        let mut tasks: Vec<Box<dyn FnMut() + Send + '_>> = Vec::new();
        for workspace in &mut *self.workspaces {
            tasks.push(Box::new(move || {
                while let Some((batch, items)) = next(batches) {
                    if !run_batch(batch * size, items, job, workspace) {
                        cancelled.store(true, Ordering::Relaxed);
                        return;
                    }
                }
            }));
        }
        self.runner.run(&mut tasks);
        drop(tasks);
        !cancelled.load(Ordering::Relaxed)
    }
}

/// Runs the jobs of all items, some in a step. Returns false if cancelled.
async fn run_in_steps<T>(
    items: &mut [T],
    job: &impl Fn(usize, &mut T, &mut Workspace),
    workspace: &mut Workspace,
) -> bool {
    for (step, items) in items.chunks_mut(ITEMS_PER_STEP).enumerate() {
        if !run_batch(step * ITEMS_PER_STEP, items, job, workspace) {
            return false;
        }
        if items.len() == ITEMS_PER_STEP {
            pause().await;
        }
    }
    true
}

/// Runs the jobs of some items, the first of which has the index `first`. Returns false if cancelled.
fn run_batch<T>(
    first: usize,
    items: &mut [T],
    job: &impl Fn(usize, &mut T, &mut Workspace),
    workspace: &mut Workspace,
) -> bool {
    for (at, item) in items.iter_mut().enumerate() {
        if workspace.is_cancelled() {
            return false;
        }
        job(first + at, item, workspace);
    }
    true
}
