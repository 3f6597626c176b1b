//! Surface restricted to the affected cells: ranges of whole triangles, and clipped polygons.

pub mod candidates;
pub mod classify;
mod clip;
pub mod clipped_surface;
pub mod edge_crossings;
pub mod polygon;
mod split;
