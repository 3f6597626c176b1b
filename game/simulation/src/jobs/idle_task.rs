//! Tasks of the lowest priority. They have no results and never affect the outcome.

use crate::debris::LazyConvexHull;
use crate::pieces::Colliders;

/// A task of the lowest priority: at most one is done between two jobs.
pub(super) enum IdleTask {
    /// Free a value: a large shape takes milliseconds, and what a worker has allocated some tenths of one where the heap of
    /// its thread shrinks by it.
    Free(Box<dyn Send>),
    /// Build the topology of lazy hulls, which their first use has to do otherwise.
    BuildHulls(Colliders),
}

impl IdleTask {
    pub fn run(self) {
        match self {
            Self::Free(value) => drop(value),
            Self::BuildHulls(colliders) => {
                colliders.shapes().for_each(LazyConvexHull::build_all_in);
            }
        }
    }
}
