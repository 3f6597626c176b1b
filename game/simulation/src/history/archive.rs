//! The binary save format.

use std::sync::Arc;

use bytes::Bytes;
use glam::{DVec3, Quat, Vec3};
use rapier3d::math::Pose;
use thiserror::Error;

use super::bar_codec::{read_bars, write_bars};
use super::crack_codec::{read_cracks, read_kept, write_cracks, write_kept};
use super::log::{
    BreakLog, BreakRecord, LoggedCause, LoggedCollapse, LoggedImpact, PieceRef, PieceState,
};
use super::snapshot::PieceSnapshots;
use crate::debris::WeldEnd;
use crate::pieces::{Anchor, BreakRadius, DamagedSpot};
use crate::sealed_bytes::{FileFormat, FrameError};
use crate::stress::{BrokenBonds, StressLoad};
use crate::types::Motion;
use fracture_geometry::byte_io::{write_count, write_f32s, write_f64s, ByteReader, Malformed};

/// Version of the format. Saves of other versions are refused.
pub const ARCHIVE_VERSION: u32 = 19;

const BY_IMPACT: u8 = 0;
const BY_WEIGHT: u8 = 1;
const BY_BLADE: u8 = 2;

const FORMAT: FileFormat = FileFormat {
    mark: *b"FRACPAST",
    version: ARCHIVE_VERSION,
};

/// Least number of bytes of a piece's state.
const MIN_PIECE_SIZE: usize = 77;

/// The break logs of a scene's bodies, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Archive {
    /// In the order in which they were saved.
    pub objects: Vec<(String, BreakLog)>,
}

/// An error in the bytes of an [`Archive`].
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The bytes do not begin with the mark of a save.
    #[error("this is no save of broken objects")]
    Foreign,
    /// The save is of another version of the format.
    #[error("the save is of version {found}, and this module reads version {ARCHIVE_VERSION} only; load it with the version of the game that wrote it")]
    Version {
        /// Version of the save.
        found: u32,
    },
    /// Bytes are missing at the end.
    #[error("the save was cut short: {found} of {expected} bytes are there")]
    CutShort {
        /// Number of bytes.
        found: u64,
        /// Number of bytes that were written.
        expected: u64,
    },
    /// The bytes are not those that were written.
    #[error("the save is damaged; use an older one")]
    Damaged,
}

impl Archive {
    /// Writes the archive.
    pub fn to_bytes(&self) -> Vec<u8> {
        FORMAT.seal(|out| self.write_content(out))
    }

    fn write_content(&self, out: &mut Vec<u8>) {
        write_count(out, self.objects.len());
        for (name, log) in &self.objects {
            write_count(out, name.len());
            out.extend(name.as_bytes());
            write_count(out, log.breaks.len());
            log.breaks.iter().for_each(|b| write_break(out, b));
            write_count(out, log.pieces.len());
            log.pieces.iter().for_each(|p| write_piece(out, p));
            write_snapshots(out, log.snapshots.as_ref());
        }
    }

    /// Reads an archive. It keeps a vector that it is given; of anything else it makes a copy.
    ///
    /// # Errors
    /// [`ArchiveError`] for bytes that are no save, a save of another version, or a damaged one.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, ArchiveError> {
        let bytes = Bytes::from(bytes.into());
        let content = FORMAT.open(&bytes)?;
        read_content(&bytes, &mut ByteReader(content))
    }
}

/// Reads the content. Snapshots share the memory of `all`, which contains it.
fn read_content(all: &Bytes, reader: &mut ByteReader) -> Result<Archive, ArchiveError> {
    let mut objects = Vec::new();
    for _ in 0..reader.u32()? {
        let size = reader.u32()? as usize;
        let name = String::from_utf8(reader.take(size)?.to_vec());
        let name = name.map_err(|_| ArchiveError::Damaged)?;
        let mut log = BreakLog::default();
        for _ in 0..reader.u32()? {
            log.breaks.push(read_break(reader)?);
        }
        let count = reader.u32()? as usize;
        // The count may be anything; there cannot be more pieces than the bytes have room for.
        log.pieces
            .reserve(count.min(reader.0.len() / MIN_PIECE_SIZE));
        for _ in 0..count {
            log.pieces.push(read_piece(reader)?);
        }
        log.snapshots = read_snapshots(all, reader)?;
        objects.push((name, log));
    }
    Ok(Archive { objects })
}

fn write_piece_ref(out: &mut Vec<u8>, piece: PieceRef) {
    out.extend(piece.break_index.to_le_bytes());
    out.extend(piece.piece_index.to_le_bytes());
}

fn read_piece_ref(reader: &mut ByteReader) -> Result<PieceRef, ArchiveError> {
    Ok(PieceRef {
        break_index: reader.u32()?,
        piece_index: reader.u32()?,
    })
}

/// The bytes of one break.
pub(crate) fn record_bytes(record: &BreakRecord) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_break(&mut bytes, record);
    bytes
}

/// Reads the bytes of one break.
pub(crate) fn read_record(bytes: &[u8]) -> Result<BreakRecord, ArchiveError> {
    let mut reader = ByteReader(bytes);
    let record = read_break(&mut reader)?;
    let is_all = reader.0.is_empty();
    is_all.then_some(record).ok_or(ArchiveError::Damaged)
}

fn write_break(out: &mut Vec<u8>, record: &BreakRecord) {
    write_piece_ref(out, record.piece);
    match &record.cause {
        LoggedCause::Impact(impact) => {
            out.push(if impact.blade { BY_BLADE } else { BY_IMPACT });
            write_f64s(out, &impact.point);
            write_f64s(out, &impact.normal);
            let BreakRadius {
                metres,
                smallest,
                largest,
            } = impact.radius;
            write_f64s(
                out,
                &[
                    impact.energy,
                    metres,
                    smallest,
                    largest,
                    impact.spin,
                    impact.kerf,
                ],
            );
            out.push(u8::from(impact.kept.is_some()));
            impact.kept.iter().for_each(|kept| write_kept(out, kept));
        }
        LoggedCause::Weight(collapse) => {
            out.push(BY_WEIGHT);
            write_f64s(out, &collapse.gravity);
            write_bonds(out, &collapse.broken_bonds);
            write_count(out, collapse.loads.len());
            collapse.loads.iter().for_each(|load| write_load(out, load));
            write_anchors(out, &collapse.loose_supports);
            out.push(u8::from(collapse.spin.is_some()));
            collapse.spin.iter().for_each(|spin| write_f64s(out, spin));
        }
    }
    out.extend(record.hits.to_le_bytes());
    out.extend(record.pieces.to_le_bytes());
    write_held_at(out, record.held_at.as_deref());
}

fn write_load(out: &mut Vec<u8>, load: &StressLoad) {
    write_anchors(out, &load.places);
    for vector in [load.center, load.force, load.moment] {
        write_f64s(out, &vector.to_array());
    }
}

fn read_loads(reader: &mut ByteReader) -> Result<Vec<StressLoad>, ArchiveError> {
    let count = reader.u32()?;
    let load = |_| {
        let places = read_anchors(reader)?;
        let mut vector = || Ok::<_, ArchiveError>(DVec3::from_array(reader.f64s()?));
        let (center, force, moment) = (vector()?, vector()?, vector()?);
        let is_finite = center.is_finite() && force.is_finite() && moment.is_finite();
        let load = StressLoad {
            places,
            center,
            force,
            moment,
        };
        is_finite.then_some(load).ok_or(ArchiveError::Damaged)
    };
    (0..count).map(load).collect()
}

fn write_held_at(out: &mut Vec<u8>, held_at: Option<&[Anchor]>) {
    out.push(u8::from(held_at.is_some()));
    if let Some(anchors) = held_at {
        write_anchors(out, anchors);
    }
}

fn read_held_at(reader: &mut ByteReader) -> Result<Option<Arc<[Anchor]>>, ArchiveError> {
    match reader.u8()? {
        0 => Ok(None),
        1 => read_anchors(reader).map(Some),
        _ => Err(ArchiveError::Damaged),
    }
}

fn write_anchors(out: &mut Vec<u8>, anchors: &[Anchor]) {
    write_count(out, anchors.len());
    for corner in anchors.iter().flatten() {
        write_f32s(out, &corner.to_array());
    }
}

fn read_anchors(reader: &mut ByteReader) -> Result<Arc<[Anchor]>, ArchiveError> {
    let count = reader.u32()?;
    let anchors = (0..count).map(|_| Ok([reader.point()?, reader.point()?]));
    let anchors: Result<Vec<Anchor>, ArchiveError> = anchors.collect();
    anchors.map(Arc::from)
}

fn read_break(reader: &mut ByteReader) -> Result<BreakRecord, ArchiveError> {
    let piece = read_piece_ref(reader)?;
    let mark = reader.u8()?;
    let cause = match mark {
        BY_IMPACT | BY_BLADE => LoggedCause::Impact(LoggedImpact {
            point: reader.f64s()?,
            normal: reader.f64s()?,
            energy: reader.f64()?,
            radius: BreakRadius {
                metres: reader.f64()?,
                smallest: reader.f64()?,
                largest: reader.f64()?,
            },
            spin: reader.f64()?,
            blade: mark == BY_BLADE,
            kerf: reader.f64()?,
            kept: match reader.u8()? {
                0 => None,
                1 => Some(read_kept(reader)?),
                _ => return Err(ArchiveError::Damaged),
            },
        }),
        BY_WEIGHT => LoggedCause::Weight(LoggedCollapse {
            gravity: reader.f64s()?,
            broken_bonds: read_bonds(reader)?,
            loads: read_loads(reader)?,
            loose_supports: read_anchors(reader)?,
            spin: match reader.u8()? {
                0 => None,
                1 => Some(reader.f64s()?),
                _ => return Err(ArchiveError::Damaged),
            },
        }),
        _ => return Err(ArchiveError::Damaged),
    };
    Ok(BreakRecord {
        piece,
        cause,
        hits: reader.u64()?,
        pieces: reader.u32()?,
        held_at: read_held_at(reader)?,
    })
}

fn write_bonds(out: &mut Vec<u8>, bonds: &BrokenBonds) {
    write_count(out, bonds.len());
    let cells = bonds.iter().flatten();
    cells.for_each(|cell| out.extend(cell.to_le_bytes()));
}

fn read_bonds(reader: &mut ByteReader) -> Result<BrokenBonds, ArchiveError> {
    (0..reader.u32()?)
        .map(|_| Ok([reader.u32()?, reader.u32()?]))
        .collect()
}

fn write_piece(out: &mut Vec<u8>, state: &PieceState) {
    write_piece_ref(out, state.piece);
    let Motion {
        pose,
        linear,
        angular,
    } = state.motion;
    write_f32s(out, &pose.translation.to_array());
    write_f32s(out, &pose.rotation.to_array());
    write_f32s(out, &linear.to_array());
    write_f32s(out, &angular.to_array());
    out.push(u8::from(state.asleep));
    out.extend(state.hits.to_le_bytes());
    write_bonds(out, &state.broken_bonds);
    write_damage(out, &state.damage);
    write_cracks(out, &state.cracks);
    write_bars(out, state.bars.as_deref());
    write_points(out, &state.broken_at);
    write_points(out, &state.strained_at);
    out.push(u8::from(state.is_strained));
    write_welds(out, &state.welds);
}

fn write_damage(out: &mut Vec<u8>, spots: &[DamagedSpot]) {
    write_count(out, spots.len());
    for spot in spots {
        write_f32s(out, &spot.point.to_array());
        write_f32s(out, &spot.normal.to_array());
        write_f32s(out, &[spot.radius, spot.damage]);
    }
}

fn read_damage(reader: &mut ByteReader) -> Result<Vec<DamagedSpot>, ArchiveError> {
    let count = reader.u32()?;
    let spots = (0..count).map(|_| {
        let [point, normal] = [reader.point()?, reader.point()?];
        let [radius, damage] = reader.f32s()?;
        let spot = DamagedSpot {
            point,
            normal,
            radius,
            damage,
        };
        spot.is_valid().then_some(spot).ok_or(ArchiveError::Damaged)
    });
    spots.collect()
}

fn write_points(out: &mut Vec<u8>, points: &[Vec3]) {
    write_count(out, points.len());
    let points = points.iter();
    points.for_each(|point| write_f32s(out, &point.to_array()));
}

fn read_points(reader: &mut ByteReader) -> Result<Vec<Vec3>, ArchiveError> {
    let count = reader.u32()?;
    let points = (0..count).map(|_| Ok(reader.point()?));
    points.collect()
}

fn write_welds(out: &mut Vec<u8>, ends: &[WeldEnd]) {
    write_count(out, ends.len());
    for end in ends {
        out.extend(end.id.to_le_bytes());
        out.push(u8::from(end.is_first));
        write_f32s(out, &end.frame.translation.to_array());
        write_f32s(out, &end.frame.rotation.to_array());
        write_f32s(out, &end.half_axes);
        write_f32s(out, &[end.area, end.strength, end.reach]);
        out.push(u8::from(end.bends));
    }
}

fn read_welds(reader: &mut ByteReader) -> Result<Vec<WeldEnd>, ArchiveError> {
    let count = reader.u32()?;
    let ends = (0..count).map(|_| {
        let (id, is_first) = (reader.u64()?, reader.u8()? != 0);
        let place = Vec3::from_array(reader.f32s()?);
        let rotation = Quat::from_array(reader.f32s()?);
        let (half_axes, [area, strength, reach]) = (reader.f32s()?, reader.f32s()?);
        let end = WeldEnd {
            id,
            is_first,
            frame: Pose::from_parts(place, rotation),
            half_axes,
            area,
            strength,
            reach,
            bends: reader.u8()? != 0,
        };
        end.is_valid().then_some(end).ok_or(ArchiveError::Damaged)
    });
    ends.collect()
}

fn read_motion(reader: &mut ByteReader) -> Result<Motion, ArchiveError> {
    let place = Vec3::from_array(reader.f32s()?);
    let rotation = Quat::from_array(reader.f32s()?);
    let motion = Motion {
        pose: Pose::from_parts(place, rotation),
        linear: Vec3::from_array(reader.f32s()?),
        angular: Vec3::from_array(reader.f32s()?),
    };
    motion.check().map_err(|_| ArchiveError::Damaged)?;
    Ok(motion)
}

fn read_piece(reader: &mut ByteReader) -> Result<PieceState, ArchiveError> {
    let piece = read_piece_ref(reader)?;
    Ok(PieceState {
        piece,
        motion: read_motion(reader)?,
        asleep: reader.u8()? != 0,
        hits: reader.u64()?,
        broken_bonds: read_bonds(reader)?,
        damage: read_damage(reader)?,
        cracks: read_cracks(reader)?,
        bars: read_bars(reader)?.map(Arc::new),
        broken_at: read_points(reader)?,
        strained_at: read_points(reader)?,
        is_strained: reader.u8()? != 0,
        welds: read_welds(reader)?,
    })
}

fn write_snapshots(out: &mut Vec<u8>, snapshots: Option<&PieceSnapshots>) {
    let bytes = snapshots.map_or(&[][..], PieceSnapshots::bytes);
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend(bytes);
}

fn read_snapshots(
    all: &Bytes,
    reader: &mut ByteReader,
) -> Result<Option<PieceSnapshots>, ArchiveError> {
    let size = usize::try_from(reader.u64()?).map_err(|_| ArchiveError::Damaged)?;
    let bytes = reader.take(size)?;
    Ok((!bytes.is_empty()).then(|| PieceSnapshots::from_bytes(all.slice_ref(bytes))))
}

impl From<FrameError> for ArchiveError {
    fn from(error: FrameError) -> Self {
        match error {
            FrameError::Foreign => Self::Foreign,
            FrameError::Version { found } => Self::Version { found },
            FrameError::CutShort { found, expected } => Self::CutShort { found, expected },
            FrameError::Damaged => Self::Damaged,
        }
    }
}

impl From<Malformed> for ArchiveError {
    fn from(_: Malformed) -> Self {
        Self::Damaged
    }
}
