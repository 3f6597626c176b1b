//! The past of several bodies as bytes, for save games: a mark, a version, a length, the numbers with
//! the lowest byte first, and a hash of them.

use bytes::Bytes;
use glam::{Quat, Vec3};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use super::byte_io::{write_count, write_f32s, write_f64s, ByteReader, Malformed};
use super::log::{
    BreakLog, BreakRecord, BrokenBonds, LoggedCause, LoggedCollapse, LoggedImpact, PieceRef,
    PieceState,
};
use super::snapshot::PieceSnapshots;
use crate::pieces::Motion;

/// The version of the format, the only one that is read.
pub const ARCHIVE_VERSION: u32 = 5;

const BY_A_HIT: u8 = 0;
const BY_WEIGHT: u8 = 1;
const BY_A_BLADE: u8 = 2;

const MARK: [u8; 8] = *b"FRACPAST";

/// Bytes of a piece that nothing has cracked in, or fewer.
const SMALLEST: usize = 64;

/// Mark, version and length.
const HEAD: usize = 8 + 4 + 8;

/// What became of the bodies of a scene, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Archive {
    /// In the order in which they were saved.
    pub objects: Vec<(String, BreakLog)>,
}

/// Why bytes are no archive.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ArchiveError {
    /// They begin otherwise.
    #[error("this is no save of broken objects")]
    Foreign,
    /// Another version of the module wrote them.
    #[error("the save is of version {found}, and this module reads version {ARCHIVE_VERSION} only; use the version of the game that wrote it")]
    Version {
        /// The version of their format.
        found: u32,
    },
    /// There are too few.
    #[error("the save was cut short: {found} of {expected} bytes are there")]
    CutShort {
        /// How many there are.
        found: u64,
        /// How many there were.
        expected: u64,
    },
    /// They are not what was written.
    #[error("the save is damaged; use an older one")]
    Damaged,
}

impl Archive {
    /// The bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        bytes.extend(ARCHIVE_VERSION.to_le_bytes());
        bytes.extend(0_u64.to_le_bytes()); // the length, which nobody knows yet
        self.write(&mut bytes);
        let (head, body) = bytes.split_at_mut(HEAD);
        let length = (body.len() as u64).to_le_bytes();
        head[HEAD - length.len()..].copy_from_slice(&length);
        let hash = xxh3_64(body);
        bytes.extend(hash.to_le_bytes());
        bytes
    }

    fn write(&self, body: &mut Vec<u8>) {
        write_count(body, self.objects.len());
        for (name, past) in &self.objects {
            write_count(body, name.len());
            body.extend(name.as_bytes());
            write_count(body, past.breaks.len());
            past.breaks.iter().for_each(|b| write_break(body, b));
            write_count(body, past.pieces.len());
            past.pieces.iter().for_each(|p| write_piece(body, p));
            write_kept(body, past.kept.as_ref());
        }
    }

    /// Reads the bytes. A vector becomes the archive's own; of anything else a copy is made.
    ///
    /// # Errors
    /// [`ArchiveError`] when they are something else, of another version, cut short or damaged.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, ArchiveError> {
        let bytes = Bytes::from(bytes.into());
        let start = bytes.get(..MARK.len()).ok_or(ArchiveError::Foreign)?;
        if start != MARK {
            return Err(ArchiveError::Foreign);
        }
        let cut_short = |expected: u64| ArchiveError::CutShort {
            found: bytes.len() as u64,
            expected,
        };
        let head = bytes.get(MARK.len()..HEAD);
        let mut head = ByteReader(head.ok_or(cut_short(HEAD as u64))?);
        let found = head.u32()?;
        if found != ARCHIVE_VERSION {
            return Err(ArchiveError::Version { found });
        }
        let size = head.u64()?;
        let expected = size.saturating_add(HEAD as u64 + 8);
        if (bytes.len() as u64) < expected {
            return Err(cut_short(expected));
        }
        let mut rest = ByteReader(bytes.get(HEAD..).unwrap_or_default());
        let body = rest.take(usize::try_from(size).map_err(|_| ArchiveError::Damaged)?)?;
        if rest.u64()? != xxh3_64(body) {
            return Err(ArchiveError::Damaged);
        }
        read_body(&bytes, &mut ByteReader(body))
    }
}

/// Reads what is in some of all bytes.
fn read_body(all: &Bytes, body: &mut ByteReader) -> Result<Archive, ArchiveError> {
    let mut objects = Vec::new();
    for _ in 0..body.u32()? {
        let size = body.u32()? as usize;
        let name = String::from_utf8(body.take(size)?.to_vec());
        let name = name.map_err(|_| ArchiveError::Damaged)?;
        let mut past = BreakLog::default();
        for _ in 0..body.u32()? {
            past.breaks.push(read_break(body)?);
        }
        let count = body.u32()? as usize;
        // No more than there can be, whatever the number says.
        past.pieces.reserve(count.min(body.0.len() / SMALLEST));
        for _ in 0..count {
            past.pieces.push(read_piece(body)?);
        }
        past.kept = read_kept(all, body)?;
        objects.push((name, past));
    }
    Ok(Archive { objects })
}

fn write_name(body: &mut Vec<u8>, piece: PieceRef) {
    body.extend(piece.made_by.to_le_bytes());
    body.extend(piece.index.to_le_bytes());
}

fn write_break(body: &mut Vec<u8>, past: &BreakRecord) {
    write_name(body, past.piece);
    match &past.cause {
        LoggedCause::Hit(hit) => {
            body.push(if hit.blade { BY_A_BLADE } else { BY_A_HIT });
            write_f64s(body, &hit.point);
            write_f64s(body, &hit.normal);
            write_f64s(body, &[hit.energy, hit.radius, hit.spin]);
        }
        LoggedCause::Weight(weight) => {
            body.push(BY_WEIGHT);
            write_f64s(body, &weight.gravity);
            write_cracks(body, &weight.cracks);
        }
    }
    body.extend(past.hits.to_le_bytes());
    body.extend(past.pieces.to_le_bytes());
}

fn read_name(body: &mut ByteReader) -> Result<PieceRef, ArchiveError> {
    let [made_by, index] = [body.u32()?, body.u32()?];
    Ok(PieceRef { made_by, index })
}

fn read_break(body: &mut ByteReader) -> Result<BreakRecord, ArchiveError> {
    let piece = read_name(body)?;
    let mark = body.u8()?;
    let cause = match mark {
        BY_A_HIT | BY_A_BLADE => LoggedCause::Hit(LoggedImpact {
            point: body.f64s()?,
            normal: body.f64s()?,
            energy: body.f64()?,
            radius: body.f64()?,
            spin: body.f64()?,
            blade: mark == BY_A_BLADE,
        }),
        BY_WEIGHT => LoggedCause::Weight(LoggedCollapse {
            gravity: body.f64s()?,
            cracks: read_cracks(body)?,
        }),
        _ => return Err(ArchiveError::Damaged),
    };
    Ok(BreakRecord {
        piece,
        cause,
        hits: body.u64()?,
        pieces: body.u32()?,
    })
}

fn write_cracks(body: &mut Vec<u8>, cracks: &BrokenBonds) {
    write_count(body, cracks.len());
    let cells = cracks.iter().flatten();
    cells.for_each(|cell| body.extend(cell.to_le_bytes()));
}

fn read_cracks(body: &mut ByteReader) -> Result<BrokenBonds, ArchiveError> {
    (0..body.u32()?)
        .map(|_| Ok([body.u32()?, body.u32()?]))
        .collect()
}

fn write_piece(body: &mut Vec<u8>, state: &PieceState) {
    write_name(body, state.piece);
    let Motion {
        pose,
        linear,
        angular,
    } = state.motion;
    write_f32s(body, &pose.translation.to_array());
    write_f32s(body, &pose.rotation.to_array());
    write_f32s(body, &linear.to_array());
    write_f32s(body, &angular.to_array());
    body.push(u8::from(state.asleep));
    body.extend(state.hits.to_le_bytes());
    write_cracks(body, &state.cracks);
}

fn read_piece(body: &mut ByteReader) -> Result<PieceState, ArchiveError> {
    let piece = read_name(body)?;
    let mut motion = Motion::default();
    motion.pose.translation = Vec3::from_array(body.f32s()?);
    motion.pose.rotation = Quat::from_array(body.f32s()?);
    motion.linear = Vec3::from_array(body.f32s()?);
    motion.angular = Vec3::from_array(body.f32s()?);
    Ok(PieceState {
        piece,
        motion,
        asleep: body.u8()? != 0,
        hits: body.u64()?,
        cracks: read_cracks(body)?,
    })
}

fn write_kept(body: &mut Vec<u8>, kept: Option<&PieceSnapshots>) {
    let bytes = kept.map_or(&[][..], PieceSnapshots::bytes);
    body.extend((bytes.len() as u64).to_le_bytes());
    body.extend(bytes);
}

fn read_kept(all: &Bytes, body: &mut ByteReader) -> Result<Option<PieceSnapshots>, ArchiveError> {
    let size = usize::try_from(body.u64()?).map_err(|_| ArchiveError::Damaged)?;
    let bytes = body.take(size)?;
    Ok((!bytes.is_empty()).then(|| PieceSnapshots::from_bytes(all.slice_ref(bytes))))
}

impl From<Malformed> for ArchiveError {
    fn from(_: Malformed) -> Self {
        Self::Damaged
    }
}
