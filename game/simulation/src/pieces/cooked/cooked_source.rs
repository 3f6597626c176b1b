//! A file of cooked shapes that is read when the worker needs it.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fracture_geometry::byte_io::{ByteReader, Malformed};
use fracture_geometry::hulls::{CachedHulls, ConvexParts};
use fracture_geometry::{Mesh, Solid};
use thiserror::Error;

use super::cooked_file::{CookedError, CookedFile};
use super::cooked_shape::{read_collision_chunks, CookedResult};
use crate::stress::Lattice;

/// Bytes of a file, as far as they are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CookedBytes {
    /// They are on their way. Shapes do without them until they are there.
    Pending,
    /// There is no file.
    Missing,
    /// All of them.
    Read(Vec<u8>),
    /// The file is there and cannot be read, with the reason in words.
    Unreadable(String),
}

/// Reads a file.
type ReadFile = Box<dyn FnMut() -> CookedBytes + Send>;

/// Hears of a problem, on the worker.
type Report = Box<dyn Fn(CookedProblem) + Send + Sync>;

/// A file of cooked shapes that is read on the worker when the first shape asks for it. Shapes do without what cannot
/// be read, or is not there.
pub struct CookedSource {
    read: Mutex<ReadFile>,
    file: OnceLock<Option<CookedFile>>,
    report: Report,
    /// Whether a problem has been reported.
    has_problem: AtomicBool,
    results: AtomicU64,
}

/// Where a shape finds what has been cooked of it.
#[derive(Clone, Debug)]
pub struct CookedBy {
    /// The file.
    pub source: Arc<CookedSource>,
    /// Name of the shape for messages.
    pub name: String,
}

/// A problem with a file of cooked shapes. What is not read is computed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CookedProblem {
    /// The file is there and cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// The file was refused.
    #[error(transparent)]
    Refused(#[from] CookedError),
    /// The file has nothing of this shape: the mesh has changed, or another one was cooked.
    #[error("it was cooked for another mesh than that of \"{name}\"")]
    OtherMesh {
        /// Name of the shape.
        name: String,
    },
}

impl CookedSource {
    /// A file that is read by a function, which is called again only while the bytes are on their way. The first problem
    /// is reported.
    pub fn new(
        read: impl FnMut() -> CookedBytes + Send + 'static,
        report: impl Fn(CookedProblem) + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            read: Mutex::new(Box::new(read)),
            file: OnceLock::new(),
            report: Box::new(report),
            has_problem: AtomicBool::new(false),
            results: AtomicU64::new(0),
        })
    }

    /// The number of results of preparation that shapes have taken from the file.
    pub fn results(&self) -> u64 {
        self.results.load(Ordering::Relaxed)
    }

    /// The file; `None` when there is none, it cannot be read, or it is not there yet.
    fn file(&self) -> Option<&CookedFile> {
        if self.file.get().is_none() {
            let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
            // Another thread may have read it meanwhile.
            if self.file.get().is_none() {
                let file = self.parse(read())?;
                self.file.get_or_init(|| file);
            }
        }
        self.file.get()?.as_ref()
    }

    /// The file that some bytes are; `None` while they are on their way.
    fn parse(&self, bytes: CookedBytes) -> Option<Option<CookedFile>> {
        let file = match bytes {
            CookedBytes::Pending => return None,
            CookedBytes::Missing => return Some(None),
            CookedBytes::Read(bytes) => CookedFile::from_bytes(bytes).map_err(CookedProblem::from),
            CookedBytes::Unreadable(error) => Err(CookedProblem::Unreadable(error)),
        };
        Some(file.map_err(|problem| self.report(problem)).ok())
    }

    fn report(&self, problem: CookedProblem) {
        if !self.has_problem.swap(true, Ordering::Relaxed) {
            (self.report)(problem);
        }
    }
}

/// Results of a solid; `None` where they have to be computed.
impl CookedBy {
    pub(crate) fn convex_parts(&self, solid: &Solid) -> Option<ConvexParts> {
        self.result(solid, CookedResult::ConvexParts, |reader| {
            ConvexParts::read(reader, solid)
        })
    }

    pub(crate) fn cached_hulls(&self, solid: &Solid) -> Option<CachedHulls> {
        self.result(solid, CookedResult::CachedHulls, |reader| {
            CachedHulls::read(reader, solid)
        })
    }

    pub(crate) fn lattice(&self, solid: &Solid) -> Option<Lattice> {
        self.result(solid, CookedResult::Lattice, Lattice::read)
    }

    /// The simplified chunks of the solid's mesh.
    pub(crate) fn collision_chunks(&self, solid: &Solid) -> Option<Vec<Mesh>> {
        self.result(solid, CookedResult::CollisionChunks, |reader| {
            read_collision_chunks(reader, solid)
        })
    }

    fn result<T>(
        &self,
        solid: &Solid,
        result: CookedResult,
        read: impl FnOnce(&mut ByteReader) -> Result<T, Malformed>,
    ) -> Option<T> {
        if !result.takes_long(solid) {
            return None;
        }
        let source = &self.source;
        let Some(shape) = source.file()?.get(solid.content_hash()) else {
            let name = self.name.clone();
            source.report(CookedProblem::OtherMesh { name });
            return None;
        };
        let value = shape.result(result, read);
        let value = value.map_err(|_| source.report(CookedError::Damaged.into()));
        let value = value.ok()??;
        source.results.fetch_add(1, Ordering::Relaxed);
        Some(value)
    }
}

impl fmt::Debug for CookedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CookedSource")
            .field("is_read", &self.file.get().is_some())
            .field("results", &self.results())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::super::cooked_shape::{CookedNeeds, CookedShape};
    use super::*;
    use crate::pieces::anchors::Anchors;
    use crate::pieces::material::Material;
    use crate::pieces::shape::Shape;

    /// Bytes before the content, and after it.
    const FRAME: [usize; 2] = [20, 8];
    /// Every so many bytes one is damaged.
    const STRIDE: usize = 397;

    /// A file with all results of a solid.
    fn cooked_whole(shape: &Shape) -> Vec<u8> {
        let strong = Material {
            tensile_strength: 1e6,
            ..Material::default()
        };
        let held = Anchors::boxes(vec![[glam::Vec3::splat(-1.0), glam::Vec3::splat(1.0)]]);
        let mut whole = CookedShape::default();
        let mut hash = 0;
        for needs in [
            CookedNeeds::new(&Anchors::default(), &Material::default()),
            CookedNeeds::new(&held, &strong),
        ] {
            let cooked = shape.cook(needs, |_| Some(whole.clone()), &|| false);
            (hash, whole) = cooked.unwrap().unwrap();
        }
        let mut file = CookedFile::default();
        file.insert([(hash, whole)].into());
        file.to_bytes()
    }

    /// The number of results that are read, and the number of problems.
    fn read_all(bytes: Vec<u8>, solid: &Solid) -> (usize, u64) {
        let problems = Arc::new(AtomicU64::new(0));
        let count = problems.clone();
        let source = CookedSource::new(
            move || CookedBytes::Read(bytes.clone()),
            move |_| _ = count.fetch_add(1, Ordering::Relaxed),
        );
        let cooked = CookedBy {
            source,
            name: "it".to_owned(),
        };
        let chunks = cooked.collision_chunks(solid);
        let is_mesh = |mesh: &Mesh| {
            let mut corners = mesh.triangles.as_flattened().iter();
            corners.all(|corner| (*corner as usize) < mesh.positions.len())
        };
        assert!(chunks.iter().flatten().all(is_mesh));
        let are_read = [
            cooked.convex_parts(solid).is_some(),
            cooked.cached_hulls(solid).is_some(),
            cooked.lattice(solid).is_some(),
            chunks.is_some(),
        ];
        let read = are_read.iter().filter(|is_read| **is_read).count();
        assert_eq!(read as u64, cooked.source.results());
        (read, problems.load(Ordering::Relaxed))
    }

    #[test]
    fn what_is_refused_of_a_damaged_file_with_a_mended_hash_is_reported_once() {
        let shape = Shape::new(Mesh::torus(0.6, 0.25, 48, 24));
        let bytes = cooked_whole(&shape);
        let solid = shape.solid().unwrap();
        assert_eq!(read_all(bytes.clone(), solid), (4, 0));
        let content = FRAME[0]..bytes.len() - FRAME[1];
        let mut refused = 0;
        for (turn, at) in content.clone().step_by(STRIDE).enumerate() {
            let mut damaged = bytes.clone();
            damaged[at] ^= [1, 0x80, 0xff][turn % 3];
            let hash = xxh3_64(&damaged[content.clone()]).to_le_bytes();
            damaged[content.end..].copy_from_slice(&hash);
            let (read, problems) = read_all(damaged, solid);
            assert_eq!(problems, u64::from(read < 4), "byte {at}");
            refused += problems;
        }
        assert!(refused > 10, "{refused}");
    }
}
