//! Caps: the parts of cell faces inside the solid, and the spans of Voronoi edges that bound them.

pub mod cap;
pub mod edge_spans;
mod winding;
