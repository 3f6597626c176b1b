//! Messages between the games of players: a version, a code, the content, and a check of it in two bytes.

use std::fmt;

use fracture_geometry::byte_io::{ByteReader, Malformed};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use super::blow::{read_array, read_number, read_u16, write_number, Blow, BreakNumber};
use super::debris_pose::{DebrisPose, MAX_POSE};

/// Version of the messages: games of another one do not play together.
pub(super) const VERSION: u8 = 1;

/// Largest message, bytes: it fits into a datagram on any way.
pub const MAX_MESSAGE: usize = 1000;

/// The largest part of a break that is no mere blow, bytes.
pub(super) const MAX_PART: usize = MAX_MESSAGE - 16;

/// Most poses of debris in a message.
pub(super) const MAX_POSES: usize = (MAX_MESSAGE - 6) / MAX_POSE;

/// Objects that a message says what a client has of.
pub(super) const MAX_KNOWN: usize = 160;

const CHECK_SIZE: usize = 2;

/// A bit of the code of a blow that a client foretells. The two lowest bits say how much a blow breaks, and are never both
/// set.
const FORETOLD: u8 = 8;
const REFUSED: u8 = 3;
const PART: u8 = 7;
const KNOWN: u8 = 11;
const POSES: u8 = 15;

/// A message to other games, as bytes: [`Simulation::drain_messages`](crate::Simulation::drain_messages) gives it, and
/// [`Simulation::receive`](crate::Simulation::receive) takes it.
#[derive(Clone, PartialEq, Eq)]
pub struct Message(pub Vec<u8>);

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "message of {} bytes", self.0.len())
    }
}

/// A reason why a message is not taken.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageError {
    /// It is too short, too long, or not as it was written.
    #[error("the message is damaged or none of destruction; it is dropped")]
    Damaged,
    /// It is of another version of this module.
    #[error("the message is of version {found}, and this game has version {VERSION}; let all players have the same version of the game")]
    Version {
        /// Version of the message.
        found: u8,
    },
    /// A figure is not finite or out of its range.
    #[error("the message has a figure that is out of its range; it is dropped")]
    Figure,
    /// It tells of an object that this game does not share.
    #[error("the message tells of object {object:#x}, which is not shared here; let all players load the same scene")]
    UnknownObject {
        /// Id of the object.
        object: u32,
    },
    /// An authority was told what only an authority tells, or a client what only clients tell.
    #[error("the message is not for this side; only the authority tells what has broken")]
    WrongSide,
    /// More messages have come in a step than can be taken, or a message is far ahead of what is known.
    #[error(
        "too many messages have come at once, and this one is dropped; it will be asked for again"
    )]
    TooMany,
}

/// The content of a message.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    /// The authority has taken a blow.
    Taken(Blow),
    /// A client has broken something by a blow of its own, and asks the authority to take it.
    Foretold(Blow),
    /// The authority has not taken a blow that was foretold.
    Refused(BreakNumber),
    /// A part of a break that is no mere blow.
    Part(Part),
    /// How many breaks a client has of each object.
    Known(Known),
    /// Where an authority has free pieces.
    Poses(Poses),
}

/// Where an authority has free pieces in a frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Poses {
    /// The lower 24 bits of the frame.
    pub frame: u32,
    pub poses: Vec<DebrisPose>,
}

/// A part of the bytes of a break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub number: BreakNumber,
    pub index: u8,
    pub count: u8,
    pub bytes: Vec<u8>,
}

/// How many breaks a client has of objects whose ids are in a range: none of those that are not listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub first: u32,
    pub last: u32,
    pub counts: Vec<(u32, u16)>,
}

impl Content {
    /// The message; `None` for a blow with a number for which there is no room.
    pub fn to_message(&self) -> Option<Message> {
        let mut out = Vec::with_capacity(40);
        match self {
            Self::Taken(blow) => blow.write(&mut out)?,
            Self::Foretold(blow) => {
                blow.write(&mut out)?;
                out.first_mut().map(|code| *code |= FORETOLD)?;
            }
            Self::Refused(number) => {
                out.push(REFUSED);
                write_number(&mut out, *number);
            }
            Self::Part(part) => {
                out.push(PART);
                write_number(&mut out, part.number);
                out.extend([part.index, part.count]);
                out.extend(&part.bytes);
            }
            Self::Known(known) => {
                out.push(KNOWN);
                out.extend(known.first.to_le_bytes());
                out.extend(known.last.to_le_bytes());
                for (object, count) in &known.counts {
                    out.extend(object.to_le_bytes());
                    out.extend(count.to_le_bytes());
                }
            }
            Self::Poses(poses) => {
                let [low, middle, high, _] = poses.frame.to_le_bytes();
                out.extend([POSES, low, middle, high]);
                for pose in &poses.poses {
                    pose.write(&mut out)?;
                }
            }
        }
        out.first_mut().map(|code| *code |= VERSION << 4)?;
        let check = check_of(&out);
        out.extend(check);
        Some(Message(out))
    }

    /// Reads a message.
    pub fn read(bytes: &[u8]) -> Result<Self, MessageError> {
        let size = bytes.len().checked_sub(CHECK_SIZE);
        let size = size.filter(|_| bytes.len() <= MAX_MESSAGE);
        let (content, check) = size
            .and_then(|size| bytes.split_at_checked(size))
            .ok_or(MessageError::Damaged)?;
        let mut reader = ByteReader(content);
        let head = reader.u8().map_err(|_| MessageError::Damaged)?;
        if head >> 4 != VERSION {
            return Err(MessageError::Version { found: head >> 4 });
        }
        if check != check_of(content) {
            return Err(MessageError::Damaged);
        }
        let content = Self::read_content(head & 15, &mut reader);
        match content {
            Ok(content) if reader.0.is_empty() => Ok(content),
            _ => Err(MessageError::Figure),
        }
    }

    fn read_content(code: u8, reader: &mut ByteReader) -> Result<Self, Malformed> {
        match code {
            REFUSED => Ok(Self::Refused(read_number(reader)?)),
            PART => {
                let part = Part {
                    number: read_number(reader)?,
                    index: reader.u8()?,
                    count: reader.u8()?,
                    bytes: std::mem::take(&mut reader.0).to_vec(),
                };
                let is_valid = part.index < part.count && part.bytes.len() <= MAX_PART;
                is_valid.then_some(Self::Part(part)).ok_or(Malformed)
            }
            KNOWN => {
                let (first, last) = (reader.u32()?, reader.u32()?);
                let mut counts = Vec::new();
                while !reader.0.is_empty() {
                    counts.push((reader.u32()?, read_u16(reader)?));
                }
                let is_valid = counts.len() <= MAX_KNOWN;
                let known = Known {
                    first,
                    last,
                    counts,
                };
                is_valid.then_some(Self::Known(known)).ok_or(Malformed)
            }
            POSES => {
                let [low, middle, high] = read_array(reader)?;
                let mut poses = Vec::new();
                while !reader.0.is_empty() {
                    poses.push(DebrisPose::read(reader)?);
                }
                let frame = u32::from_le_bytes([low, middle, high, 0]);
                Ok(Self::Poses(Poses { frame, poses }))
            }
            code if code & FORETOLD != 0 => Ok(Self::Foretold(Blow::read(code, reader)?)),
            code => Ok(Self::Taken(Blow::read(code, reader)?)),
        }
    }
}

/// Two bytes by which nearly all messages that were changed on the way are known.
fn check_of(content: &[u8]) -> [u8; CHECK_SIZE] {
    (xxh3_64(content) as u16).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::history::PieceRef;
    use crate::network::blow::{BlowPush, BlowSize};

    /// Numbers that look random.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self) -> u64 {
            self.0 += 1;
            xxh3_64(&self.0.to_le_bytes())
        }

        /// From -1 to 1.
        fn figure(&mut self) -> f64 {
            (self.roll() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }

        fn vector(&mut self, size: f64) -> DVec3 {
            DVec3::new(self.figure(), self.figure(), self.figure()) * size
        }
    }

    fn number(dice: &mut Dice) -> BreakNumber {
        BreakNumber {
            object: dice.roll() as u32,
            number: dice.roll() as u16,
            frame: dice.roll() as u32 & 0xff_ffff,
        }
    }

    fn blow(dice: &mut Dice) -> Blow {
        let metres = dice.figure().abs() as f32 + 0.01;
        Blow {
            number: number(dice),
            piece: match dice.roll() % 4 {
                0 => PieceRef::INTACT,
                _ => PieceRef {
                    break_index: dice.roll() as u32 % 0xffff,
                    piece_index: dice.roll() as u32 % 0x10000,
                },
            },
            hits: dice.roll() as u8,
            pieces: dice.roll() as u16,
            point: dice.vector(30.0),
            normal: dice.vector(1.0),
            energy: 1e4 * dice.figure().abs() as f32,
            size: match dice.roll() % 3 {
                0 => BlowSize::Radius(metres),
                1 => BlowSize::Typed(metres),
                _ => BlowSize::Blade(metres - 0.01),
            },
            push: BlowPush {
                impulse: dice.vector(300.0),
                already_applied: dice.roll().is_multiple_of(2),
            },
        }
    }

    #[test]
    fn a_blow_takes_forty_bytes_and_is_read_as_it_was_written() {
        for seed in 0..2000 {
            let written = blow(&mut Dice(seed * 100));
            for content in [Content::Taken(written), Content::Foretold(written)] {
                let message = content.to_message().unwrap();
                assert_eq!(message.0.len(), 40);
                let read = Content::read(&message.0).unwrap();
                let (Content::Taken(blow) | Content::Foretold(blow)) = read else {
                    panic!("{read:?}");
                };
                assert_eq!(
                    matches!(read, Content::Taken(_)),
                    matches!(content, Content::Taken(_))
                );
                assert_eq!((blow.number, blow.piece), (written.number, written.piece));
                assert_eq!((blow.hits, blow.pieces), (written.hits, written.pieces));
                assert_eq!(blow.push.already_applied, written.push.already_applied);
                assert!(blow.point.distance(written.point) < 1e-3);
                assert!(blow.normal.distance(written.normal.normalize()) < 1e-4);
                assert!(blow.push.impulse.distance(written.push.impulse) < 12.0);
                // What was read is written and read as it is, but for the push.
                let again = Content::read(&Content::Taken(blow).to_message().unwrap().0).unwrap();
                assert!(matches!(again, Content::Taken(again) if again.breaks_as(&blow)));
            }
        }
    }

    #[test]
    fn other_messages_are_read_as_they_were_written() {
        for seed in 0..200 {
            let dice = &mut Dice(seed * 1000);
            let counts = (0..dice.roll() % 161).map(|_| (dice.roll() as u32, dice.roll() as u16));
            let known = Content::Known(Known {
                counts: counts.collect(),
                first: dice.roll() as u32,
                last: dice.roll() as u32,
            });
            let part = Content::Part(Part {
                number: number(dice),
                index: 3,
                count: 4 + dice.roll() as u8 % 200,
                bytes: (0..dice.roll() as usize % (MAX_PART + 1))
                    .map(|_| dice.roll() as u8)
                    .collect(),
            });
            for content in [known, part, Content::Refused(number(dice))] {
                let message = content.to_message().unwrap();
                assert!(message.0.len() <= MAX_MESSAGE);
                assert_eq!(Content::read(&message.0), Ok(content));
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        let mut taken = 0;
        for seed in 0..20_000 {
            let dice = &mut Dice(seed * 100);
            let mut bytes = match blow(dice) {
                blow if seed % 2 == 0 => Content::Taken(blow).to_message().unwrap().0,
                _ => (0..dice.roll() % 60).map(|_| dice.roll() as u8).collect(),
            };
            for _ in 0..dice.roll() % 4 {
                let at = dice.roll() as usize % bytes.len().max(1);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = [0, 0x7f, 0xff, dice.roll() as u8][dice.roll() as usize % 4];
                }
            }
            // As somebody would send it who means harm.
            if let (Some(head), true) = (bytes.first_mut(), seed % 3 > 0) {
                *head = *head & 15 | VERSION << 4;
                let size = bytes.len().saturating_sub(CHECK_SIZE);
                let check = check_of(&bytes[..size]);
                bytes.truncate(size);
                bytes.extend(check);
            }
            if let Ok(Content::Taken(blow)) = Content::read(&bytes) {
                taken += 1;
                assert!(blow.point.is_finite() && blow.normal.is_normalized());
                assert!(blow.energy >= 0.0 && blow.push.impulse.is_finite());
            }
        }
        assert!(taken > 1000, "{taken}");
    }
}
