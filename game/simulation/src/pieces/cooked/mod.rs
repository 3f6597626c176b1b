//! Cooked shapes: what preparation computes of a mesh, kept in a file and read instead.

mod cooked_file;
mod cooked_shape;
mod cooked_source;

pub use cooked_file::{CookedError, CookedFile, COOKED_VERSION};
pub use cooked_shape::{CookedNeeds, CookedShape};
pub use cooked_source::{CookedBy, CookedBytes, CookedProblem, CookedSource};
