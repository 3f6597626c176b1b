//! Work on many items, shared by two threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::OnceLock;
use std::thread::{scope, Builder};

/// Work on each of some items, by whichever thread has time. The results do not depend on which thread
/// that is.
pub(super) struct SharedWork<'a, T, R, F> {
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

/// Runs `own` in this thread while a second thread runs `shared`, then runs `shared` here as well, to end
/// it together. Without a second thread all runs here. A panic of either is passed on.
pub(super) fn run_with_helper<T>(shared: impl Fn() + Sync, own: impl FnOnce() -> T) -> T {
    scope(|scope| {
        let helper = Builder::new().spawn_scoped(scope, &shared);
        let result = own();
        shared();
        if let Ok(Err(panic)) = helper.map(|helper| helper.join()) {
            resume_unwind(panic);
        }
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_done_once_and_in_order_whichever_thread_does_it() {
        let items: Vec<usize> = (0..1000).collect();
        let runs = AtomicUsize::new(0);
        let shared = SharedWork::new(&items, |item| {
            runs.fetch_add(1, Ordering::Relaxed);
            2 * item
        });
        assert_eq!(run_with_helper(|| shared.work(), || 7), 7);
        let doubled: Vec<usize> = items.iter().map(|item| 2 * item).collect();
        assert_eq!(shared.finish(), doubled);
        assert_eq!(runs.into_inner(), items.len());
    }

    #[test]
    fn a_panic_of_the_helper_is_passed_on() {
        let caller = std::thread::current().id();
        let run = || {
            let shared = || assert_eq!(std::thread::current().id(), caller, "a helper");
            run_with_helper(shared, || ())
        };
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
