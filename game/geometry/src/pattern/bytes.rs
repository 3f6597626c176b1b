//! A pattern as bytes: magic, version, content hash, then the flat arrays, little-endian.

use super::{Edge, Pattern, Side, Vertex, MAX_CELLS};
use crate::error::PatternError;
use glam::DVec3;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 8] = b"FRACPLAN";
const VERSION: u32 = 1;
const HEADER: usize = 8 + 4 + 8;

/// The hash of everything a pattern holds.
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
    words(&mut out, [pattern.duplicates]);
    words(&mut out, pattern.sites.iter().flatten().map(|x| *x as u32));
    words(&mut out, pattern.neighbor_offsets.iter().copied());
    words(&mut out, pattern.neighbors.iter().copied());
    words(&mut out, pattern.side_offsets.iter().copied());
    words(
        &mut out,
        pattern
            .sides
            .iter()
            .flat_map(|s| [s.vertex, s.edge, s.third]),
    );
    words(
        &mut out,
        pattern
            .edges
            .iter()
            .flat_map(|e| [e.cells[0], e.cells[1], e.cells[2], e.ends[0], e.ends[1]]),
    );
    words(&mut out, pattern.vertices.iter().flat_map(|v| v.cells));
    let places: Vec<f64> = pattern
        .vertices
        .iter()
        .flat_map(|v| v.at.to_array())
        .collect();
    floats(&mut out, &places);
    words(
        &mut out,
        pattern.boxes.iter().flatten().map(|x| x.to_bits()),
    );
    out
}

fn words(out: &mut Vec<u8>, values: impl IntoIterator<Item = u32>) {
    let start = out.len();
    out.extend([0; 4]);
    let mut count = 0u32;
    for value in values {
        out.extend(value.to_le_bytes());
        count += 1;
    }
    out[start..start + 4].copy_from_slice(&count.to_le_bytes());
}

fn floats(out: &mut Vec<u8>, values: &[f64]) {
    out.extend((values.len() as u32).to_le_bytes());
    for value in values {
        out.extend(value.to_le_bytes());
    }
}

pub fn read(bytes: &[u8]) -> Result<Pattern, PatternError> {
    let header = bytes.get(..HEADER).ok_or(corrupt("it is cut short"))?;
    if &header[..8] != MAGIC {
        return Err(corrupt("it is not a plane set"));
    }
    let mut reader = Reader { rest: &header[8..] };
    let version = reader.word()?;
    if version != VERSION {
        return Err(PatternError::Version {
            found: version,
            supported: VERSION,
        });
    }
    let hash = u64::from(reader.word()?) | u64::from(reader.word()?) << 32;
    if xxh3_64(&bytes[HEADER..]) != hash {
        return Err(corrupt("its content does not match its hash"));
    }
    let mut reader = Reader {
        rest: &bytes[HEADER..],
    };
    let pattern = reader.pattern()?;
    if !reader.rest.is_empty() || !is_sound(&pattern) {
        return Err(corrupt("its arrays do not fit together"));
    }
    Ok(pattern)
}

fn corrupt(reason: &'static str) -> PatternError {
    PatternError::Corrupt { reason }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn pattern(&mut self) -> Result<Pattern, PatternError> {
        let center = self.floats()?;
        let half = self.floats()?;
        let duplicates = self.words()?;
        let (&[x, y, z], &[half], &[duplicates]) = (&center[..], &half[..], &duplicates[..]) else {
            return Err(corrupt("its frame is incomplete"));
        };
        let sites = self.groups(|[x, y, z]: [u32; 3]| [x as i32, y as i32, z as i32])?;
        let neighbor_offsets = self.words()?;
        let neighbors = self.words()?;
        let side_offsets = self.words()?;
        let sides = self.groups(|[vertex, edge, third]| Side {
            vertex,
            edge,
            third,
        })?;
        let edges = self.groups(|[a, b, c, from, to]| Edge {
            cells: [a, b, c],
            ends: [from, to],
        })?;
        let corners: Vec<[u32; 4]> = self.groups(|cells| cells)?;
        let places = self.floats()?;
        if places.len() != 3 * corners.len() {
            return Err(corrupt("its vertices lack positions"));
        }
        let vertices = corners.into_iter().zip(places.chunks_exact(3));
        let vertices = vertices.map(|(cells, at)| Vertex {
            cells,
            at: DVec3::from_slice(at),
        });
        Ok(Pattern {
            center: DVec3::new(x, y, z),
            half,
            duplicates,
            sites,
            neighbor_offsets,
            neighbors,
            side_offsets,
            sides,
            edges,
            vertices: vertices.collect(),
            boxes: self.groups(|b: [u32; 6]| b.map(f32::from_bits))?,
        })
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], PatternError> {
        let (head, rest) = self
            .rest
            .split_first_chunk()
            .ok_or(corrupt("it is cut short"))?;
        self.rest = rest;
        Ok(*head)
    }

    fn word(&mut self) -> Result<u32, PatternError> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    /// A counted list; the count is checked against what is left before anything is reserved.
    fn counted(&mut self, size: usize) -> Result<usize, PatternError> {
        let count = self.word()? as usize;
        if count > self.rest.len() / size {
            return Err(corrupt("it is cut short"));
        }
        Ok(count)
    }

    fn words(&mut self) -> Result<Vec<u32>, PatternError> {
        let count = self.counted(4)?;
        (0..count).map(|_| self.word()).collect()
    }

    fn floats(&mut self) -> Result<Vec<f64>, PatternError> {
        let count = self.counted(8)?;
        (0..count)
            .map(|_| Ok(f64::from_le_bytes(self.take()?)))
            .collect()
    }

    fn groups<const N: usize, T>(
        &mut self,
        make: impl Fn([u32; N]) -> T,
    ) -> Result<Vec<T>, PatternError> {
        let flat = self.words()?;
        if flat.len() % N != 0 {
            return Err(corrupt("a list has a broken last entry"));
        }
        let group = |chunk: &[u32]| make(std::array::from_fn(|k| chunk[k]));
        Ok(flat.chunks_exact(N).map(group).collect())
    }
}

/// Whether every index stays inside its array, so that nothing read from a file can fail later.
fn is_sound(p: &Pattern) -> bool {
    let cells = p.sites.len();
    let ids = cells as u32 + 6;
    let limit = 1 << super::GRID_BITS;
    let offsets = |list: &[u32], entries: usize, end: usize| {
        list.len() == entries + 1
            && list.first() == Some(&0)
            && list.last() == Some(&(end as u32))
            && list.is_sorted()
    };
    let ascending = |cells: &[u32]| cells.windows(2).all(|pair| pair[0] < pair[1]);
    (2..=MAX_CELLS).contains(&cells)
        && p.half.is_finite()
        && p.half > 0.0
        && p.center.is_finite()
        && p.boxes.len() == cells
        && p.sites
            .iter()
            .flatten()
            .all(|x| (-limit..=limit).contains(x))
        && offsets(&p.neighbor_offsets, cells, p.neighbors.len())
        && offsets(&p.side_offsets, p.neighbors.len(), p.sides.len())
        && p.neighbors.iter().all(|&n| (n as usize) < cells)
        && p.sides.iter().all(|s| {
            (s.vertex as usize) < p.vertices.len()
                && (s.edge as usize) < p.edges.len()
                && s.third < ids
        })
        && p.edges.iter().all(|e| {
            ascending(&e.cells)
                && e.cells[1] < cells as u32
                && e.cells[2] < ids
                && e.ends.iter().all(|&v| (v as usize) < p.vertices.len())
        })
        && p.vertices
            .iter()
            .all(|v| ascending(&v.cells) && v.cells[3] < ids && v.at.is_finite())
}
