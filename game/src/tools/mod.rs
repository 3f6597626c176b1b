//! Breaks computed for tools, by the code and from the seeds of a game whose `Settings::seed` is 0; the scene is not changed.

mod checks;
mod cooking;
mod crack_lines;
mod preview;
mod structure;

pub use checks::{MeshCheck, TestBreak};
pub use cooking::{CookReport, Cooking};
pub use crack_lines::{in_front, CrackLines};
pub use preview::{BreakPreview, PreviewError, SurfacePoint};
pub use structure::{SceneStructure, StructureCertificate, StructureProblem};
