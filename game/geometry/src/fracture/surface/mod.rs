//! The solid's surface restricted to the active cells: whole triangles in ranges, and clipped polygons.

pub mod candidates;
pub mod classify;
mod clip;
pub mod clipped_polygon;
pub mod clipped_surface;
mod edge_crossings;
mod split;
