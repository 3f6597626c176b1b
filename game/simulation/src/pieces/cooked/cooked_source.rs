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

/// Reads the bytes of a file; `None` when there is no file.
type ReadFile = Box<dyn FnOnce() -> Result<Option<Vec<u8>>, String> + Send>;

/// Hears of a problem, on the worker.
type Report = Box<dyn Fn(CookedProblem) + Send + Sync>;

/// A file of cooked shapes that is read on the worker when the first shape asks for it. Shapes do without what cannot
/// be read, or is not there.
pub struct CookedSource {
    read: Mutex<Option<ReadFile>>,
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
    /// A file that is read by a function, which gives `None` when there is no file. The first problem is reported.
    pub fn new(
        read: impl FnOnce() -> Result<Option<Vec<u8>>, String> + Send + 'static,
        report: impl Fn(CookedProblem) + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            read: Mutex::new(Some(Box::new(read))),
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

    /// The file; `None` when there is none, or it cannot be read.
    fn file(&self) -> Option<&CookedFile> {
        let file = self.file.get_or_init(|| {
            let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
            let bytes =
                read.take()?().map_err(|error| self.report(CookedProblem::Unreadable(error)));
            let file = CookedFile::from_bytes(bytes.ok()??);
            file.map_err(|error| self.report(error.into())).ok()
        });
        file.as_ref()
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
