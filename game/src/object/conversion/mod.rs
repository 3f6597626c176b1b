//! Converts engine surfaces to meshes and back. All of it is meant for the worker.

mod carried;
mod reading;
mod vertex_transform;
mod vertex_values;
mod writing;

pub(crate) use reading::has_positions;
pub use reading::{read_surfaces, ConversionError, Skin, SourceSurface};
pub use writing::write_surfaces;
