//! Pattern files: magic, version, content hash, then the grid and the sites on it, little-endian.
//!
//! Cells are not written: they follow from the sites to the last bit on every platform, are built
//! faster than read, and cannot be corrupt that way. Files of version 1 have cells after the sites,
//! which are skipped.

use super::{voronoi, Pattern, GRID_HALF, MAX_CELLS};
use crate::byte_io::{ByteReader, Malformed};
use crate::error::PatternError;
use crate::steps::finish;
use glam::DVec3;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 8] = b"FRACPLAN";
const VERSION: u32 = 2;
const HEADER: usize = 8 + 4 + 8;

/// Content hash of a pattern.
pub fn hash(pattern: &Pattern) -> u64 {
    xxh3_64(&body(pattern))
}

pub fn write(pattern: &Pattern) -> Vec<u8> {
    let mut bytes = Vec::from(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    let body = body(pattern);
    bytes.extend(xxh3_64(&body).to_le_bytes());
    bytes.extend(body);
    bytes
}

fn body(pattern: &Pattern) -> Vec<u8> {
    let mut out = Vec::new();
    floats(&mut out, &pattern.center.to_array());
    floats(&mut out, &[pattern.half]);
    words(&mut out, &[pattern.duplicates]);
    let sites: Vec<u32> = pattern.sites.iter().flatten().map(|x| *x as u32).collect();
    words(&mut out, &sites);
    out
}

fn words(out: &mut Vec<u8>, values: &[u32]) {
    out.extend((values.len() as u32).to_le_bytes());
    out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

fn floats(out: &mut Vec<u8>, values: &[f64]) {
    out.extend((values.len() as u32).to_le_bytes());
    out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

pub fn read(bytes: &[u8]) -> Result<Pattern, PatternError> {
    let mut reader = ByteReader(bytes);
    if reader.take(MAGIC.len())? != MAGIC {
        return Err(corrupt("it is not a pattern file"));
    }
    let version = reader.u32()?;
    if !(1..=VERSION).contains(&version) {
        return Err(PatternError::Version {
            found: version,
            supported: VERSION,
        });
    }
    let hash = reader.u64()?;
    if xxh3_64(&bytes[HEADER..]) != hash {
        return Err(corrupt("its content does not match its hash"));
    }
    let (center, half) = (read_floats(&mut reader)?, read_floats(&mut reader)?);
    let (duplicates, sites) = (read_words(&mut reader)?, read_words(&mut reader)?);
    if version == VERSION && !reader.0.is_empty() {
        return Err(corrupt("bytes follow its end"));
    }
    let (&[x, y, z], &[half], &[duplicates]) = (&center[..], &half[..], &duplicates[..]) else {
        return Err(corrupt("its frame is incomplete"));
    };
    let sites = sites.chunks_exact(3).map(|s| [s[0], s[1], s[2]]);
    let sites: Vec<[i32; 3]> = sites.map(|site| site.map(|x| x as i32)).collect();
    let center = DVec3::new(x, y, z);
    check(center, half, &sites)?;
    finish(voronoi::build_on_grid(center, half, duplicates, sites))
}

fn corrupt(reason: &'static str) -> PatternError {
    PatternError::Corrupt { reason }
}

/// Checks that a grid and sites are such as building a pattern makes.
fn check(center: DVec3, half: f64, sites: &[[i32; 3]]) -> Result<(), PatternError> {
    let most = voronoi::MAX_COORDINATE;
    let is_near = center.to_array().iter().all(|x| x.abs() <= most);
    if !(half > 0.0 && half <= most && is_near) {
        return Err(corrupt("its frame is out of range"));
    }
    let on_grid = |x: &i32| (-GRID_HALF..=GRID_HALF).contains(x);
    if !(2..=MAX_CELLS).contains(&sites.len()) || !sites.iter().flatten().all(on_grid) {
        return Err(corrupt("its sites are out of range"));
    }
    if voronoi::distinct(sites.to_vec()).len() != sites.len() {
        return Err(corrupt("some of its sites are equal"));
    }
    Ok(())
}

/// Reads the length of a list; the length is checked against the bytes that are left before anything is
/// allocated.
fn read_length(reader: &mut ByteReader, element_size: usize) -> Result<usize, Malformed> {
    let length = reader.u32()? as usize;
    if length > reader.0.len() / element_size {
        return Err(Malformed);
    }
    Ok(length)
}

fn read_words(reader: &mut ByteReader) -> Result<Vec<u32>, Malformed> {
    let length = read_length(reader, 4)?;
    (0..length).map(|_| reader.u32()).collect()
}

fn read_floats(reader: &mut ByteReader) -> Result<Vec<f64>, Malformed> {
    let length = read_length(reader, 8)?;
    (0..length).map(|_| reader.f64()).collect()
}

impl From<Malformed> for PatternError {
    fn from(_: Malformed) -> Self {
        corrupt("it is cut short")
    }
}
