//! Figures as messages carry them: with fewer bits than the simulation has. An authority rounds a blow before it breaks
//! anything by it, so that a client which reads the message breaks the same body by the same blow, to the bit.
//!
//! Rounding twice changes nothing, even with a turn into world space and back in between: that moves a figure by far less
//! than half a step.

use glam::DVec3;

use crate::impacts::LocalImpact;
use crate::pieces::BreakRadius;

/// Steps from the middle of an axis of the octahedron to its end.
const DIRECTION_STEPS: f64 = 32767.0;

/// The same of a direction in two bytes.
const COARSE_STEPS: f64 = 127.0;

/// Steps of a coordinate in a metre, where it has no coarser ones. A turn to world space and back moves a point by some
/// millionths of the distance from the origin, however near to the middle of its body it is.
const PLACE_STEPS: f64 = 16384.0;

/// The bits of the largest finite number of 16 bits.
const LARGEST_SHORT: u16 = 0x7f7f;

/// Rounds an impact to what messages carry.
pub(crate) fn round_impact(impact: &mut LocalImpact) {
    impact.point = read_point(point_bytes(impact.point));
    impact.normal = read_direction(direction_bytes(impact.normal));
    impact.energy = f64::from(read_short(short_below(impact.energy)));
    impact.kerf = f64::from(read_short(short_nearest(impact.kerf)));
    let radius = round_radius(impact.radius);
    impact.reach = if impact.reach < impact.radius.metres {
        impact.reach.min(radius.metres)
    } else {
        radius.metres
    };
    impact.radius = radius;
}

/// Rounds the radius of a break. One that was typed is rounded as a whole, others stay in the range of their material.
pub(super) fn round_radius(radius: BreakRadius) -> BreakRadius {
    let metres = f64::from(read_short(short_nearest(radius.metres)));
    if radius.smallest == radius.largest {
        return BreakRadius::typed(metres);
    }
    BreakRadius {
        metres: metres.max(radius.smallest).min(radius.largest),
        ..radius
    }
}

/// A point in nine bytes: each coordinate has 16 bits of precision, 0.1 mm at 10 m, and 0.03 mm below 4 m.
pub(super) fn point_bytes(point: DVec3) -> [u8; 9] {
    let mut bytes = [0; 9];
    for (bytes, value) in bytes.chunks_exact_mut(3).zip(point.to_array()) {
        let value = (value * PLACE_STEPS).round() / PLACE_STEPS;
        let bits = (value as f32).to_bits().saturating_add(0x80);
        bytes.copy_from_slice(&bits.to_le_bytes()[1..]);
    }
    bytes
}

pub(super) fn read_point(bytes: [u8; 9]) -> DVec3 {
    let mut point = [0.0; 3];
    for (value, bytes) in point.iter_mut().zip(bytes.chunks_exact(3)) {
        let mut all = [0; 4];
        all[1..].copy_from_slice(bytes);
        // No zero has a sign.
        *value = f64::from(f32::from_le_bytes(all)) + 0.0;
    }
    DVec3::from_array(point)
}

/// The nearest finite number of 16 bits, of a number above zero: 8 bits of precision.
pub(super) fn short_nearest(value: f64) -> u16 {
    let nearest = ((value as f32).to_bits().saturating_add(0x8000) >> 16) as u16;
    nearest.min(LARGEST_SHORT)
}

/// The next number of 16 bits towards zero, so that no energy is made by rounding.
pub(super) fn short_below(value: f64) -> u16 {
    ((value as f32).to_bits() >> 16) as u16
}

pub(super) fn read_short(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16) + 0.0
}

/// A direction in four bytes, on an octahedron; up where it has no length.
pub(super) fn direction_bytes(direction: DVec3) -> [u8; 4] {
    let [x, y] = on_octahedron(direction).map(|value| (value * DIRECTION_STEPS).round() as i16);
    let ([a, b], [c, d]) = (x.to_le_bytes(), y.to_le_bytes());
    [a, b, c, d]
}

pub(super) fn read_direction([a, b, c, d]: [u8; 4]) -> DVec3 {
    let steps = [i16::from_le_bytes([a, b]), i16::from_le_bytes([c, d])];
    from_octahedron(steps.map(|value| f64::from(value) / DIRECTION_STEPS))
}

/// A direction in two bytes, to a degree.
pub(super) fn coarse_direction_bytes(direction: DVec3) -> [u8; 2] {
    on_octahedron(direction).map(|value| ((value * COARSE_STEPS).round() as i8) as u8)
}

pub(super) fn read_coarse_direction(bytes: [u8; 2]) -> DVec3 {
    from_octahedron(bytes.map(|value| f64::from(value as i8) / COARSE_STEPS))
}

/// A direction on the octahedron, whose lower half is folded out: -1 to 1.
fn on_octahedron(direction: DVec3) -> [f64; 2] {
    let sum = direction.abs().element_sum();
    let is_direction = sum > 0.0 && sum.is_finite();
    let DVec3 { x, y, z } = if is_direction {
        direction / sum
    } else {
        DVec3::Y
    };
    if z >= 0.0 {
        [x, y]
    } else {
        [folded(x, y), folded(y, x)]
    }
}

fn from_octahedron([x, y]: [f64; 2]) -> DVec3 {
    let z = 1.0 - x.abs() - y.abs();
    let direction = if z >= 0.0 {
        DVec3::new(x, y, z)
    } else {
        DVec3::new(folded(x, y), folded(y, x), z)
    };
    // Figures beyond -1 and 1 fold to something as well. No zero has a sign.
    direction.normalize_or(DVec3::Y) + DVec3::ZERO
}

fn folded(value: f64, other: f64) -> f64 {
    (1.0 - other.abs()) * if value < 0.0 { -1.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Directions all over the sphere, with those in which octahedra have edges.
    fn directions() -> Vec<DVec3> {
        let mut all = Vec::new();
        for x in -4..=4 {
            for y in -4..=4 {
                for z in -4..=4 {
                    let jitter = DVec3::new(0.013, -0.017, 0.019) * f64::from((x * y + z) % 2);
                    all.push(DVec3::new(f64::from(x), f64::from(y), f64::from(z)) + jitter);
                }
            }
        }
        all.retain(|direction| direction.length() > 0.0);
        all
    }

    #[test]
    fn a_direction_keeps_its_place_on_the_sphere_and_is_rounded_once() {
        for direction in directions() {
            let read = read_direction(direction_bytes(direction));
            assert!(read.is_normalized());
            assert!(read.distance(direction.normalize()) < 1e-4, "{direction}");
            let again = read_direction(direction_bytes(read + DVec3::splat(1e-8)));
            assert_eq!(
                again.to_array().map(f64::to_bits),
                read.to_array().map(f64::to_bits)
            );
            let coarse = read_coarse_direction(coarse_direction_bytes(direction));
            assert!(coarse.distance(direction.normalize()) < 0.03, "{direction}");
        }
        assert_eq!(read_direction(direction_bytes(DVec3::ZERO)), DVec3::Y);
        for axis in [
            DVec3::X,
            DVec3::NEG_X,
            DVec3::Y,
            DVec3::NEG_Y,
            DVec3::Z,
            DVec3::NEG_Z,
        ] {
            assert_eq!(read_direction(direction_bytes(axis)), axis);
        }
    }

    #[test]
    fn a_point_is_rounded_once_and_by_little() {
        for value in [0.0, -0.0, 1e-9, 0.1, -3.7, 12.345678, -999.9, 1e17] {
            let point = DVec3::new(value, -value, value / 3.0);
            let read = read_point(point_bytes(point));
            let limit = (2e-5 * point.length()).max(1.0 / PLACE_STEPS);
            assert!(read.distance(point) <= limit, "{point}");
            // As a turn to world space and back moves it.
            let turned = (read.as_vec3() * (1.0 + 1e-7)).as_dvec3();
            let again = read_point(point_bytes(turned));
            assert_eq!(
                again.to_array().map(f64::to_bits),
                read.to_array().map(f64::to_bits)
            );
        }
    }

    #[test]
    fn a_point_near_the_middle_of_a_body_far_away_is_rounded_once() {
        for index in 0..4000 {
            let figure = |k: u32| f64::from((index * 7919 + k * 104_729) % 2003) / 1001.5 - 1.0;
            let point = DVec3::new(figure(0), 0.01 * figure(1), 0.0003 * figure(2));
            let read = read_point(point_bytes(point));
            let body = DVec3::new(90.0 * figure(3), 10.0 * figure(4), 90.0 * figure(5)).as_vec3();
            let in_world = read.as_vec3() + body;
            let again = read_point(point_bytes((in_world - body).as_dvec3()));
            assert_eq!(again, read);
        }
    }

    #[test]
    fn energies_are_rounded_down_and_radii_stay_in_their_range() {
        for energy in [0.0, 1.0, 99.9, 12345.6, 1e9] {
            let read = f64::from(read_short(short_below(energy)));
            assert!(read <= energy && read >= 0.99 * energy);
            assert_eq!(short_below(read), short_below(energy));
        }
        for metres in [0.1, 0.123, 0.3, 0.69999, 0.7] {
            let radius = BreakRadius {
                metres,
                smallest: 0.1,
                largest: 0.7,
            };
            let once = round_radius(radius);
            assert!((0.1..=0.7).contains(&once.metres));
            assert!((once.metres - metres).abs() < 0.005 * metres);
            assert_eq!(round_radius(once), once);
            let typed = round_radius(BreakRadius::typed(metres));
            assert_eq!(round_radius(typed), typed);
        }
    }
}
