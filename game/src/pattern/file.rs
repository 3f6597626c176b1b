//! Reading and writing of pattern files: versions and errors.

use super::fracture_pattern::{FracturePattern, PATTERN_VERSION};
use fyrox::{
    asset::ResourceData,
    core::{type_traits::prelude::*, uuid::Uuid, visitor::prelude::*},
};
use std::{error::Error, path::Path};
use thiserror::Error as ThisError;

/// Name of the outermost region of a pattern file.
const REGION: &str = "FracturePattern";

/// Reason why a pattern file cannot be used.
#[derive(Debug, ThisError)]
pub enum PatternFileError {
    /// The file cannot be read from the disk.
    #[error("the pattern file \"{path}\" cannot be read: {reason}")]
    Read {
        /// The file.
        path: String,
        /// The error of the operating system.
        reason: String,
    },
    /// The content is not a pattern.
    #[error("the pattern file \"{path}\" is corrupt: {reason}; save it again in the editor")]
    Corrupt {
        /// The file.
        path: String,
        /// The part that could not be read.
        reason: String,
    },
    /// The file was written by a newer version of this crate.
    #[error("the pattern file \"{path}\" has version {found}, this program reads up to {PATTERN_VERSION}; update the program")]
    Version {
        /// The file.
        path: String,
        /// Version in the file.
        found: u32,
    },
}

impl FracturePattern {
    /// Reads a pattern file's content; `path` is for messages only.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, PatternFileError> {
        let corrupt = |error: VisitError| PatternFileError::Corrupt {
            path: path.display().to_string(),
            reason: error.to_string(),
        };
        let mut visitor = Visitor::load_from_memory(bytes).map_err(corrupt)?;
        let mut pattern = Self::default();
        let result = pattern.visit(REGION, &mut visitor);
        // A newer file may lack fields of this version: the version is the better explanation.
        if pattern.version > PATTERN_VERSION {
            return Err(PatternFileError::Version {
                path: path.display().to_string(),
                found: pattern.version,
            });
        }
        result.map_err(corrupt)?;
        Ok(pattern)
    }
}

impl ResourceData for FracturePattern {
    fn type_uuid(&self) -> Uuid {
        <Self as TypeUuidProvider>::type_uuid()
    }

    fn save(&mut self, path: &Path) -> Result<(), Box<dyn Error>> {
        self.version = PATTERN_VERSION;
        let mut visitor = Visitor::new();
        self.visit(REGION, &mut visitor)?;
        visitor.save_ascii_to_file(path)?;
        Ok(())
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

    fn saved(pattern: &mut FracturePattern) -> Vec<u8> {
        let mut visitor = Visitor::new();
        pattern.visit(REGION, &mut visitor).unwrap();
        visitor.save_ascii_to_string().into_bytes()
    }

    fn read(bytes: &[u8]) -> Result<FracturePattern, PatternFileError> {
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
