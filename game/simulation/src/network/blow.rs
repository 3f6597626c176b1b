//! A blow as it goes over the wire: in 40 bytes all that its pieces follow from, and with what they are pushed.

use std::sync::Arc;

use fracture_geometry::byte_io::{ByteReader, Malformed};
use glam::DVec3;

use super::rounding::{
    coarse_direction_bytes, direction_bytes, point_bytes, read_coarse_direction, read_direction,
    read_point, read_short, short_below, short_nearest,
};
use crate::history::{BreakRecord, LoggedCause, LoggedImpact, PieceRef};
use crate::pieces::{Anchor, BreakRadius};

/// Where a break stands among those of its object, and when it was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BreakNumber {
    /// The object's id in the game.
    pub object: u32,
    /// Number of breaks of the object before this one.
    pub number: u16,
    /// The lower 24 bits of the authority's frame.
    pub frame: u32,
}

impl BreakNumber {
    /// `None` for a number that cannot be told.
    pub fn new(object: u32, number: usize, frame: u64) -> Option<Self> {
        Some(Self {
            object,
            number: u16::try_from(number).ok()?,
            frame: (frame & 0xff_ffff) as u32,
        })
    }
}

/// How a blow pushes the pieces, besides breaking their body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BlowPush {
    /// N s, body space.
    pub impulse: DVec3,
    /// Whether the body moves by it already.
    pub already_applied: bool,
}

/// A blow that an authority has taken, or that a client foretells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Blow {
    pub number: BreakNumber,
    pub piece: PieceRef,
    /// Number of breaks that the piece had been asked for, from which the turn of the pattern follows.
    pub hits: u8,
    /// Number of pieces that it becomes.
    pub pieces: u16,
    pub point: DVec3,
    pub normal: DVec3,
    /// J
    pub energy: f32,
    pub size: BlowSize,
    pub push: BlowPush,
}

/// How much a blow breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum BlowSize {
    /// A radius that follows from the energy, metres.
    Radius(f32),
    /// A radius that somebody has typed, metres.
    Typed(f32),
    /// The cut of a blade, and the width that it takes out, metres.
    Blade(f32),
}

impl BlowSize {
    fn code(self) -> u8 {
        match self {
            Self::Radius(_) => 0,
            Self::Typed(_) => 1,
            Self::Blade(_) => 2,
        }
    }

    fn metres(self) -> f32 {
        let (Self::Radius(metres) | Self::Typed(metres) | Self::Blade(metres)) = self;
        metres
    }
}

/// The code of a push that the body has already.
const APPLIED: u8 = 4;

/// The number of the intact body among the breaks.
const INTACT: u16 = u16::MAX;

impl Blow {
    /// The blow of a break of the log. `None` for one that is more than a blow: that of a body's own weight, one that has
    /// found the body held by touch elsewhere than at first, and one with figures for which there is no room. Cracks along
    /// which it goes on are not told: they follow from the breaks before.
    pub fn of_record(
        number: BreakNumber,
        record: &BreakRecord,
        push: BlowPush,
        held_at_first: Option<&Arc<[Anchor]>>,
    ) -> Option<Self> {
        let LoggedCause::Impact(impact) = &record.cause else {
            return None;
        };
        if record.held_at.is_some() && record.held_at.as_ref() != held_at_first {
            return None;
        }
        let size = if impact.blade {
            BlowSize::Blade(impact.kerf as f32)
        } else if impact.radius.smallest == impact.radius.largest {
            BlowSize::Typed(impact.radius.metres as f32)
        } else {
            BlowSize::Radius(impact.radius.metres as f32)
        };
        let blow = Self {
            number,
            piece: record.piece,
            hits: u8::try_from(record.hits).ok()?,
            pieces: u16::try_from(record.pieces).ok()?,
            point: DVec3::from_array(impact.point),
            normal: DVec3::from_array(impact.normal),
            energy: impact.energy as f32,
            size,
            push,
        };
        // What was not rounded when it broke the body would break another one.
        let read = blow.rounded()?.record(impact.spin, impact.radius);
        let told = BreakRecord {
            cause: LoggedCause::Impact(LoggedImpact {
                kept: None,
                ..*impact
            }),
            held_at: None,
            ..record.clone()
        };
        (read == told).then_some(blow)
    }

    /// The blow as it is read.
    pub fn rounded(self) -> Option<Self> {
        let mut bytes = Vec::new();
        self.write(&mut bytes)?;
        let mut reader = ByteReader(&bytes);
        let code = reader.u8().ok()?;
        Self::read(code, &mut reader).ok()
    }

    /// The break that a blow makes, with the pattern turned by an angle and the range of radii of the body's material.
    pub fn record(&self, spin: f64, range: BreakRadius) -> BreakRecord {
        let is_blade = matches!(self.size, BlowSize::Blade(_));
        let metres = f64::from(self.size.metres());
        let radius = match self.size {
            BlowSize::Typed(_) => BreakRadius::typed(metres),
            BlowSize::Radius(_) => BreakRadius {
                metres: metres.max(range.smallest).min(range.largest),
                ..range
            },
            BlowSize::Blade(_) => range, // breaks nothing beside the cut
        };
        BreakRecord {
            piece: self.piece,
            cause: LoggedCause::Impact(LoggedImpact {
                point: self.point.to_array(),
                normal: self.normal.to_array(),
                energy: f64::from(self.energy),
                radius,
                spin,
                blade: is_blade,
                kerf: if is_blade { metres } else { 0.0 },
                kept: None,
            }),
            hits: u64::from(self.hits),
            pieces: u32::from(self.pieces),
            held_at: None,
        }
    }

    /// Whether another blow breaks the same piece in the same way.
    pub fn breaks_as(&self, other: &Self) -> bool {
        let same_place = (self.point, self.normal) == (other.point, other.normal);
        let same_piece = (self.piece, self.hits) == (other.piece, other.hits);
        same_place && same_piece && self.size == other.size
    }

    /// Writes the blow in 38 bytes, its code first; `None` if there is no room for a number.
    pub fn write(&self, out: &mut Vec<u8>) -> Option<()> {
        let (broken, piece) = match self.piece {
            PieceRef::INTACT => (INTACT, 0),
            PieceRef {
                break_index,
                piece_index,
            } => (short(break_index)?, u16::try_from(piece_index).ok()?),
        };
        let applied = APPLIED * u8::from(self.push.already_applied);
        out.push(self.size.code() | applied);
        write_number(out, self.number);
        out.extend(broken.to_le_bytes());
        out.extend(piece.to_le_bytes());
        out.push(self.hits);
        out.extend(self.pieces.to_le_bytes());
        out.extend(point_bytes(self.point));
        out.extend(direction_bytes(self.normal));
        out.extend(short_below(f64::from(self.energy)).to_le_bytes());
        out.extend(short_nearest(f64::from(self.size.metres())).to_le_bytes());
        out.extend(short_below(self.push.impulse.length()).to_le_bytes());
        out.extend(coarse_direction_bytes(self.push.impulse));
        Some(())
    }

    /// Reads a blow behind its code.
    pub fn read(code: u8, reader: &mut ByteReader) -> Result<Self, Malformed> {
        let number = read_number(reader)?;
        let piece = match (read_u16(reader)?, read_u16(reader)?) {
            (INTACT, 0) => PieceRef::INTACT,
            (INTACT, _) => return Err(Malformed),
            (broken, piece) => PieceRef {
                break_index: u32::from(broken),
                piece_index: u32::from(piece),
            },
        };
        let (hits, pieces) = (reader.u8()?, read_u16(reader)?);
        let point = read_point(read_array(reader)?);
        let normal = read_direction(read_array(reader)?);
        let [energy, metres, impulse] = [(); 3].map(|()| read_u16(reader).map(read_short));
        let (energy, metres, impulse) = (energy?, metres?, impulse?);
        let impulse = f64::from(impulse) * read_coarse_direction(read_array(reader)?);
        let is_blade = code & 3 == 2;
        let size = match code & 3 {
            0 => BlowSize::Radius(metres),
            1 => BlowSize::Typed(metres),
            2 => BlowSize::Blade(metres),
            _ => return Err(Malformed),
        };
        let limit = f64::from(crate::types::MAX_FIGURE);
        let is_sized = metres > 0.0 || (is_blade && metres == 0.0);
        let is_valid = is_sized
            && f64::from(metres) <= limit
            && (0.0..=crate::types::MAX_FIGURE).contains(&energy)
            && point.is_finite()
            && point.abs().max_element() <= limit
            && impulse.is_finite()
            && impulse.length() <= limit;
        let blow = Self {
            number,
            piece,
            hits,
            pieces,
            point,
            normal,
            energy,
            size,
            push: BlowPush {
                impulse,
                already_applied: code & APPLIED != 0,
            },
        };
        is_valid.then_some(blow).ok_or(Malformed)
    }
}

/// A number of breaks that can be told; `None` for one that is too large.
fn short(number: u32) -> Option<u16> {
    u16::try_from(number)
        .ok()
        .filter(|number| *number != INTACT)
}

pub(super) fn write_number(out: &mut Vec<u8>, number: BreakNumber) {
    let [low, middle, high, _] = number.frame.to_le_bytes();
    out.extend(number.object.to_le_bytes());
    out.extend(number.number.to_le_bytes());
    out.extend([low, middle, high]);
}

pub(super) fn read_number(reader: &mut ByteReader) -> Result<BreakNumber, Malformed> {
    let (object, number) = (reader.u32()?, read_u16(reader)?);
    let [low, middle, high] = read_array(reader)?;
    Ok(BreakNumber {
        object,
        number,
        frame: u32::from_le_bytes([low, middle, high, 0]),
    })
}

pub(super) fn read_u16(reader: &mut ByteReader) -> Result<u16, Malformed> {
    read_array(reader).map(u16::from_le_bytes)
}

pub(super) fn read_array<const N: usize>(reader: &mut ByteReader) -> Result<[u8; N], Malformed> {
    reader.take(N)?.try_into().map_err(|_| Malformed)
}
