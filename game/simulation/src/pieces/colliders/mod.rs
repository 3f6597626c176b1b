//! Collision shapes of pieces, built on the worker.

mod build;
mod colliders;
mod convex;
mod lazy_hull;
mod polygon;
mod remainder;
mod sheet;

pub(crate) use build::{
    debris_collider, fallen_collider, hulls_collider, static_collider, BuiltCollider, HullCount,
};
pub use colliders::Colliders;
pub(crate) use lazy_hull::LazyConvexHull;
pub(crate) use remainder::RemainderCollider;
pub(crate) use sheet::thickened;
