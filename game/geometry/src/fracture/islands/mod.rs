//! Connectivity: which elements of the cut solid hang together, and which of these form a piece.

mod cavities;
pub mod components;
pub mod connect;
mod element_index;
pub mod elements;
pub mod groups;
mod labels;
pub mod pieces;
mod seams;
pub mod shares;
mod slivers;
pub mod triangles;
