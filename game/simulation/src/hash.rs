//! Portable hashes: seeds and the state of a simulation.

use fracture_geometry::Mesh;
use xxhash_rust::xxh3::{xxh3_64_with_seed, Xxh3};

/// A well-spread number from two, the same on every platform.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    xxh3_64_with_seed(&b.to_le_bytes(), a)
}

/// An angle in [0, 2 pi) from a seed and a count.
pub(crate) fn angle(seed: u64, count: u64) -> f64 {
    let unit = (mix(seed, count) >> 11) as f64 / (1u64 << 53) as f64;
    unit * std::f64::consts::TAU
}

/// How far a pattern is turned about the normal of a body's next hit, radians in [0, 2 pi): from the
/// seeds of the simulation's [`Settings`](crate::Settings) and of the [`Body`](crate::Body), and the
/// number of breaks that the body has taken.
pub fn spin(settings: u64, body: u64, hits: u64) -> f64 {
    angle(mix(settings, body), hits)
}

/// Hashes numbers by their bits.
#[derive(Default)]
pub(crate) struct StateHash(Xxh3);

impl StateHash {
    pub fn add(&mut self, value: u64) {
        self.0.update(&value.to_le_bytes());
    }

    pub fn add_all(&mut self, values: &[f32]) {
        for value in values {
            self.0.update(&value.to_bits().to_le_bytes());
        }
    }

    /// A text with its length.
    pub fn add_text(&mut self, text: &str) {
        self.add(text.len() as u64);
        self.0.update(text.as_bytes());
    }

    /// All arrays of a mesh with their lengths.
    pub fn add_mesh(&mut self, mesh: &Mesh) {
        self.add_rows(&mesh.positions);
        self.add_rows(&mesh.normals);
        self.add_rows(&mesh.tangents);
        self.add_rows(&mesh.uvs);
        self.add_rows(&mesh.colors);
        self.add(mesh.triangles.len() as u64);
        let numbers = mesh.triangles.iter().flatten().chain(&mesh.surfaces);
        numbers.for_each(|number| self.add(u64::from(*number)));
    }

    fn add_rows<const N: usize>(&mut self, rows: &[[f32; N]]) {
        self.add(rows.len() as u64);
        rows.iter().for_each(|row| self.add_all(row));
    }

    pub fn finish(&self) -> u64 {
        self.0.digest()
    }
}
