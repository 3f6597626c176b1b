//! Helpers: threads that share the work of one job with the thread that runs it.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{scope, Builder};

use fracture_geometry::{
    fracture_on, Fracture, FractureError, FractureParams, Pattern, Solid, TaskRunner, Workspace,
};

/// Triangles of pieces from which on helpers share their making. Below, starting them takes as long as they save.
pub(crate) const MIN_TRIANGLES_FOR_HELPERS: usize = 2000;

/// Triangles of a solid from which on helpers share its cut, for each step of which they are started.
const MIN_TRIANGLES_FOR_CUT: usize = 10_000;

/// Triangles that take as long to cut as a cell of the pattern does.
const TRIANGLES_LIKE_A_CELL: usize = 20;

/// Threads that help those that run jobs, by their number. They are started anew for each piece of work: a new
/// thread begins on an idle core, where one that is woken may stay for milliseconds on the core of the thread that
/// it helps. Results do not depend on their number.
#[derive(Clone, Copy, Default)]
pub(crate) struct Helpers(usize);

impl Helpers {
    /// With none, all is done by the calling thread.
    pub fn new(count: usize) -> Self {
        Self(count)
    }

    /// Number of threads that work with the calling one, which is counted too.
    pub fn threads(self) -> usize {
        1 + self.0
    }

    /// Runs one function on the calling thread and another on all helpers that can be started, and returns when
    /// all have ended. A panic of any is passed on.
    pub fn run_beside(self, own: impl FnOnce(), help: impl Fn() + Sync) {
        scope(|scope| {
            let start = |_| Builder::new().spawn_scoped(scope, &help).ok();
            let helpers: Vec<_> = (0..self.0).filter_map(start).collect();
            own();
            for helper in helpers {
                if let Err(panic) = helper.join() {
                    resume_unwind(panic);
                }
            }
        });
    }

    /// Computes a value of each item, by whichever thread has time; the values in the order of the items.
    pub fn map<T: Sync, R: Send + Sync>(
        self,
        items: &[T],
        function: impl Fn(&T) -> R + Sync,
    ) -> Vec<R> {
        let shared = SharedWork::new(items, function);
        self.run_beside(|| shared.work(), || shared.work());
        shared.finish()
    }
}

impl TaskRunner for Helpers {
    fn run(&self, tasks: &mut [Box<dyn FnMut() + Send + '_>]) {
        let tasks: Vec<Mutex<_>> = tasks.iter_mut().map(Mutex::new).collect();
        self.map(&tasks, |task| {
            // No task is run twice, so none waits here.
            if let Ok(mut task) = task.lock() {
                task();
            }
        });
    }
}

/// Work on each of some items, by whichever thread has time. The results do not depend on which thread that is.
pub(crate) struct SharedWork<'a, T, R, F> {
    items: &'a [T],
    work: F,
    next: AtomicUsize,
    results: Vec<OnceLock<R>>,
}

impl<'a, T, R, F: Fn(&T) -> R> SharedWork<'a, T, R, F> {
    pub fn new(items: &'a [T], work: F) -> Self {
        Self {
            items,
            work,
            next: AtomicUsize::new(0),
            results: items.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// Works on items that no thread has begun, until none is left.
    pub fn work(&self) {
        loop {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let (Some(item), Some(result)) = (self.items.get(next), self.results.get(next)) else {
                return;
            };
            // Each index is drawn once.
            let _ = result.set((self.work)(item));
        }
    }

    /// Works on what is left; all results, in the order of the items.
    pub fn finish(self) -> Vec<R> {
        self.work();
        let Self {
            items,
            work,
            results,
            ..
        } = self;
        let results = items.iter().zip(results);
        let results = results.map(|(item, result)| match result.into_inner() {
            Some(result) => result,
            None => work(item),
        });
        results.collect()
    }
}

/// Items of an iterator, each of which is taken by whichever thread has time.
pub(crate) struct SharedItems<I>(Mutex<I>);

impl<I: Iterator> SharedItems<I> {
    pub fn new(items: I) -> Self {
        Self(Mutex::new(items))
    }

    /// Takes the next item.
    pub fn take(&self) -> Option<I::Item> {
        // A panic of the iterator is passed on by the thread that met it.
        let mut items = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        items.next()
    }
}

/// A thread that runs jobs: its helpers, its memory, and the flag that cancels the job.
pub(crate) struct JobThread {
    pub helpers: Helpers,
    pub cancel: Arc<AtomicBool>,
    /// For breaks: of the thread itself, then of its helpers.
    workspaces: Vec<Workspace>,
    /// For work that the thread does alone.
    pub workspace: Workspace,
}

impl JobThread {
    pub fn new(helpers: Helpers) -> Self {
        let workspaces = (0..helpers.threads()).map(|_| Workspace::default());
        Self {
            workspaces: workspaces.collect(),
            workspace: Workspace::default(),
            cancel: Arc::default(),
            helpers,
        }
    }

    /// A thread without helpers, which breaks with this memory.
    pub fn alone(workspace: Workspace) -> Self {
        Self {
            helpers: Helpers::default(),
            cancel: Arc::default(),
            workspaces: vec![workspace],
            workspace: Workspace::default(),
        }
    }

    /// The memory with which the thread itself breaks.
    pub fn into_workspace(mut self) -> Workspace {
        self.workspaces.pop().unwrap_or_default()
    }

    /// Breaks a solid, together with the helpers where there is enough to do.
    pub fn fracture(
        &mut self,
        solid: &Solid,
        pattern: &Pattern,
        params: &FractureParams,
    ) -> Result<Fracture, FractureError> {
        let work = solid.triangle_count() + TRIANGLES_LIKE_A_CELL * pattern.cell_count();
        let threads = if work < MIN_TRIANGLES_FOR_CUT {
            1
        } else {
            self.workspaces.len()
        };
        let workspaces = self.workspaces.get_mut(..threads).unwrap_or_default();
        fracture_on(&self.helpers, solid, pattern, params, workspaces)
    }

    /// Replaces the flag that cancels the job.
    pub fn set_cancel(&mut self, flag: Arc<AtomicBool>) {
        self.workspace.set_cancel(Some(flag.clone()));
        for workspace in &mut self.workspaces {
            workspace.set_cancel(Some(flag.clone()));
        }
        self.cancel = flag;
    }

    /// Takes back the result of a break, so that another one reuses its memory.
    pub fn recycle(&mut self, fracture: Fracture) {
        if let Some(own) = self.workspaces.first_mut() {
            own.recycle(fracture);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_done_once_and_in_order_whichever_thread_does_it() {
        let items: Vec<usize> = (0..1000).collect();
        for count in [0, 1, 3] {
            let helpers = Helpers::new(count);
            assert_eq!(helpers.threads(), count + 1);
            let runs = AtomicUsize::new(0);
            let doubled = helpers.map(&items, |item| {
                runs.fetch_add(1, Ordering::Relaxed);
                2 * item
            });
            assert!(doubled.into_iter().eq((0..1000).map(|item| 2 * item)));
            assert_eq!(runs.into_inner(), items.len());
        }
    }

    #[test]
    fn a_panic_of_any_thread_is_passed_on() {
        let helpers = Helpers::new(2);
        let items: Vec<usize> = (0..100).collect();
        let run = || helpers.map(&items, |item| assert_ne!(*item, 50, "on purpose"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
        assert_eq!(
            helpers.map(&items, |item| *item),
            items,
            "the threads go on"
        );
    }
}
