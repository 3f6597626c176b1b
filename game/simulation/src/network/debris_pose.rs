//! Where a free piece is, as it goes over the wire: 24 bytes at rest, 36 on its way.

use fracture_geometry::byte_io::{ByteReader, Malformed};
use glam::{Quat, Vec3};
use rapier3d::math::Pose;

use super::blow::{read_array, read_u16};
use crate::history::PieceRef;
use crate::types::Motion;

/// Steps of a coordinate in a metre. With 24 bits it reaches 8 km.
const PLACE_STEPS: f32 = 1024.0;
/// Steps of a velocity in one m/s or rad/s. With 16 bits it reaches 256.
const SPEED_STEPS: f32 = 128.0;
/// Bits of each of the three smaller parts of a rotation. A piece may be metres away from the origin about which it is turned.
const ROTATION_BITS: u32 = 15;
/// Steps of such a part from 0 to its largest value, the root of a half.
const ROTATION_STEPS: f32 = 16383.0;
/// Most bytes of a pose.
pub(super) const MAX_POSE: usize = 36;

/// The motion of a free piece of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DebrisPose {
    /// The object's id in the game.
    pub object: u32,
    pub piece: PieceRef,
    pub motion: Motion,
    pub at_rest: bool,
}

impl DebrisPose {
    /// Bytes that it takes.
    pub fn size(&self) -> usize {
        if self.at_rest {
            MAX_POSE - 12
        } else {
            MAX_POSE
        }
    }

    /// Writes it; `None` if there is no room for a number.
    pub fn write(&self, out: &mut Vec<u8>) -> Option<()> {
        let piece = [self.piece.break_index, self.piece.piece_index].map(u16::try_from);
        let [Ok(broken), Ok(index)] = piece else {
            return None;
        };
        let place = steps(self.motion.pose.translation, PLACE_STEPS, 1 << 23)?;
        let speeds = [self.motion.linear, self.motion.angular];
        let [linear, angular] = speeds.map(|speed| steps(speed, SPEED_STEPS, 1 << 15));
        let speeds = [linear?, angular?].concat();
        out.extend(self.object.to_le_bytes());
        out.extend(broken.to_le_bytes());
        out.extend(index.to_le_bytes());
        out.push(u8::from(self.at_rest));
        for [low, middle, high, _] in place.map(i32::to_le_bytes) {
            out.extend([low, middle, high]);
        }
        let [a, b, c, d, e, f, ..] = rotation_bits(self.motion.pose.rotation).to_le_bytes();
        out.extend([a, b, c, d, e, f]);
        if !self.at_rest {
            for speed in speeds {
                out.extend((speed as i16).to_le_bytes());
            }
        }
        Some(())
    }

    /// Reads it.
    pub fn read(reader: &mut ByteReader) -> Result<Self, Malformed> {
        let object = reader.u32()?;
        let piece = PieceRef {
            break_index: u32::from(read_u16(reader)?),
            piece_index: u32::from(read_u16(reader)?),
        };
        let at_rest = match reader.u8()? {
            0 => false,
            1 => true,
            _ => return Err(Malformed),
        };
        let mut place = [0.0; 3];
        for value in &mut place {
            let [low, middle, high] = read_array(reader)?;
            // Shifted so that the sign is where it belongs.
            *value = (i32::from_le_bytes([0, low, middle, high]) >> 8) as f32 / PLACE_STEPS;
        }
        let [a, b, c, d, e, f] = read_array(reader)?;
        let rotation = read_rotation(u64::from_le_bytes([a, b, c, d, e, f, 0, 0]));
        let mut speeds = [0.0; 6];
        for value in speeds.iter_mut().filter(|_| !at_rest) {
            *value = f32::from(i16::from_le_bytes(read_array(reader)?)) / SPEED_STEPS;
        }
        let [a, b, c, d, e, f] = speeds;
        let motion = Motion {
            pose: Pose::from_parts(Vec3::from_array(place), rotation),
            linear: Vec3::new(a, b, c),
            angular: Vec3::new(d, e, f),
        };
        Ok(Self {
            object,
            piece,
            motion,
            at_rest,
        })
    }
}

/// A vector in whole steps; `None` if a number is out of range.
fn steps(vector: Vec3, steps: f32, limit: i32) -> Option<[i32; 3]> {
    let values = (vector * steps).round();
    let is_inside = values.is_finite() && values.abs().max_element() < limit as f32;
    is_inside.then(|| values.to_array().map(|value| value as i32))
}

/// A rotation as its three smaller parts, and which is the largest, whose sign is made positive.
fn rotation_bits(rotation: Quat) -> u64 {
    let parts = rotation.normalize().to_array();
    let largest = (0..4).max_by(|a, b| {
        let [a, b] = [a, b].map(|index: &usize| parts.get(*index).map_or(0.0, |part| part.abs()));
        a.total_cmp(&b)
    });
    let largest = largest.unwrap_or(3);
    let sign = parts.get(largest).map_or(1.0, |part| part.signum());
    let scale = sign * ROTATION_STEPS * std::f32::consts::SQRT_2;
    let smaller = (0..).zip(parts).filter(|(index, _)| *index != largest);
    smaller.fold(largest as u64, |bits, (_, part)| {
        let steps = (part * scale)
            .round()
            .clamp(-ROTATION_STEPS, ROTATION_STEPS);
        bits << ROTATION_BITS | (steps + ROTATION_STEPS) as u64
    })
}

fn read_rotation(bits: u64) -> Quat {
    let largest = (bits >> (3 * ROTATION_BITS) & 3) as usize;
    let part = |index: u32| {
        let steps = (bits >> (index * ROTATION_BITS) & 0x7fff) as f32 - ROTATION_STEPS;
        steps / (ROTATION_STEPS * std::f32::consts::SQRT_2)
    };
    let mut smaller = [part(2), part(1), part(0)].into_iter();
    let sum: f32 = smaller.clone().map(|part| part * part).sum();
    let mut parts = [0.0; 4];
    for (index, value) in parts.iter_mut().enumerate() {
        *value = if index == largest {
            (1.0 - sum).max(0.0).sqrt()
        } else {
            smaller.next().unwrap_or_default()
        };
    }
    Quat::from_array(parts).normalize()
}

/// The pose that has a point of the body at a place.
pub(super) fn pose_with(point: Vec3, place: Vec3, rotation: Quat) -> Pose {
    Pose::from_parts(place - rotation * point, rotation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_is_read_to_a_millimetre_and_a_fraction_of_a_degree() {
        for index in 0..2000 {
            let figure = |k: u32| ((index * 7919 + k * 104_729) % 2003) as f32 / 1001.5 - 1.0;
            let rotation = Quat::from_array([0, 1, 2, 3].map(figure)).normalize();
            let place = Vec3::new(figure(4), figure(5), figure(6)) * 4000.0;
            let written = DebrisPose {
                object: index,
                piece: PieceRef {
                    break_index: index,
                    piece_index: 2 * index,
                },
                motion: Motion {
                    pose: Pose::from_parts(place, rotation),
                    linear: Vec3::new(figure(7), figure(8), figure(9)) * 100.0,
                    angular: Vec3::new(figure(10), figure(11), figure(12)) * 100.0,
                },
                at_rest: index % 2 == 0,
            };
            let mut bytes = Vec::new();
            written.write(&mut bytes).unwrap();
            assert_eq!(bytes.len(), written.size());
            let mut reader = ByteReader(&bytes);
            let read = DebrisPose::read(&mut reader).unwrap();
            assert!(reader.0.is_empty());
            assert_eq!((read.object, read.piece), (written.object, written.piece));
            let [told, own] = [read.motion.pose, written.motion.pose];
            assert!(told.translation.distance(own.translation) < 2e-3);
            // A cosine of so small an angle would be rounded to nothing.
            let turn = told.rotation.inverse() * own.rotation;
            assert!(2.0 * turn.xyz().length() < 5e-4);
            let linear = if written.at_rest {
                Vec3::ZERO
            } else {
                written.motion.linear
            };
            assert!(read.motion.linear.distance(linear) < 0.01);
            // What was read is written as it is.
            let mut again = Vec::new();
            read.write(&mut again).unwrap();
            assert_eq!(again, bytes);
        }
    }

    #[test]
    fn what_is_out_of_range_is_not_written() {
        for far in [f32::NAN, f32::INFINITY, 9000.0] {
            let pose = DebrisPose {
                object: 1,
                piece: PieceRef {
                    break_index: 0,
                    piece_index: 0,
                },
                motion: Motion::at(Pose::from_parts(Vec3::splat(far), Quat::IDENTITY)),
                at_rest: true,
            };
            assert_eq!(pose.write(&mut Vec::new()), None);
        }
    }
}
