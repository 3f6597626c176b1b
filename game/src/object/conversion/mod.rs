//! Converts engine surfaces to meshes and back. All of it is meant for the worker.

mod carried;
mod grey_pixels;
mod reading;
mod vertex_transform;
mod vertex_values;
mod writing;

pub(crate) use carried::VertexColors;
pub(crate) use grey_pixels::{grey, GreyPixels};
pub(crate) use reading::{has_colors, has_coordinates, has_positions};
pub use reading::{read_surfaces, ConversionError, Skin, SourceSurface};
pub use writing::write_surfaces;
