//! The save for a game that joins others late, or has lost its way: the blows of all objects, and where their pieces are.

use std::sync::Arc;

use fracture_geometry::byte_io::{ByteReader, Malformed};
use glam::{Quat, Vec3};
use rapier3d::math::Pose;

use super::blow::{read_array, read_u16, Blow, BlowPush, BreakNumber};
use super::rounding::{read_short, short_below};
use crate::history::restore::restore_shared;
use crate::history::{
    is_bearable, read_record, record_bytes, ArchiveError, BreakLog, BreakRecord, LoggedCause,
    PieceRef, PieceState, ReplayError,
};
use crate::pieces::components::Breakable;
use crate::pieces::{Anchor, BreakRadius};
use crate::sealed_bytes::FileFormat;
use crate::simulation::Simulation;
use crate::types::{BodyId, Motion};

const FORMAT: FileFormat = FileFormat {
    mark: *b"FRACJOIN",
    version: 1,
};

const BLOW: u8 = 0;
const RECORD: u8 = 1;
/// A blow on a piece that is held by touch where it was at first.
const HELD_BLOW: u8 = 2;

/// Parts of one by which a rotation is told.
const ROTATION_STEPS: f32 = 32767.0;

/// Writes the state of all shared objects that have broken.
pub(crate) fn join_save(simulation: &Simulation) -> Vec<u8> {
    FORMAT.seal(|out| {
        for (&id, object) in &simulation.network.objects {
            let log = simulation.save_compact(object.source);
            if !log.breaks.is_empty() {
                write_object(out, id, &log);
            }
        }
    })
}

/// Writes the state of one object.
pub(crate) fn save_of(id: u32, log: &BreakLog) -> Vec<u8> {
    FORMAT.seal(|out| write_object(out, id, log))
}

fn write_object(out: &mut Vec<u8>, id: u32, log: &BreakLog) {
    out.extend(id.to_le_bytes());
    out.extend((log.breaks.len() as u32).to_le_bytes());
    for record in &log.breaks {
        write_record(out, record, held_at_first(log, record.piece));
    }
    out.extend((log.pieces.len() as u32).to_le_bytes());
    log.pieces.iter().for_each(|state| write_state(out, state));
}

fn held_at_first(log: &BreakLog, piece: PieceRef) -> Option<&Arc<[Anchor]>> {
    let made_by = log.breaks.get(piece.break_index as usize)?;
    made_by.held_at.as_ref()
}

fn write_record(out: &mut Vec<u8>, record: &BreakRecord, held_at: Option<&Arc<[Anchor]>>) {
    let nothing = BreakNumber {
        object: 0,
        number: 0,
        frame: 0,
    };
    let mut bytes = Vec::new();
    let blow = Blow::of_record(nothing, record, BlowPush::default(), held_at);
    match (blow.and_then(|blow| blow.write(&mut bytes)), &record.cause) {
        (Some(()), LoggedCause::Impact(impact)) => {
            out.push(if record.held_at.is_some() {
                HELD_BLOW
            } else {
                BLOW
            });
            out.extend(bytes);
            out.extend(impact.spin.to_le_bytes());
        }
        _ => {
            let bytes = record_bytes(record);
            out.push(RECORD);
            out.extend((bytes.len() as u32).to_le_bytes());
            out.extend(bytes);
        }
    }
}

fn read_break(
    reader: &mut ByteReader,
    range: BreakRadius,
    log: &BreakLog,
) -> Result<BreakRecord, ArchiveError> {
    let record = match reader.u8()? {
        kind @ (BLOW | HELD_BLOW) => {
            let code = reader.u8()?;
            let blow = Blow::read(code, reader)?;
            let held_at = held_at_first(log, blow.piece).filter(|_| kind == HELD_BLOW);
            BreakRecord {
                held_at: held_at.cloned(),
                ..blow.record(reader.f64()?, range)
            }
        }
        RECORD => {
            let size = reader.u32()? as usize;
            read_record(reader.take(size)?)?
        }
        _ => return Err(ArchiveError::Damaged),
    };
    is_bearable(&record)
        .then_some(record)
        .ok_or(ArchiveError::Damaged)
}

fn write_state(out: &mut Vec<u8>, state: &PieceState) {
    out.extend(state.piece.break_index.to_le_bytes());
    out.extend((state.piece.piece_index as u16).to_le_bytes());
    out.extend((state.hits as u16).to_le_bytes());
    let Motion {
        pose,
        linear,
        angular,
    } = state.motion;
    for value in pose.translation.to_array() {
        out.extend(value.to_le_bytes());
    }
    for value in pose.rotation.normalize().to_array() {
        out.extend(((value * ROTATION_STEPS).round() as i16).to_le_bytes());
    }
    out.push(u8::from(state.asleep));
    if !state.asleep {
        for value in [linear.to_array(), angular.to_array()].concat() {
            out.extend(short_below(f64::from(value)).to_le_bytes());
        }
    }
}

fn read_state(reader: &mut ByteReader) -> Result<PieceState, ArchiveError> {
    let piece = PieceRef {
        break_index: reader.u32()?,
        piece_index: u32::from(read_u16(reader)?),
    };
    let hits = u64::from(read_u16(reader)?);
    let place = reader.point()?;
    let mut rotation = [0.0; 4];
    for value in &mut rotation {
        *value = f32::from(i16::from_le_bytes(read_array(reader)?)) / ROTATION_STEPS;
    }
    let rotation = Quat::from_array(rotation);
    let is_rotation = rotation.length_squared() > 0.5;
    let asleep = reader.u8()? != 0;
    let mut velocity = || -> Result<Vec3, Malformed> {
        let mut values = [0.0; 3];
        for value in &mut values {
            *value = read_short(read_u16(reader)?);
        }
        Ok(Vec3::from_array(values))
    };
    let [linear, angular] = if asleep {
        [Vec3::ZERO; 2]
    } else {
        [velocity()?, velocity()?]
    };
    let motion = Motion {
        pose: Pose::from_parts(place, rotation.normalize()),
        linear,
        angular,
    };
    if !is_rotation || motion.check().is_err() {
        return Err(ArchiveError::Damaged);
    }
    Ok(PieceState {
        piece,
        motion,
        asleep,
        hits,
        broken_bonds: Vec::new(),
        damage: Vec::new(),
        cracks: Vec::new(),
        bars: None,
        broken_at: Vec::new(),
        strained_at: Vec::new(),
        is_strained: false,
        welds: Vec::new(),
    })
}

/// Brings shared objects that are intact to the state of a save; gives the errors by object.
pub(crate) fn join(
    simulation: &mut Simulation,
    save: &[u8],
) -> Result<Vec<(u32, ReplayError)>, ArchiveError> {
    let content = FORMAT.open(save)?;
    let mut reader = ByteReader(content);
    let (mut objects, mut logs): (Vec<u32>, Vec<(BodyId, BreakLog)>) = Default::default();
    while !reader.0.is_empty() {
        let id = reader.u32()?;
        let object = simulation.network.objects.get(&id);
        let source = object.map(|object| object.source);
        let log = read_log(simulation, source, &mut reader)?;
        // What a game does not share is not its own to break.
        let is_intact = |source: &BodyId| simulation.history.breaks(*source).is_empty();
        if let Some(source) = source.filter(is_intact) {
            objects.push(id);
            logs.push((source, log));
        }
    }
    let saves: Vec<(BodyId, &BreakLog)> = logs.iter().map(|(body, log)| (*body, log)).collect();
    let results = restore_shared(simulation, &saves);
    let mut errors = Vec::new();
    for (id, result) in objects.into_iter().zip(results) {
        let Some(object) = simulation.network.objects.get_mut(&id) else {
            continue;
        };
        object.is_lost |= result.is_err();
        let done = simulation.history.breaks(object.source).len();
        object
            .waiting
            .retain(|number, _| usize::from(*number) >= done);
        object
            .parts
            .retain(|number, _| usize::from(*number) >= done);
        errors.extend(result.err().map(|error| (id, error)));
    }
    Ok(errors)
}

fn read_log(
    simulation: &Simulation,
    source: Option<BodyId>,
    reader: &mut ByteReader,
) -> Result<BreakLog, ArchiveError> {
    let breakable = source.and_then(|source| {
        let breakable = simulation.world.get::<&Breakable>(source.0).ok()?;
        Some(breakable.asset.material.break_radius(0.0))
    });
    let range = breakable.unwrap_or(BreakRadius::typed(1.0));
    let mut log = BreakLog::default();
    for _ in 0..reader.u32()? {
        let record = read_break(reader, range, &log)?;
        log.breaks.push(record);
    }
    for _ in 0..reader.u32()? {
        log.pieces.push(read_state(reader)?);
    }
    Ok(log)
}
