//! Breaks computed for tools, by the code and from the seeds of a game whose `Settings::seed` is 0; the scene is not changed.

mod crack_lines;
mod mesh_check;
mod preview;
mod test_break;

pub use crack_lines::{in_front, CrackLines};
pub use mesh_check::MeshCheck;
pub use preview::{BreakPreview, PreviewError, SurfacePoint};
pub use test_break::TestBreak;
