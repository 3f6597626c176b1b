//! Helpers: threads that share the work of one job with the thread that runs it.

use std::future::{ready, Future};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use crossbeam::channel::{bounded, never, Receiver, Sender};
use crossbeam::utils::Backoff;
use fracture_geometry::steps::{finish, pause};
use fracture_geometry::{
    fracture_in_steps, Fracture, FractureError, FractureParams, Pattern, Solid, TaskRunner,
    Threads, Workspace,
};
use rayon::{join, scope, yield_now, Yield};
use web_time::Instant;

use crate::stopwatch::Clock;
use crate::stress::solver::System;

/// Triangles of pieces from which on helpers share their making. Below, calling them takes as long as they save.
pub(crate) const MIN_TRIANGLES_FOR_HELPERS: usize = 2000;

/// Triangles of a solid from which on helpers share its cut, each step of which is divided.
const MIN_TRIANGLES_FOR_CUT: usize = 10_000;

/// Triangles that take as long to cut as a cell of the pattern does.
const TRIANGLES_LIKE_A_CELL: usize = 20;

/// How long a helper that has found nothing to do stays awake. Where it sleeps, the system may move the calling thread to the
/// core that has become free, and wake the helper there, to wait for milliseconds behind it.
const MAX_SPIN: Duration = Duration::from_millis(2);
/// How long it sleeps then, before it looks again.
const HELPER_DELAY: Duration = Duration::from_micros(50);

/// The other threads of a worker, which help one that has called them as far as they have no job. It does all that no
/// other has begun, and waits only for what one is doing: a helper that finds no core delays nothing. Results do not
/// depend on their number.
///
/// They may run on any core. On two cores a scheduler may leave one idle and run a helper in turn with its caller; kept on
/// cores of their own, they wait for each other where another program has one of these, which is worse.
#[derive(Clone, Default)]
pub(crate) struct Helpers(Option<Arc<Team>>);

/// Shared by the threads of a worker.
struct Team {
    threads: usize,
    /// Number of calls that have not ended.
    calls: AtomicUsize,
    /// Wakes threads that wait for work.
    bell: (Sender<()>, Receiver<()>),
}

/// While it lives, helpers come.
pub(crate) struct Call(Option<Arc<Team>>);

impl Drop for Call {
    fn drop(&mut self) {
        if let Some(team) = &self.0 {
            team.calls.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Helpers {
    /// Of each of some threads of one pool. With one thread, all is done by that; so it is without a pool, by default.
    pub fn new(threads: usize) -> Self {
        let team = || Team {
            threads,
            calls: AtomicUsize::new(0),
            bell: bounded(threads),
        };
        Self((threads > 1).then(|| Arc::new(team())))
    }

    /// Number of threads that work with the calling one, which is counted too.
    pub fn threads(&self) -> usize {
        self.0.as_ref().map_or(1, |team| team.threads)
    }

    /// The threads, for loops of the geometry.
    pub fn as_threads(&self) -> Threads<'_> {
        Threads {
            runner: self,
            count: self.threads(),
        }
    }

    /// Calls the helpers.
    pub fn call(&self) -> Call {
        if let Some(team) = &self.0 {
            team.calls.fetch_add(1, Ordering::Relaxed);
            // As many as there is room for: a thread that comes late finds nothing to do.
            while team.bell.0.try_send(()).is_ok() {}
        }
        Call(self.0.clone())
    }

    /// Whether a call has not ended.
    pub fn are_called(&self) -> bool {
        let team = self.0.as_ref();
        team.is_some_and(|team| team.calls.load(Ordering::Relaxed) > 0)
    }

    /// Gives something when helpers are called.
    pub fn bell(&self) -> Receiver<()> {
        self.0.as_ref().map_or(never(), |team| team.bell.1.clone())
    }

    /// Helps with what calling threads share, until there is no call or a function returns true.
    pub fn help_until(&self, should_stop: impl Fn() -> bool) {
        let backoff = Backoff::new();
        let mut idle_since = Instant::now();
        while self.are_called() && !should_stop() {
            match yield_now() {
                Some(Yield::Executed) => {
                    backoff.reset();
                    idle_since = Instant::now();
                }
                _ if idle_since.elapsed() > MAX_SPIN => sleep(HELPER_DELAY),
                _ => backoff.snooze(),
            }
        }
    }

    /// Runs one function on the calling thread and another on all helpers that have time, and returns when all that
    /// were begun have ended. A panic of any is passed on.
    pub fn run_beside(&self, own: impl FnOnce() + Send, help: impl Fn() + Sync) {
        if self.threads() < 2 {
            return own();
        }
        scope(|scope| {
            for _ in 1..self.threads() {
                scope.spawn(|_| help());
            }
            own();
        });
    }

    /// Computes two values, the second on a helper if one has time.
    pub fn join<A: Send, B: Send>(
        &self,
        first: impl FnOnce() -> A + Send,
        second: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        if self.threads() < 2 {
            return (first(), second());
        }
        join(first, second)
    }

    /// Computes a value of each item, by whichever thread has time; the values in the order of the items.
    pub fn map<T: Sync, R: Send + Sync>(
        &self,
        items: &[T],
        function: impl Fn(&T) -> R + Send + Sync,
    ) -> Vec<R> {
        finish(self.map_in_steps(items, function))
    }

    /// The same in steps, as far as the calling thread works alone: one for each item.
    pub async fn map_in_steps<T: Sync, R: Send + Sync>(
        &self,
        items: &[T],
        function: impl Fn(&T) -> R + Send + Sync,
    ) -> Vec<R> {
        let shared = SharedWork::new(items, |item| ready(function(item)));
        if self.threads() > 1 {
            self.run_beside(|| shared.work(), || shared.work());
        }
        shared.finish_in_steps().await
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

impl<'a, T, R, W: Future<Output = R>, F: Fn(&'a T) -> W> SharedWork<'a, T, R, F> {
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
        while finish(self.work_on_next()) {}
    }

    /// Works on an item that no thread has begun; false when none is left.
    async fn work_on_next(&self) -> bool {
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        let (Some(item), Some(result)) = (self.items.get(next), self.results.get(next)) else {
            return false;
        };
        // Each index is drawn once.
        let _ = result.set((self.work)(item).await);
        true
    }

    /// Works on what is left, in steps of an item or less; all results, in the order of the items.
    pub async fn finish_in_steps(self) -> Vec<R> {
        while self.work_on_next().await {
            pause().await;
        }
        // All are there: each item was worked on by a thread that has come back, or here.
        let results = self.results.into_iter();
        results.filter_map(OnceLock::into_inner).collect()
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
    /// Time for which the present job was left.
    pub left: Arc<Clock>,
    /// For breaks: of the thread itself, then of its helpers.
    workspaces: Vec<Workspace>,
    /// For work that the thread does alone.
    pub workspace: Workspace,
    /// For one stress solve after the other.
    pub system: System,
}

impl JobThread {
    pub fn new(helpers: Helpers) -> Self {
        let workspaces = (0..helpers.threads()).map(|_| Workspace::default());
        Self {
            workspaces: workspaces.collect(),
            workspace: Workspace::default(),
            system: System::default(),
            cancel: Arc::default(),
            left: Arc::default(),
            helpers,
        }
    }

    /// A thread without helpers, which breaks with this memory.
    pub fn alone(workspace: Workspace) -> Self {
        Self {
            helpers: Helpers::default(),
            cancel: Arc::default(),
            left: Arc::default(),
            workspaces: vec![workspace],
            workspace: Workspace::default(),
            system: System::default(),
        }
    }

    /// The memory with which the thread itself breaks.
    pub fn into_workspace(mut self) -> Workspace {
        self.workspaces.pop().unwrap_or_default()
    }

    /// Breaks a solid, together with the helpers where there is enough to do, else in steps.
    pub async fn fracture(
        &mut self,
        solid: &Solid,
        pattern: &Pattern,
        params: &FractureParams<'_>,
    ) -> Result<Fracture, FractureError> {
        let work = solid.triangle_count() + TRIANGLES_LIKE_A_CELL * pattern.cell_count();
        let threads = if work < MIN_TRIANGLES_FOR_CUT {
            1
        } else {
            self.workspaces.len()
        };
        let workspaces = self.workspaces.get_mut(..threads).unwrap_or_default();
        fracture_in_steps(&self.helpers, solid, pattern, params, workspaces).await
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
    use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

    use rayon::ThreadPoolBuilder;

    use super::*;

    /// Longer than anything here takes, so that a failure is reported.
    const TIMEOUT: Duration = Duration::from_secs(60);

    /// Calls a function on all threads of a pool, each with helpers that are called.
    fn on_team<T: Send>(threads: usize, run: impl Fn(&Helpers) -> T + Sync) -> T {
        let pool = ThreadPoolBuilder::new().num_threads(threads);
        let helpers = Helpers::new(threads);
        let call = helpers.call();
        let is_done = AtomicBool::new(false);
        let mut results = pool.build().unwrap().broadcast(|context| {
            if context.index() > 0 {
                helpers.help_until(|| is_done.load(Ordering::Relaxed));
                return None;
            }
            let result = catch_unwind(AssertUnwindSafe(|| run(&helpers)));
            is_done.store(true, Ordering::Relaxed);
            Some(result)
        });
        assert_eq!(helpers.are_called(), threads > 1);
        drop(call);
        assert!(!helpers.are_called());
        match results.swap_remove(0) {
            Some(result) => result.unwrap_or_else(|panic| resume_unwind(panic)),
            None => unreachable!("the first thread runs it"),
        }
    }

    #[test]
    fn everything_is_done_once_and_in_order_whichever_thread_does_it() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [1, 2, 4] {
            let runs = AtomicUsize::new(0);
            let doubled = on_team(threads, |helpers| {
                assert_eq!(helpers.threads(), threads);
                helpers.map(&items, |item| {
                    runs.fetch_add(1, Ordering::Relaxed);
                    2 * item
                })
            });
            assert!(doubled.into_iter().eq((0..1000).map(|item| 2 * item)));
            assert_eq!(runs.into_inner(), items.len());
        }
    }

    #[test]
    fn helpers_do_what_the_calling_thread_has_not_begun() {
        let (sender, receiver) = bounded(0);
        on_team(2, |helpers| {
            // Neither ends without the other.
            let own = || assert!(receiver.recv_timeout(TIMEOUT).is_ok());
            helpers.run_beside(own, || assert!(sender.send_timeout((), TIMEOUT).is_ok()));
        });
    }

    #[test]
    fn no_thread_waits_for_helpers_that_do_not_come() {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (sender, receiver) = bounded::<()>(0);
        let helpers = Helpers::new(2);
        let sum = pool.broadcast(|context| {
            if context.index() > 0 {
                // Busy with another job until the work is done.
                return usize::from(receiver.recv_timeout(TIMEOUT).is_ok());
            }
            let _call = helpers.call();
            let done = helpers.map(&[1, 2, 3], |item| item + 1);
            assert!(sender.send_timeout((), TIMEOUT).is_ok());
            done.into_iter().sum()
        });
        assert_eq!(sum, [9, 1]);
    }

    #[test]
    fn a_panic_of_any_thread_is_passed_on() {
        let items: Vec<usize> = (0..100).collect();
        on_team(3, |helpers| {
            let run = || helpers.map(&items, |item| assert_ne!(*item, 50, "on purpose"));
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
            assert_eq!(
                helpers.map(&items, |item| *item),
                items,
                "the threads go on"
            );
        });
    }
}
