//! Caps: the regions of cell faces inside the solid, and the spans of Voronoi edges that bound them.

pub mod edge_spans;
pub mod face_caps;
mod winding;
