//! What a piece is collided with: as a rule one shape.

use std::fmt;
use std::iter::once;
use std::sync::Arc;

use rapier3d::geometry::{Aabb, SharedShape};
use rapier3d::prelude::BoundingVolume;

/// Collision shapes of a piece, body space. A free piece has one; a large one that is held has the triangle
/// meshes of its parts, so that those that no break comes near are handed on.
#[derive(Clone)]
pub struct Colliders {
    first: SharedShape,
    more: Arc<[SharedShape]>,
}

impl Colliders {
    /// Of several shapes; `None` when there are none.
    pub(crate) fn of(shapes: impl IntoIterator<Item = SharedShape>) -> Option<Self> {
        let mut shapes = shapes.into_iter();
        let first = shapes.next()?;
        let more = shapes.collect();
        Some(Self { first, more })
    }

    /// The first, as a rule the only one.
    pub fn first(&self) -> &SharedShape {
        &self.first
    }

    /// All of them.
    pub fn shapes(&self) -> impl Iterator<Item = &SharedShape> {
        once(&self.first).chain(&*self.more)
    }

    /// The box around them.
    pub fn bounds(&self) -> Aabb {
        let first = self.first.compute_local_aabb();
        let more = self.more.iter().map(|shape| shape.compute_local_aabb());
        more.fold(first, |all, one| all.merged(&one))
    }
}

impl From<SharedShape> for Colliders {
    fn from(first: SharedShape) -> Self {
        let more = Arc::default();
        Self { first, more }
    }
}

impl fmt::Debug for Colliders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types = self.shapes().map(|shape| shape.shape_type());
        f.debug_list().entries(types).finish()
    }
}
