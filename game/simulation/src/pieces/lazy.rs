//! What is found once of a whole body and shared by all that it breaks into.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fracture_geometry::hulls::{CachedHulls, ConvexParts};

/// What is there, or how it is to be made on the worker.
pub(crate) struct CancellableLazy<T> {
    made: OnceLock<Arc<T>>,
    /// Until it is there. Whoever makes it holds this meanwhile.
    make: Mutex<Option<Make<T>>>,
}

/// Makes it, or nothing once it is told to stop.
type Make<T> = Box<dyn Fn(&ShouldCancel) -> Option<Arc<T>> + Send>;

/// Tells whether there is something else to do first.
pub(crate) type ShouldCancel<'a> = dyn Fn() -> bool + 'a;

/// The convex parts of a whole body.
pub(crate) type LazyParts = CancellableLazy<ConvexParts>;

/// The hulls of a whole body.
pub(crate) type LazyHulls = CancellableLazy<CachedHulls>;

/// Makes something in advance when all else is done; `false` when it was told to stop.
pub(crate) type Precompute = Box<dyn Fn(&ShouldCancel) -> bool + Send>;

impl LazyParts {
    /// Parts that are there already.
    pub fn ready(parts: ConvexParts) -> Arc<Self> {
        Arc::new(Self {
            made: OnceLock::from(Arc::new(parts)),
            make: Mutex::default(),
        })
    }
}

impl<T: Default + Send + Sync + 'static> CancellableLazy<T> {
    /// To be made when somebody asks for it; what that takes stays in memory until then.
    pub fn to_be_made(
        make: impl Fn(&ShouldCancel) -> Option<Arc<T>> + Send + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            made: OnceLock::new(),
            make: Mutex::new(Some(Box::new(make))),
        })
    }

    /// What there is, made now when it is not there yet; none of a body that cannot be broken, or whose mesh cannot be
    /// made: its pieces are there and break all the same.
    pub fn get(&self) -> &Arc<T> {
        let made = self.get_unless(&|| false);
        made.unwrap_or_else(|| self.made.get_or_init(Arc::default))
    }

    /// The same, or `None` when it was not there yet and making it was stopped.
    pub fn get_unless(&self, stop: &ShouldCancel) -> Option<&Arc<T>> {
        if self.made.get().is_none() {
            let mut make = self.make.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(now) = make.as_ref() {
                // Nothing that a panic leaves half done is used again.
                let made = catch_unwind(AssertUnwindSafe(|| now(stop)));
                let made = made.unwrap_or_else(|_| Some(Arc::default()))?;
                self.made.get_or_init(|| made);
                *make = None;
            }
        }
        self.made.get()
    }

    /// Makes it in advance.
    pub fn late(self: Arc<Self>) -> Precompute {
        Box::new(move |stop| self.get_unless(stop).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Numbers that are made of how often they were begun.
    fn numbers() -> (Arc<CancellableLazy<usize>>, Arc<AtomicUsize>) {
        let begun = Arc::new(AtomicUsize::new(0));
        let count = begun.clone();
        let numbers = CancellableLazy::to_be_made(move |stop| {
            let number = count.fetch_add(1, Ordering::Relaxed) + 1;
            (!stop()).then(|| Arc::new(number))
        });
        (numbers, begun)
    }

    #[test]
    fn what_was_stopped_is_made_when_it_is_needed() {
        let (numbers, begun) = numbers();
        assert_eq!(numbers.get_unless(&|| true), None);
        assert_eq!(numbers.get_unless(&|| true), None);
        assert_eq!(**numbers.get(), 3);
        assert_eq!(numbers.get_unless(&|| true).map(|made| **made), Some(3));
        assert_eq!(begun.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn all_have_what_was_made_once() {
        let (numbers, begun) = numbers();
        std::thread::scope(|scope| {
            for stops in [true, false, true, false] {
                let numbers = numbers.clone();
                scope.spawn(move || match stops {
                    true => numbers.get_unless(&|| true).map(|made| **made),
                    false => Some(**numbers.get()),
                });
            }
        });
        let made = **numbers.get();
        assert_eq!(begun.load(Ordering::Relaxed), made);
    }

    #[test]
    fn what_panics_is_not_tried_again() {
        let count = Arc::new(AtomicUsize::new(0));
        let begun = count.clone();
        let numbers: Arc<CancellableLazy<usize>> = CancellableLazy::to_be_made(move |_| {
            begun.fetch_add(1, Ordering::Relaxed);
            panic!("on purpose")
        });
        assert_eq!(**numbers.get(), 0);
        assert_eq!(**numbers.get(), 0);
        assert_eq!(count.load(Ordering::Relaxed), 1);
    }
}
