//! Scratch memory of a break, cancellation, and work spread over threads of the caller's.

use super::caps::{Cap, CapMaker};
use super::emit::{Emitted, Emitter};
use super::group::Groups;
use super::join::Components;
use super::lines::Lines;
use super::pieces::Fracture;
use super::rest::{Rest, RestMaker, Taken};
use super::surface::{CellSurface, Cutter};
use super::unite::UnionLists;
use crate::error::FractureError;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

/// Scratch memory that breaks reuse; one per thread. What it was used for leaves no trace in a
/// result.
///
/// A workspace that has seen such a break before, and got its pieces back
/// ([`Workspace::recycle`]), needs no memory for another one, but for caps with holes.
#[derive(Default)]
pub struct Workspace {
    pub(super) cutter: Cutter,
    pub(super) caps: CapMaker,
    pub(super) rests: RestMaker,
    pub(super) union: UnionLists,
    pub(super) emitter: Emitter,
    /// Lists of the whole break; those of the first workspace are used.
    pub(super) lists: Lists,
    cancel: Option<Arc<AtomicBool>>,
}

/// The lists of a break.
#[derive(Default)]
pub(super) struct Lists {
    pub affected: Vec<u32>,
    pub surfaces: Vec<CellSurface>,
    pub lines: Lines,
    pub caps_by_cell: Vec<Vec<Cap>>,
    pub caps: Vec<Cap>,
    pub taken: Vec<Taken>,
    /// The parts of `taken` that belong to one triangle.
    pub cut_triangles: Vec<Range<u32>>,
    pub rests: Vec<Rest>,
    pub components: Components,
    /// Nothing, once for every job of joining.
    pub joined: Vec<()>,
    pub groups: Groups,
    pub emitted: Vec<Emitted>,
    /// A result that came back.
    pub spare: Fracture,
}

impl Lists {
    /// Hands the pieces of a result that came back to the threads.
    pub fn hand_out(&mut self, workspaces: &mut [Workspace]) {
        let count = workspaces.len().max(1);
        for (index, piece) in self.spare.pieces.drain(..).enumerate() {
            if let Some(workspace) = workspaces.get_mut(index % count) {
                workspace.emitter.spare.push(piece);
            }
        }
    }

    /// Hands what the threads have made back to them.
    pub fn give_back(&mut self, workspaces: &mut [Workspace]) {
        let count = workspaces.len();
        let mut turn = 0;
        let mut next = || {
            turn = (turn + 1) % count.max(1);
            turn
        };
        for surface in self.surfaces.drain(..) {
            workspaces[next()].cutter.spare.push(surface);
        }
        for mut list in self.caps_by_cell.drain(..) {
            list.clear();
            workspaces[next()].caps.spare_lists.push(list);
        }
        for cap in self.caps.drain(..) {
            workspaces[next()].caps.spare.push(cap);
        }
        for rest in self.rests.drain(..) {
            workspaces[next()].rests.spare.push(rest);
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
    pub fn recycle(&mut self, fracture: Fracture) {
        self.lists.spare = fracture;
    }

    fn is_cancelled(&self) -> bool {
        let flag = self.cancel.as_ref();
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// Runs tasks, in any order or at the same time. This crate has no threads of its own.
pub trait Runner: Sync {
    /// Runs every task once and returns when all are done.
    fn run(&self, tasks: &mut [Box<dyn FnMut() + Send + '_>]);
}

/// Runs one task after the other.
pub struct Serial;

impl Runner for Serial {
    fn run(&self, tasks: &mut [Box<dyn FnMut() + Send + '_>]) {
        for task in tasks {
            task();
        }
    }
}

/// A runner with its workspaces.
pub(super) struct Team<'a> {
    pub runner: &'a dyn Runner,
    pub workspaces: &'a mut [Workspace],
}

impl Team<'_> {
    /// Does `count` independent jobs and appends their results in order.
    pub fn map<T: Send>(
        &mut self,
        count: usize,
        out: &mut Vec<T>,
        job: impl Fn(usize, &mut Workspace) -> T + Sync,
    ) -> Result<(), FractureError> {
        if let [workspace] = &mut *self.workspaces {
            for at in 0..count {
                if workspace.is_cancelled() {
                    return Err(FractureError::Cancelled);
                }
                out.push(job(at, workspace));
            }
            return Ok(());
        }
        let next = AtomicUsize::new(0);
        let (next, job) = (&next, &job);
        let mut done: Vec<Vec<(usize, T)>> = self.workspaces.iter().map(|_| Vec::new()).collect();
        let members = self.workspaces.iter_mut().zip(&mut done);
        let mut tasks: Vec<Box<dyn FnMut() + Send + '_>> = Vec::new();
        for (workspace, results) in members {
            tasks.push(Box::new(move || loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= count || workspace.is_cancelled() {
                    return;
                }
                results.push((at, job(at, workspace)));
            }));
        }
        self.runner.run(&mut tasks);
        drop(tasks);
        let mut all: Vec<(usize, T)> = done.into_iter().flatten().collect();
        if all.len() < count {
            return Err(FractureError::Cancelled);
        }
        all.sort_by_key(|(at, _)| *at);
        out.extend(all.into_iter().map(|(_, result)| result));
        Ok(())
    }
}
