//! The pattern as an asset: its parameters, its file, presets, its picture.

mod editing;
mod file;
mod fracture_pattern;
mod presets;
mod stencil_sites;

pub use editing::PatternField;
pub(crate) use fracture_pattern::PatternKey;
pub use fracture_pattern::{
    FracturePattern, FracturePatternResource, PatternAxis, PatternKind, PATTERN_VERSION,
};
pub use presets::PRESETS;
pub use stencil_sites::StencilSites;
