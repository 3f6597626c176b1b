//! Seeds of bodies, pieces and breaks. They follow from the settings' seed, equally on every platform.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Mixes two numbers into a well-spread third one.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    xxh3_64_with_seed(&b.to_le_bytes(), a)
}

/// Gives an angle in [0, 2 pi) for a seed and a count.
pub(crate) fn angle(seed: u64, count: u64) -> f64 {
    let unit = (mix(seed, count) >> 11) as f64 / (1u64 << 53) as f64;
    unit * std::f64::consts::TAU
}

/// Gives the angle by which the pattern of a body's next break is turned about the impact's normal,
/// radians in [0, 2 pi). It follows from the seeds of the simulation's [`Settings`](crate::Settings) and of
/// the [`Body`](crate::Body), and from the number of breaks that the body has taken.
pub fn spin(settings: u64, body: u64, hits: u64) -> f64 {
    angle(mix(settings, body), hits)
}
