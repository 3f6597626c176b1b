//! Tools for editors and build servers: objects are made destructible, and breaks computed, by the code and from the seeds of
//! a game whose `Settings::seed` is 0.

mod checks;
mod cooking;
mod crack_lines;
mod make_destructible;
mod preview;
mod setup_check;
mod stencil_file;
mod structure;
mod weak_lines;

pub use checks::{MeshCheck, TestBreak};
pub use cooking::{CookReport, Cooking};
pub use crack_lines::{in_front, CrackLines};
pub use make_destructible::{make_destructible, MadeDestructible, MakeDestructibleError, NewBody};
pub use preview::{BreakPreview, PreviewError, SurfacePoint};
pub use setup_check::{check_setup, SetupFinding};
pub use stencil_file::{read_stencil, StencilFileError};
pub use structure::{SceneStructure, StructureCertificate, StructureProblem};
