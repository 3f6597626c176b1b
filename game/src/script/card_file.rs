//! The file of a card, with figures that make sense.

use crate::{
    asset_file::{AssetFile, AssetFileError},
    script::{
        config::DestructibleConfig,
        destructible::Destructible,
        figures::{figure, Figure},
        material_card::{MaterialCard, CARD_VERSION},
    },
};

use std::path::Path;

impl MaterialCard {
    /// Reads a card file's content; `path` is for messages only. A pattern or a material that it names by file is left
    /// out: those are read by the engine's resource manager.
    ///
    /// # Errors
    /// A damaged file, one of a newer version, or a figure that makes no sense.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, AssetFileError> {
        Self::from_file_content(bytes, path, None)
    }
}

impl AssetFile for MaterialCard {
    const FILE_KIND: &'static str = "card";
    const REGION: &'static str = "MaterialCard";
    const NEWEST: u32 = CARD_VERSION;

    fn version(&mut self) -> &mut u32 {
        &mut self.version
    }

    fn check(&self) -> Result<(), String> {
        let script = Destructible::of_card(self);
        let figures = [
            figure("Friction", self.friction, 0.0..=10.0, ""),
            figure("Restitution", self.restitution, 0.0..=1.0, ""),
        ];
        let own = figures.iter().try_for_each(Figure::check);
        own.and_then(|()| DestructibleConfig::new(&script).check())
            .map_err(|error| error.to_string())
    }
}
