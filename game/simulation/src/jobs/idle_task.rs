//! Tasks of the lowest priority. They have no results and never affect the outcome.

use std::sync::Arc;

use crate::pieces::{Colliders, LazyConvexHull, Shape};

/// A task of the lowest priority: at most one is done between two jobs.
pub(super) enum IdleTask {
    /// Free a shape: a large one takes milliseconds.
    Free(Arc<Shape>),
    /// Build the topology of lazy hulls, which their first use has to do otherwise.
    BuildHulls(Colliders),
}

impl IdleTask {
    pub fn run(self) {
        match self {
            Self::Free(shape) => drop(shape),
            Self::BuildHulls(colliders) => {
                for hull in colliders.shapes().flat_map(LazyConvexHull::all_in) {
                    hull.built();
                }
            }
        }
    }
}
