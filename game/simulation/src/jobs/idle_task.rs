//! What a worker does when there is nothing else to do, and one at a time between jobs. Nobody waits for it, and
//! nothing shows whether it has been done.

use std::sync::Arc;

use crate::pieces::Shape;
use crate::pieces::{Colliders, LazyConvexHull};

/// One of those.
pub(super) enum IdleTask {
    /// Lets a shape go: freeing a large one takes milliseconds.
    LetGo(Arc<Shape>),
    /// Finds the faces of hulls, which whoever touches them first has to do else.
    BuildHulls(Colliders),
}

impl IdleTask {
    pub fn run(self) {
        match self {
            Self::LetGo(shape) => drop(shape),
            Self::BuildHulls(colliders) => {
                for hull in colliders.shapes().flat_map(LazyConvexHull::all) {
                    hull.built();
                }
            }
        }
    }
}
