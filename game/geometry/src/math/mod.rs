//! Exact predicates and the small data structures that all stages share.

mod aabb;
pub mod bits;
mod csr;
mod eigen;
mod plane;
mod pooled_vec;
pub mod predicates;
mod radix_sort;
mod sparse_set;
mod split_mix;
pub mod triangle;
mod union_find;

pub use aabb::Aabb;
pub use csr::Csr;
pub use eigen::symmetric_eigen;
pub use plane::Plane;
pub use pooled_vec::PooledVec;
pub use radix_sort::{ordered_bits, sort_by_key};
pub use sparse_set::SparseSet;
pub use split_mix::split_mix_64;
pub use union_find::{ComponentLabels, UnionFind};

/// Index that refers to nothing.
pub const NONE: u32 = u32::MAX;
