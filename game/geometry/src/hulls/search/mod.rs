//! The search for few hulls that fit: an approximate convex decomposition by planes, and a greedy
//! merge.

mod candidate_planes;
mod concavity;
pub mod context;
mod cost;
pub mod decompose;
pub mod hull_part;
pub mod merge;
pub mod split_tree;
