//! Polygons in a plane: closed loops from segments, and the triangulation of polygons with holes.

mod cdt;
mod ear_clipping;
mod loops;
mod predicates2;
mod triangulate;

pub(crate) use loops::{Loops, Segment};
pub(crate) use triangulate::{Regions, Triangulator};
