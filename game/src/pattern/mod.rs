//! The pattern as an asset: its parameters, its file, presets, its picture.

mod editing;
mod file;
mod fracture_pattern;
mod presets;

pub use editing::PatternField;
pub(crate) use fracture_pattern::PatternKey;
pub use fracture_pattern::{
    FracturePattern, FracturePatternResource, PatternAxis, PatternKind, PATTERN_VERSION,
};
pub use presets::PRESETS;
