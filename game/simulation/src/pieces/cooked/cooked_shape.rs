//! The results of preparing one solid, as bytes.

use bytes::Bytes;
use fracture_geometry::byte_io::{write_count, ByteReader, Malformed};
use fracture_geometry::hulls::{CachedHulls, ConvexParts};
use fracture_geometry::{Mesh, Solid};
use glam::Vec3;

use crate::mesh_codec;
use crate::pieces::anchors::Anchors;
use crate::pieces::chunk::ChunkPool;
use crate::pieces::chunked_mesh::ChunkedMesh;
use crate::pieces::lazy::ShouldCancel;
use crate::pieces::material::Material;
use crate::stress::Lattice;

/// Triangles from which on convex parts and hulls are cooked: those of smaller meshes are found within some
/// hundred microseconds.
const MIN_TRIANGLES: usize = 100;

/// Distance by which vertices may be outside of the solid's box, in diagonals of the box: more than they are by
/// simplification.
const OUTSIDE: f32 = 0.05;

/// Number of results.
const RESULTS: usize = 4;

/// A result of preparation.
#[derive(Clone, Copy)]
pub(super) enum CookedResult {
    ConvexParts,
    CachedHulls,
    Lattice,
    /// The chunks of the collision mesh of an anchored body.
    CollisionChunks,
}

/// Which bodies a shape is prepared for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CookedNeeds {
    is_free: bool,
    has_strength: bool,
}

/// The results of preparing one solid, each as bytes; none for a result that was not asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CookedShape {
    results: [Bytes; RESULTS],
}

impl CookedNeeds {
    /// The needs of a body with these anchors and this material.
    pub fn new(anchors: &Anchors, material: &Material) -> Self {
        Self {
            is_free: anchors.is_free(),
            has_strength: material.has_strength(),
        }
    }
}

impl CookedResult {
    const ALL: [Self; RESULTS] = [
        Self::ConvexParts,
        Self::CachedHulls,
        Self::Lattice,
        Self::CollisionChunks,
    ];

    /// Whether computing it for a solid takes more than a millisecond.
    pub fn takes_long(self, solid: &Solid) -> bool {
        match self {
            Self::ConvexParts | Self::CachedHulls => {
                solid.triangle_count() >= MIN_TRIANGLES && !solid.is_shell()
            }
            Self::Lattice => !solid.is_shell(),
            Self::CollisionChunks => ChunkedMesh::is_simplified(solid),
        }
    }

    /// Whether bodies with these needs ask for it.
    fn is_needed(self, needs: CookedNeeds) -> bool {
        match self {
            Self::ConvexParts => true,
            Self::CachedHulls => needs.is_free,
            Self::Lattice => needs.has_strength,
            Self::CollisionChunks => !needs.is_free,
        }
    }

    /// Computes the result; `None` when it was cancelled.
    fn compute(self, solid: &Solid, should_cancel: &ShouldCancel) -> Option<Bytes> {
        let mut out = Vec::new();
        match self {
            Self::ConvexParts => ConvexParts::new(solid).write(&mut out),
            Self::CachedHulls => {
                CachedHulls::with_cancel(solid, should_cancel)?.write(&mut out);
            }
            Self::Lattice => {
                // A solid that has none is tried again in the game, which reports it.
                if let Ok(lattice) = Lattice::new(solid) {
                    lattice.write(&mut out);
                }
            }
            Self::CollisionChunks => {
                let chunked_mesh = ChunkedMesh::from_solid(solid, &ChunkPool::default());
                chunked_mesh.prepare_collision(solid.mesh());
                let chunks: Vec<&Mesh> = chunked_mesh.simplified_chunks().collect();
                write_count(&mut out, chunks.len());
                chunks
                    .iter()
                    .for_each(|chunk| mesh_codec::write(&mut out, chunk));
            }
        }
        (!should_cancel()).then(|| out.into())
    }
}

/// Cooking.
impl CookedShape {
    /// Computes what a solid's bodies need, as far as an earlier cooking of the same solid does not have it; `None`
    /// when it was cancelled.
    pub(crate) fn compute(
        solid: &Solid,
        needs: CookedNeeds,
        earlier: Self,
        should_cancel: &ShouldCancel,
    ) -> Option<Self> {
        let mut cooked = earlier;
        for (result, bytes) in CookedResult::ALL.into_iter().zip(&mut cooked.results) {
            if bytes.is_empty() && result.is_needed(needs) && result.takes_long(solid) {
                *bytes = result.compute(solid, should_cancel)?;
            }
        }
        Some(cooked)
    }

    /// Whether there is nothing in it: nothing takes long.
    pub fn is_empty(&self) -> bool {
        self.results.iter().all(Bytes::is_empty)
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for bytes in &self.results {
            out.extend((bytes.len() as u64).to_le_bytes());
            out.extend(bytes);
        }
    }

    /// Reads the results, which share the memory of `all`.
    pub(super) fn read(all: &Bytes, reader: &mut ByteReader) -> Result<Self, Malformed> {
        let mut cooked = Self::default();
        for bytes in &mut cooked.results {
            let size = usize::try_from(reader.u64()?).map_err(|_| Malformed)?;
            *bytes = all.slice_ref(reader.take(size)?);
        }
        Ok(cooked)
    }
}

/// Results.
impl CookedShape {
    /// Reads a result with a function; `None` when it is not here.
    pub(super) fn result<T>(
        &self,
        result: CookedResult,
        read: impl FnOnce(&mut ByteReader) -> Result<T, Malformed>,
    ) -> Result<Option<T>, Malformed> {
        let bytes = self.results.get(result as usize);
        let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty()) else {
            return Ok(None);
        };
        let mut reader = ByteReader(bytes);
        let value = read(&mut reader)?;
        reader.0.is_empty().then_some(Some(value)).ok_or(Malformed)
    }
}

/// Reads the simplified chunks of a solid's mesh.
pub(super) fn read_collision_chunks(
    reader: &mut ByteReader,
    solid: &Solid,
) -> Result<Vec<Mesh>, Malformed> {
    let bounds = solid.bounds();
    let margin = Vec3::splat(OUTSIDE * bounds.diagonal() as f32);
    let [low, high] = bounds.as_vec3();
    let is_inside = |position: &[f32; 3]| {
        let position = Vec3::from(*position);
        position.cmpge(low - margin).all() && position.cmple(high + margin).all()
    };
    let chunks = (0..reader.u32()?).map(|_| {
        let mesh = mesh_codec::read(reader)?;
        let is_valid = mesh.positions.iter().all(is_inside);
        is_valid.then_some(mesh).ok_or(Malformed)
    });
    chunks.collect()
}
