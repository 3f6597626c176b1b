//! Stress under a body's own weight. A body is divided by an even lattice of cells into a support graph of
//! nodes and bonds; gravity loads the bonds, and overloaded ones break until the rest holds or falls.
//!
//! A body keeps one lattice through all breaks. After each of them the nodes and bonds are those that the
//! cut has left, exactly. Loads are the body's own weight, what its bonds with other bodies bear, and what rests and
//! hangs on it; motion is not counted.

mod block;
pub(crate) mod building;
mod connectivity;
mod crack;
mod elimination;
mod graph;
mod lattice;
mod load;
mod necks;
mod network;
mod relief;
mod solve;
pub(crate) mod solver;
mod strength;
mod support_graphs;

pub(crate) use connectivity::components;
pub use graph::{StressBond, StressGraph, StressNode, StressPeak};
pub(crate) use lattice::{Lattice, LazyLattice};
pub use load::StressLoad;
pub use solve::BrokenBonds;
pub(crate) use solve::{CrackParts, StressProblem, StressSolution};
pub(crate) use strength::half_axes;
pub(crate) use support_graphs::SupportGraphs;

/// Share of the strength from which on the host is warned...
const STRAINED: f64 = 0.9;
/// ... and below which it is warned again: a load that swings is told once.
const RELIEVED: f64 = 0.75;

/// Whether a place is near its strength at a utilisation, by whether it was before.
pub(crate) fn is_strained(utilisation: f64, was_strained: bool) -> bool {
    utilisation > if was_strained { RELIEVED } else { STRAINED }
}
