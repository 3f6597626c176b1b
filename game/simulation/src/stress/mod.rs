//! Weight breaks things too: a support graph over the parts that an even lattice of cells has of a
//! body, and the stress that gravity causes in their common faces.
//!
//! A body keeps one lattice through all breaks; after each of them the parts and faces are those that
//! the cut has left, exactly. Loads are the body's own weight: debris and bodies that rest on it are
//! not counted, nor is anything that moves.

mod block;
mod connectivity;
mod graph;
mod lattice;
mod network;
mod solve;
mod solver;
mod strength;

pub use graph::{StressBond, StressGraph, StressNode};
pub(crate) use lattice::LazyLattice;
pub(crate) use solve::{BrokenFaces, CrackParts, StressProblem, StressSolution};
