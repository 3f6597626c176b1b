//! Work on many things that two threads share.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::OnceLock;
use std::thread::{scope, Builder};

/// Work to be done on each of some things, by whoever has time. What comes of it does not depend on
/// who that is.
pub(crate) struct SharedWork<'a, T, R, F> {
    things: &'a [T],
    work: F,
    next: AtomicUsize,
    results: Vec<OnceLock<R>>,
}

impl<'a, T, R, F: Fn(&T) -> R> SharedWork<'a, T, R, F> {
    pub fn new(things: &'a [T], work: F) -> Self {
        Self {
            things,
            work,
            next: AtomicUsize::new(0),
            results: things.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// Works on what nobody has begun, until nothing is left.
    pub fn work(&self) {
        loop {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let (Some(thing), Some(result)) = (self.things.get(next), self.results.get(next))
            else {
                return;
            };
            // Each number is drawn once.
            let _ = result.set((self.work)(thing));
        }
    }

    /// Works on what is left; all results, in the order of the things.
    pub fn finish(self) -> Vec<R> {
        self.work();
        let Self {
            things,
            work,
            results,
            ..
        } = self;
        let results = things.iter().zip(results);
        let result =
            |(thing, result): (&T, OnceLock<R>)| result.into_inner().unwrap_or_else(|| work(thing));
        results.map(result).collect()
    }
}

/// Runs something here, while a thread helps by something else; then that is run here, too, to end it
/// together. Nobody helps when no thread is to be had. A panic of either is passed on.
pub(crate) fn beside<T>(help: impl Fn() + Sync, here: impl FnOnce() -> T) -> T {
    scope(|scope| {
        let thread = Builder::new().spawn_scoped(scope, &help);
        let result = here();
        help();
        if let Ok(Err(panic)) = thread.map(|thread| thread.join()) {
            resume_unwind(panic);
        }
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_done_once_and_in_order_whoever_does_it() {
        let things: Vec<usize> = (0..1000).collect();
        let runs = AtomicUsize::new(0);
        let shared = SharedWork::new(&things, |thing| {
            runs.fetch_add(1, Ordering::Relaxed);
            2 * thing
        });
        assert_eq!(beside(|| shared.work(), || 7), 7);
        let doubled: Vec<usize> = things.iter().map(|thing| 2 * thing).collect();
        assert_eq!(shared.finish(), doubled);
        assert_eq!(runs.into_inner(), things.len());
    }

    #[test]
    fn a_panic_of_the_helper_is_passed_on() {
        let caller = std::thread::current().id();
        let run = || {
            let help = || assert_eq!(std::thread::current().id(), caller, "a helper");
            beside(help, || ())
        };
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
