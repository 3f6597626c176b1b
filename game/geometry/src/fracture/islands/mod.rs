//! Connectivity: which elements of the cut solid are connected, and which of them form a piece.

mod cavities;
pub mod components;
pub mod connect;
mod contacts;
mod element_index;
pub mod elements;
pub mod groups;
mod labels;
pub mod pieces;
mod slivers;
