//! What holds a body to the world.

use std::fmt;
use std::sync::Arc;

use glam::Vec3;

use crate::error::BodyError;

/// An axis-aligned box in body space, `[lowest corner, highest corner]`, that holds what touches it.
pub type Anchor = [Vec3; 2];

/// Makes anchors from a body's bounds (body space).
pub(crate) type FromBounds = Arc<dyn Fn([Vec3; 2]) -> Vec<Anchor> + Send + Sync>;

/// What holds a body to the world. An island that touches an anchor stays; fragments always fall.
#[derive(Clone)]
pub enum Anchors {
    /// Boxes; none makes the body free.
    Boxes(Arc<[Anchor]>),
    /// Boxes that follow from the bounds of the whole body, which are known only on the worker.
    /// Pieces inherit the boxes. Such a body counts as anchored.
    FromBounds(FromBounds),
}

impl Default for Anchors {
    fn default() -> Self {
        Self::free()
    }
}

impl Anchors {
    /// Nothing holds the body.
    pub fn free() -> Self {
        Self::Boxes(Arc::new([]))
    }

    /// These boxes hold it.
    pub fn boxes(boxes: Vec<Anchor>) -> Self {
        Self::Boxes(boxes.into())
    }

    /// Boxes that a function makes from the body's bounds, on the worker.
    pub fn from_bounds(make: impl Fn([Vec3; 2]) -> Vec<Anchor> + Send + Sync + 'static) -> Self {
        Self::FromBounds(Arc::new(make))
    }

    /// Whether nothing can hold the body.
    pub fn is_free(&self) -> bool {
        matches!(self, Self::Boxes(boxes) if boxes.is_empty())
    }

    /// The boxes for a body of some bounds.
    pub(crate) fn resolve(&self, bounds: [Vec3; 2]) -> Arc<[Anchor]> {
        match self {
            Self::Boxes(boxes) => boxes.clone(),
            Self::FromBounds(make) => make(bounds).into(),
        }
    }

    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let finite = match self {
            Self::Boxes(boxes) => boxes.iter().flatten().all(|corner| corner.is_finite()),
            Self::FromBounds(_) => true,
        };
        match finite {
            true => Ok(()),
            false => Err(BodyError::NotFinite { what: "anchor box" }),
        }
    }
}

impl fmt::Debug for Anchors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boxes(boxes) => f.debug_tuple("Boxes").field(boxes).finish(),
            Self::FromBounds(_) => f.write_str("FromBounds"),
        }
    }
}
