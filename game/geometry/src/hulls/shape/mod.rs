//! Parts of a solid, and the convex polyhedra around them.

pub mod connected;
pub mod convex_hull;
pub mod convex_polyhedron;
pub mod part;
pub mod quickhull;
