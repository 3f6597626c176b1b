//! Hashes of breaks and of falling debris, frame by frame: every processor gives those of `golden.txt`, those of debris
//! with the feature `portable`.
//!
//! The tests compare with that file, `cargo run --release -p state_hashes` prints the hashes of all frames, and
//! `tests/portable` runs both on other processors.

mod breaks;
pub mod game;
mod scenes;
mod worlds;

/// As in the tests of the geometry, whose solids are broken here.
mod check {
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    pub fn random(seed: u64) -> Pcg64Mcg {
        Pcg64Mcg::seed_from_u64(seed)
    }
}

#[allow(dead_code)]
#[path = "../../../game/geometry/tests/solids.rs"]
mod solids;

use std::sync::Mutex;

/// Frames between the lines that `golden.txt` keeps. Each has the hash of all frames before it, too.
pub const KEPT_FRAMES: usize = 12;

/// Tells a line for each kind of break, and one for each world and each of its frames whose number is a multiple of
/// `every`, as soon as it is known.
pub fn tell_lines(threads: usize, every: usize, tell: &mut dyn FnMut(&str)) {
    breaks::tell_lines(tell);
    worlds::tell_lines(threads, every.max(1), tell);
}

/// All lines.
pub fn lines(threads: usize, every: usize) -> String {
    let mut text = String::new();
    tell_lines(threads, every, &mut |line| text += &format!("{line}\n"));
    text
}

/// The output of [`write_lines`], for a page, which reads it byte by byte.
static WRITTEN: Mutex<String> = Mutex::new(String::new());

/// Computes all lines and gives their length in bytes.
#[no_mangle]
pub extern "C" fn write_lines(every: u32) -> u32 {
    let text = lines(0, every as usize);
    let length = text.len() as u32;
    if let Ok(mut written) = WRITTEN.lock() {
        *written = text;
    }
    length
}

/// One byte of the lines.
#[no_mangle]
pub extern "C" fn written_byte(at: u32) -> u32 {
    let written = WRITTEN.lock();
    let byte = written
        .ok()
        .and_then(|text| text.as_bytes().get(at as usize).copied());
    byte.map_or(0, u32::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_processor_gives_these_breaks() {
        let mut golden = include_str!("../golden.txt").lines();
        breaks::tell_lines(&mut |line| assert_eq!(Some(line), golden.next()));
    }

    /// With SIMD debris is repeatable, but another on other processors.
    #[test]
    fn debris_is_the_same_without_threads_and_with_the_feature_portable_on_every_processor() {
        let found = lines(2, KEPT_FRAMES);
        assert_eq!(first_difference(&found, &lines(0, KEPT_FRAMES)), None);
        if !cfg!(feature = "portable") {
            return;
        }
        if std::env::var_os("FRACTURE_BLESS").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/golden.txt"), &found).unwrap();
            return;
        }
        let golden = include_str!("../golden.txt");
        assert_eq!(first_difference(&found, golden), None);
        assert_eq!(found.len(), golden.len());
    }

    fn first_difference<'a>(a: &'a str, b: &'a str) -> Option<(&'a str, &'a str)> {
        a.lines().zip(b.lines()).find(|(a, b)| a != b)
    }
}
