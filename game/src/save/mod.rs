//! Saving and restoring destruction: as bytes for a save game, or embedded in a saved scene.

pub(crate) mod archive;
pub(crate) mod embedded;
