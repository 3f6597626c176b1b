//! The frame of bytes that are kept in files: a mark, the version, the length, the content with the lowest byte
//! of a number first, and a hash of the content.

use fracture_geometry::byte_io::{ByteReader, Malformed};
use xxhash_rust::xxh3::xxh3_64;

/// Size of mark, version and length, bytes.
const HEADER_SIZE: usize = 8 + 4 + 8;

/// A kind of file.
pub(crate) struct FileFormat {
    pub mark: [u8; 8],
    /// Files of other versions are refused.
    pub version: u32,
}

/// An error in the frame of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameError {
    /// The bytes do not begin with the mark.
    Foreign,
    Version {
        found: u32,
    },
    /// Bytes are missing at the end.
    CutShort {
        found: u64,
        expected: u64,
    },
    /// The bytes are not those that were written.
    Damaged,
}

impl FileFormat {
    /// Puts the frame around what a function writes.
    pub fn seal(&self, write_content: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut bytes = self.mark.to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend(0_u64.to_le_bytes()); // the length, set below
        write_content(&mut bytes);
        let (header, content) = bytes.split_at_mut(HEADER_SIZE);
        let length = (content.len() as u64).to_le_bytes();
        header[HEADER_SIZE - length.len()..].copy_from_slice(&length);
        let hash = xxh3_64(content);
        bytes.extend(hash.to_le_bytes());
        bytes
    }

    /// The content, with its hash checked.
    pub fn open<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], FrameError> {
        if !bytes.starts_with(&self.mark) {
            return Err(FrameError::Foreign);
        }
        let cut_short = |expected: u64| FrameError::CutShort {
            found: bytes.len() as u64,
            expected,
        };
        let header = bytes.get(self.mark.len()..HEADER_SIZE);
        let mut header = ByteReader(header.ok_or(cut_short(HEADER_SIZE as u64))?);
        let found = header.u32()?;
        if found != self.version {
            return Err(FrameError::Version { found });
        }
        let size = header.u64()?;
        let expected = size.saturating_add(HEADER_SIZE as u64 + 8);
        if (bytes.len() as u64) < expected {
            return Err(cut_short(expected));
        }
        let mut reader = ByteReader(bytes.get(HEADER_SIZE..).unwrap_or_default());
        let content = reader.take(usize::try_from(size).map_err(|_| FrameError::Damaged)?)?;
        if reader.u64()? != xxh3_64(content) {
            return Err(FrameError::Damaged);
        }
        Ok(content)
    }
}

impl From<Malformed> for FrameError {
    fn from(_: Malformed) -> Self {
        Self::Damaged
    }
}
