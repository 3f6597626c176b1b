//! What a worker does when there is nothing else to do, and one at a time between jobs. Nobody waits for it, and
//! nothing shows whether it has been done.

use std::sync::Arc;

use crate::body::Shape;
use crate::debris::{Colliders, LateHull};

/// One of those.
pub(super) enum Chore {
    /// Lets a shape go: freeing a large one takes milliseconds.
    LetGo(Arc<Shape>),
    /// Finds the faces of hulls, which whoever touches them first has to do else.
    BuildHulls(Colliders),
}

impl Chore {
    pub fn run(self) {
        match self {
            Self::LetGo(shape) => drop(shape),
            Self::BuildHulls(colliders) => {
                for hull in colliders.shapes().flat_map(LateHull::all) {
                    hull.built();
                }
            }
        }
    }
}
