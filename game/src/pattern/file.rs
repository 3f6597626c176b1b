//! The file of a pattern.

use super::fracture_pattern::{FracturePattern, PATTERN_VERSION};
use crate::asset_file::{AssetFile, AssetFileError};
use fyrox::{
    asset::ResourceData,
    core::{type_traits::prelude::*, uuid::Uuid},
};
use std::{error::Error, path::Path};

impl AssetFile for FracturePattern {
    const FILE_KIND: &'static str = "pattern";
    const REGION: &'static str = "FracturePattern";
    const NEWEST: u32 = PATTERN_VERSION;

    fn version(&mut self) -> &mut u32 {
        &mut self.version
    }
}

impl FracturePattern {
    /// Reads a pattern file's content; `path` is for messages only.
    ///
    /// # Errors
    /// A damaged file, or one of a newer version.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, AssetFileError> {
        Self::from_file_content(bytes, path, None)
    }
}

impl ResourceData for FracturePattern {
    fn type_uuid(&self) -> Uuid {
        <Self as TypeUuidProvider>::type_uuid()
    }

    fn save(&mut self, path: &Path) -> Result<(), Box<dyn Error>> {
        self.write_file(path)
    }

    fn can_be_saved(&self) -> bool {
        true
    }

    fn try_clone_box(&self) -> Option<Box<dyn ResourceData>> {
        Some(Box::new(self.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::PatternKind;
    use fyrox::core::visitor::prelude::*;

    const REGION: &str = FracturePattern::REGION;

    fn saved(pattern: &mut FracturePattern) -> Vec<u8> {
        let mut visitor = Visitor::new();
        pattern.visit(REGION, &mut visitor).unwrap();
        visitor.save_ascii_to_string().into_bytes()
    }

    fn read(bytes: &[u8]) -> Result<FracturePattern, AssetFileError> {
        FracturePattern::from_bytes(bytes, Path::new("a.pattern"))
    }

    #[test]
    fn every_preset_survives_saving() {
        for (name, make) in crate::pattern::PRESETS {
            let mut pattern = make();
            assert_eq!(read(&saved(&mut pattern)).unwrap(), pattern, "{name}");
        }
    }

    /// The fields of version 1.
    #[derive(Visit)]
    struct Version1 {
        version: u32,
        kind: PatternKind,
        cells: u32,
        falloff: f32,
        seed: u32,
    }

    #[test]
    fn files_of_version_1_load_with_defaults_for_new_fields() {
        let mut old = Version1 {
            version: 1,
            kind: PatternKind::Uniform,
            cells: 12,
            falloff: 2.0,
            seed: 7,
        };
        let mut visitor = Visitor::new();
        old.visit(REGION, &mut visitor).unwrap();
        let pattern = read(&visitor.save_ascii_to_string().into_bytes()).unwrap();
        let expected = FracturePattern {
            version: 1,
            kind: PatternKind::Uniform,
            cells: 12,
            falloff: 2.0,
            seed: 7,
            ..Default::default()
        };
        assert_eq!(pattern, expected);
        assert_eq!(pattern.planes().unwrap().cell_count(), 12);
    }

    #[test]
    fn stencils_survive_saving_to_the_bit() {
        let sites = [[0.1, -2.5e-7, 3.0], [1.0 / 3.0, 1e5, -0.0], [7.0, 8.0, 9.0]];
        let sites = sites.map(fracture_geometry::glam::DVec3::from);
        let mut pattern = FracturePattern {
            kind: PatternKind::Stencil,
            source: "data/models/cells.glb".into(),
            stencil: crate::StencilSites::new(&sites),
            ..Default::default()
        };
        let bytes = saved(&mut pattern);
        let again = read(&bytes).unwrap();
        assert_eq!(again, pattern);
        assert_eq!(again.planes().unwrap().cell_count(), 3);
        let text = String::from_utf8(bytes).unwrap();
        let damaged = text.replace("0.1 ", "one ");
        assert_ne!(text, damaged);
        let message = read(damaged.as_bytes()).unwrap_err().to_string();
        assert!(
            message.contains("a.pattern") && message.contains("three numbers"),
            "{message}"
        );
        let empty = FracturePattern {
            stencil: Default::default(),
            ..again
        };
        let message = empty.planes().unwrap_err().to_string();
        assert!(message.ends_with("Read Stencil"), "{message}");
    }

    #[test]
    fn a_newer_file_is_told_apart_from_a_corrupt_one() {
        let mut pattern = FracturePattern {
            version: 9,
            ..Default::default()
        };
        let message = FracturePattern::from_bytes(&saved(&mut pattern), Path::new("a.pattern"))
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("version 9") && message.contains("a.pattern"),
            "{message}"
        );
    }

    #[test]
    fn damaged_files_give_a_message_that_names_the_file() {
        let good = saved(&mut FracturePattern::default());
        let mut damaged: Vec<Vec<u8>> = (0..good.len())
            .step_by(7)
            .map(|n| good[..n].to_vec())
            .collect();
        damaged.push(b"not a pattern".to_vec());
        damaged.push(vec![0xff; 64]);
        damaged.push(b"FBAF\0\0\0\0".to_vec());
        for bytes in damaged {
            match FracturePattern::from_bytes(&bytes, Path::new("glass.pattern")) {
                Ok(read) => assert_eq!(read, FracturePattern::default()),
                Err(error) => assert!(error.to_string().contains("glass.pattern")),
            }
        }
    }
}
