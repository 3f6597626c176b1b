//! A script with figures and files of effects.

use crate::script::figures::FigureError;
use fyrox::{
    asset::{state::ResourceState, Resource, TypedResourceData},
    script::ScriptTrait,
};

/// A script that is looked for in a scene.
pub(super) trait EffectScript: ScriptTrait + Clone {
    /// Gives figures that make no sense the values of a new script, and counts that are too large the largest one. Returns
    /// the figures that have been replaced.
    fn mend(&mut self) -> Vec<FigureError>;

    /// The faults of files that cannot be loaded, in words.
    fn file_faults(&self) -> Vec<String>;
}

/// The fault of a row whose file cannot be loaded. There is none while it is being loaded.
pub(super) fn file_fault<A: TypedResourceData>(
    tag: &str,
    file: Option<&Resource<A>>,
) -> Option<String> {
    let header = file?.header();
    let ResourceState::LoadError { path, error } = &header.state else {
        return None;
    };
    Some(format!(
        "the file {} of its row for \"{tag}\" cannot be loaded: {error}; restore it or choose another. The usual one \
         is taken",
        path.display()
    ))
}
