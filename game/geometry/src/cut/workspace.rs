//! Scratch memory of a break, cancellation, and work spread over threads of the caller's.

use super::emit::Emitter;
use super::join::Components;
use super::surface::Cutter;
use crate::error::FractureError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

/// Scratch memory that breaks reuse; one per thread. What it was used for leaves no trace in a
/// result.
#[derive(Default)]
pub struct Workspace {
    pub(super) cutter: Cutter,
    pub(super) emitter: Emitter,
    pub(super) components: Components,
    cancel: Option<Arc<AtomicBool>>,
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
    /// Does `count` independent jobs, and gives their results in order.
    pub fn map<T: Send>(
        &mut self,
        count: usize,
        job: impl Fn(usize, &mut Workspace) -> T + Sync,
    ) -> Result<Vec<T>, FractureError> {
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
        Ok(all.into_iter().map(|(_, result)| result).collect())
    }
}
