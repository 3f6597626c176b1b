//! Scratch memory of a break, cancellation, and work spread over threads of the caller's.

use crate::error::FractureError;
use crate::fracture::active_cells::ActiveCells;
use crate::fracture::caps::cap::{CapBuilder, CapRef, CellCaps};
use crate::fracture::caps::edge_spans::EdgeSpans;
use crate::fracture::emit::{Emitted, Emitter};
use crate::fracture::islands::components::Components;
use crate::fracture::islands::connect::ConnectScratch;
use crate::fracture::islands::elements::CutSolid;
use crate::fracture::islands::pieces::PieceSorter;
use crate::fracture::output::Fracture;
use crate::fracture::residual::{Residual, ResidualBuilder};
use crate::fracture::surface::candidates::WorkList;
use crate::fracture::surface::classify::SurfaceClipper;
use crate::fracture::surface::clipped_surface::ClippedSurface;
use crate::math::PooledVec;
use crate::solid::Solid;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Scratch memory that breaks reuse; one per thread. What it was used for leaves no trace in a
/// result.
///
/// A workspace that has seen such a break before, and got its pieces back
/// ([`Workspace::recycle`]), needs no memory for another one, but for caps with holes.
#[derive(Default)]
pub struct Workspace {
    pub(super) cutter: SurfaceClipper,
    pub(super) caps: CapBuilder,
    pub(super) rests: ResidualBuilder,
    pub(super) union: ConnectScratch,
    pub(super) emitter: Emitter,
    /// Lists of the whole break; those of the first workspace are used.
    pub(super) lists: Buffers,
    cancel: Option<Arc<AtomicBool>>,
}

/// The lists of a break.
#[derive(Default)]
pub(super) struct Buffers {
    pub made: Intermediates,
    pub components: Components,
    pub groups: PieceSorter,
    pub emitted: PooledVec<Emitted>,
    /// A result that came back, without its pieces.
    pub result: Fracture,
}

/// What a break makes before it is sorted into pieces.
#[derive(Default)]
pub(super) struct Intermediates {
    pub slots: ActiveCells,
    pub reach: WorkList,
    pub surface: ClippedSurface,
    pub lines: EdgeSpans,
    pub cell_caps: PooledVec<CellCaps>,
    pub caps: Vec<CapRef>,
    /// Where the polygons of each cut triangle are, among those by triangle.
    pub cut_triangles: Vec<Range<u32>>,
    pub rests: PooledVec<Residual>,
}

impl Intermediates {
    pub fn parts<'a>(&'a self, solid: &'a Solid) -> CutSolid<'a> {
        CutSolid {
            solid,
            slots: &self.slots,
            surface: &self.surface,
            cell_caps: &self.cell_caps,
            caps: &self.caps,
            rests: &self.rests,
        }
    }
}

impl Workspace {
    /// A workspace whose breaks stop soon after the flag is set.
    pub fn with_cancel(flag: Arc<AtomicBool>) -> Self {
        Self {
            cancel: Some(flag),
            ..Self::default()
        }
    }

    /// Watches another flag from now on, or none.
    pub fn set_cancel(&mut self, flag: Option<Arc<AtomicBool>>) {
        self.cancel = flag;
    }

    /// Takes back what a break gave, to use its memory for another one.
    pub fn recycle(&mut self, mut fracture: Fracture) {
        // Each to its place, where a break like it will make a piece of that size.
        for (at, piece) in fracture.pieces.drain(..).enumerate() {
            self.lists.emitted.slot(at).piece = piece;
        }
        self.lists.result = fracture;
    }

    fn is_cancelled(&self) -> bool {
        let flag = self.cancel.as_ref();
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// Runs tasks, in any order or at the same time. This crate has no threads of its own.
pub trait TaskRunner: Sync {
    /// Runs every task once and returns when all are done.
    fn run(&self, tasks: &mut [Box<dyn FnMut() + Send + '_>]);
}

/// Runs one task after the other.
pub struct SerialRunner;

impl TaskRunner for SerialRunner {
    fn run(&self, tasks: &mut [Box<dyn FnMut() + Send + '_>]) {
        for task in tasks {
            task();
        }
    }
}

/// A runner with its workspaces.
pub(super) struct ParallelFor<'a> {
    pub runner: &'a dyn TaskRunner,
    pub workspaces: &'a mut [Workspace],
}

impl ParallelFor<'_> {
    /// Does one independent job for each item.
    pub fn each<T: Send>(
        &mut self,
        items: &mut [T],
        job: impl Fn(usize, &mut T, &mut Workspace) + Sync,
    ) -> Result<(), FractureError> {
        if let [workspace] = &mut *self.workspaces {
            for (at, item) in items.iter_mut().enumerate() {
                if workspace.is_cancelled() {
                    return Err(FractureError::Cancelled);
                }
                job(at, item, workspace);
            }
            return Ok(());
        }
        let cancelled = AtomicBool::new(self.workspaces.is_empty());
        // A few jobs at a time: enough of them to keep all busy, without much ado about each.
        let size = (items.len() / (16 * self.workspaces.len().max(1))).max(1);
        let batches = Mutex::new(items.chunks_mut(size).enumerate());
        let (cancelled, batches, job) = (&cancelled, &batches, &job);
        let mut tasks: Vec<Box<dyn FnMut() + Send + '_>> = Vec::new();
        for workspace in &mut *self.workspaces {
            tasks.push(Box::new(move || {
                while let Some((batch, items)) = next(batches) {
                    for (at, item) in items.iter_mut().enumerate() {
                        if workspace.is_cancelled() {
                            cancelled.store(true, Ordering::Relaxed);
                            return;
                        }
                        job(batch * size + at, item, workspace);
                    }
                }
            }));
        }
        self.runner.run(&mut tasks);
        drop(tasks);
        match cancelled.load(Ordering::Relaxed) {
            true => Err(FractureError::Cancelled),
            false => Ok(()),
        }
    }
}

/// The next of some work; nothing after a thread has died of a panic.
fn next<I: Iterator>(work: &Mutex<I>) -> Option<I::Item> {
    work.lock().ok()?.next()
}
