//! Exact predicates and the small data structures that all stages share.

pub mod pooled_vec;
pub mod predicates;
mod sparse_set;
pub mod triangle;
mod union_find;

pub use pooled_vec::PooledVec;
pub use sparse_set::SparseSet;
pub use union_find::{ComponentLabels, UnionFind};

/// Index that refers to nothing.
pub const NONE: u32 = u32::MAX;
