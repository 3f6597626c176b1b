//! The pattern asset: a small recipe that an artist edits; the planes are derived from it on the
//! worker and shared by all objects that use the same recipe.

mod loader;

pub use loader::FracturePatternLoader;

use fracture_geometry::{Pattern, PatternError, Recipe};
use fyrox::{
    asset::{Resource, ResourceData},
    core::{reflect::prelude::*, type_traits::prelude::*, uuid::Uuid, visitor::prelude::*},
};
use std::{error::Error, path::Path};
use strum_macros::{AsRefStr, EnumString, VariantNames};
use thiserror::Error as ThisError;

/// The newest file version this program writes and reads.
pub const PATTERN_VERSION: u32 = 1;

/// Name of the outermost region of a pattern file.
const REGION: &str = "FracturePattern";

/// How the cells of a pattern are spread.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Visit,
    Reflect,
    AsRefStr,
    EnumString,
    VariantNames,
    TypeUuidProvider,
)]
#[type_uuid(id = "b7a5b3c0-7b43-4a0e-8c3b-6a7f2d0b1e44")]
pub enum PatternKind {
    /// Evenly in a box.
    Uniform,
    /// Denser around the impact.
    #[default]
    Clustered,
}

/// A fracture pattern, as saved in a `.pattern` file.
#[derive(Clone, Debug, PartialEq, Visit, Reflect, TypeUuidProvider)]
#[type_uuid(id = "3f5f4f4e-9d0b-4f2a-8a57-7b6f0d1b9a21")]
pub struct FracturePattern {
    /// Version of the file's layout.
    #[reflect(read_only)]
    pub version: u32,

    /// How the cells are spread.
    pub kind: PatternKind,

    /// How many cells there are, at least 2.
    #[reflect(min_value = 2.0, max_value = 10000.0, step = 1.0)]
    pub cells: u32,

    /// Clustered only: how fast the cells get larger away from the impact; 0 is even.
    #[reflect(min_value = 0.0, max_value = 8.0, step = 0.1)]
    #[visit(optional)]
    pub falloff: f32,

    /// Another seed gives another pattern of the same kind.
    #[visit(optional)]
    pub seed: u32,
}

/// A reference to a pattern asset.
pub type FracturePatternResource = Resource<FracturePattern>;

/// Why a pattern file cannot be used.
#[derive(Debug, ThisError)]
pub enum PatternFileError {
    /// The file cannot be read from the disk.
    #[error("the pattern file \"{path}\" cannot be read: {reason}")]
    Read {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// The content is not a pattern.
    #[error("the pattern file \"{path}\" is corrupt: {reason}; save it again in the editor")]
    Corrupt {
        /// The file.
        path: String,
        /// What could not be read.
        reason: String,
    },
    /// The file was written by a newer program.
    #[error("the pattern file \"{path}\" has version {found}, this program reads up to {PATTERN_VERSION}; update the program")]
    Version {
        /// The file.
        path: String,
        /// Version in the file.
        found: u32,
    },
}

impl Default for FracturePattern {
    fn default() -> Self {
        Self {
            version: PATTERN_VERSION,
            kind: PatternKind::default(),
            cells: 64,
            falloff: 1.0,
            seed: 0,
        }
    }
}

impl FracturePattern {
    /// The recipe in the terms of the geometry.
    pub fn recipe(&self) -> Recipe {
        match self.kind {
            PatternKind::Uniform => Recipe::Uniform { cells: self.cells },
            PatternKind::Clustered => Recipe::Clustered {
                cells: self.cells,
                falloff: f64::from(self.falloff),
            },
        }
    }

    /// The planes. Takes milliseconds: call it on a worker.
    pub fn planes(&self) -> Result<Pattern, PatternError> {
        Pattern::from_recipe(&self.recipe(), u64::from(self.seed))
    }

    /// Equal keys mean equal planes.
    pub(crate) fn key(&self) -> PatternKey {
        let falloff = match self.kind {
            PatternKind::Uniform => 0,
            PatternKind::Clustered => self.falloff.to_bits(),
        };
        PatternKey(self.kind as u8, self.cells, falloff, self.seed)
    }

    /// Reads a pattern file's content; `path` is for messages only.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, PatternFileError> {
        let corrupt = |error: VisitError| PatternFileError::Corrupt {
            path: path.display().to_string(),
            reason: error.to_string(),
        };
        let mut visitor = Visitor::load_from_memory(bytes).map_err(corrupt)?;
        let mut pattern = Self::default();
        let result = pattern.visit(REGION, &mut visitor);
        // A newer file may well lack what this version wants: its version explains more.
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

/// Identifies the planes of a recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PatternKey(u8, u32, u32, u32);

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

    fn saved(pattern: &mut FracturePattern) -> Vec<u8> {
        let mut visitor = Visitor::new();
        pattern.visit(REGION, &mut visitor).unwrap();
        visitor.save_ascii_to_string().into_bytes()
    }

    #[test]
    fn a_pattern_survives_saving() {
        let mut pattern = FracturePattern {
            kind: PatternKind::Uniform,
            cells: 12,
            seed: 7,
            ..Default::default()
        };
        let bytes = saved(&mut pattern);
        let read = FracturePattern::from_bytes(&bytes, Path::new("a.pattern")).unwrap();
        assert_eq!(read, pattern);
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

    #[test]
    fn keys_follow_what_the_planes_depend_on() {
        let pattern = FracturePattern::default();
        let other = |change: fn(&mut FracturePattern)| {
            let mut other = pattern.clone();
            change(&mut other);
            other.key()
        };
        assert_ne!(pattern.key(), other(|p| p.cells = 63));
        assert_ne!(pattern.key(), other(|p| p.seed = 1));
        assert_ne!(pattern.key(), other(|p| p.falloff = 2.0));
        assert_ne!(pattern.key(), other(|p| p.kind = PatternKind::Uniform));
        assert_eq!(pattern.key(), other(|p| p.version = 0));
    }
}
