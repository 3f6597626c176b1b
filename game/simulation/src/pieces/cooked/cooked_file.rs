//! The file of cooked shapes.

use std::collections::BTreeMap;

use bytes::Bytes;
use fracture_geometry::byte_io::{write_count, ByteReader, Malformed};
use thiserror::Error;

use super::cooked_shape::CookedShape;
use crate::sealed_bytes::{FileFormat, FrameError};

/// Version of the format, and of all that is computed for it: convex parts, hulls, lattices, simplified meshes. Files
/// of other versions are refused, so raise it when one of these comes out otherwise.
pub const COOKED_VERSION: u32 = 3;

const FORMAT: FileFormat = FileFormat {
    mark: *b"FRACCOOK",
    version: COOKED_VERSION,
};

/// Shapes that a cooking did not meet and that are kept all the same: other scenes may have them.
const MAX_OTHER_SHAPES: usize = 32;

/// Cooked shapes, by the content hash of their solids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CookedFile {
    /// Those that were cooked last come last.
    shapes: Vec<(u64, CookedShape)>,
}

/// An error in the bytes of a [`CookedFile`].
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CookedError {
    /// The bytes do not begin with the mark of such a file.
    #[error("it is no file of cooked shapes")]
    Foreign,
    /// The file is of another version.
    #[error("it is of version {found}, and this module reads version {COOKED_VERSION} only")]
    Version {
        /// Version of the file.
        found: u32,
    },
    /// Bytes are missing at the end.
    #[error("it was cut short: {found} of {expected} bytes are there")]
    CutShort {
        /// Number of bytes.
        found: u64,
        /// Number of bytes that were written.
        expected: u64,
    },
    /// The bytes are not those that were written.
    #[error("it is damaged")]
    Damaged,
}

impl CookedFile {
    /// Reads a file. It keeps a vector that it is given; of anything else it makes a copy.
    ///
    /// # Errors
    /// [`CookedError`] for bytes that are no such file, one of another version, or a damaged one.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, CookedError> {
        let bytes = Bytes::from(bytes.into());
        let mut reader = ByteReader(FORMAT.open(&bytes)?);
        let mut shapes = Vec::new();
        for _ in 0..reader.u32()? {
            shapes.push((reader.u64()?, CookedShape::read(&bytes, &mut reader)?));
        }
        let is_all = reader.0.is_empty();
        is_all
            .then_some(Self { shapes })
            .ok_or(CookedError::Damaged)
    }

    /// Writes the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        FORMAT.seal(|out| {
            write_count(out, self.shapes.len());
            for (hash, shape) in &self.shapes {
                out.extend(hash.to_le_bytes());
                shape.write(out);
            }
        })
    }

    /// The shape of a solid, by its content hash.
    pub fn get(&self, hash: u64) -> Option<&CookedShape> {
        let found = self.shapes.iter().find(|(other, _)| *other == hash);
        found.map(|(_, shape)| shape)
    }

    /// Puts shapes into the file. Of those that it has besides, the 32 that were cooked last stay: other scenes may
    /// have them.
    pub fn insert(&mut self, shapes: BTreeMap<u64, CookedShape>) {
        self.shapes.retain(|(hash, _)| !shapes.contains_key(hash));
        let surplus = self.shapes.len().saturating_sub(MAX_OTHER_SHAPES);
        self.shapes.drain(..surplus);
        self.shapes.extend(shapes);
    }
}

impl From<FrameError> for CookedError {
    fn from(error: FrameError) -> Self {
        match error {
            FrameError::Foreign => Self::Foreign,
            FrameError::Version { found } => Self::Version { found },
            FrameError::CutShort { found, expected } => Self::CutShort { found, expected },
            FrameError::Damaged => Self::Damaged,
        }
    }
}

impl From<Malformed> for CookedError {
    fn from(_: Malformed) -> Self {
        Self::Damaged
    }
}
